// Apache Thrift's C++ library: peer server|client PORT TRANSPORT PROTOCOL CERTIFICATES.
#include "Full.h"

#include <thrift/TApplicationException.h>
#include <thrift/processor/TMultiplexedProcessor.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/protocol/THeaderProtocol.h>
#include <thrift/protocol/TMultiplexedProtocol.h>
#include <thrift/server/TThreadedServer.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/THttpClient.h>
#include <thrift/transport/THttpServer.h>
#include <thrift/transport/TSSLServerSocket.h>
#include <thrift/transport/TSSLSocket.h>
#include <thrift/transport/TServerSocket.h>
#include <thrift/transport/TSocket.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

using namespace apache::thrift;
using protocol::TProtocol;
using protocol::TProtocolFactory;
using transport::TTransport;

namespace {

class handler : public FullIf {
 public:
  void echo(Value& result, const Value& value) override { result = value; }
  void hello(std::string& result, const std::string& name) override { result = "hello " + name; }
  void crash(std::string&, const std::string& reason) override {
    throw TApplicationException(TApplicationException::INTERNAL_ERROR, reason);
  }
  void note(const std::string&) override {}
  void nothing() override {}
  std::int64_t add(const std::int64_t a, const std::int64_t b) override { return a + b; }
  void refuse(Point&, const std::string& reason, const std::int32_t code) override {
    Refused refused;
    refused.__set_reason(reason);
    refused.__set_code(code);
    throw refused;
  }
};

struct options {
  int port;
  std::string transport, protocol, certificates;
};

std::shared_ptr<TProtocolFactory> protocols(const options& of) {
  if (of.transport == "header") return std::make_shared<protocol::THeaderProtocolFactory>();
  if (of.protocol == "compact") return std::make_shared<protocol::TCompactProtocolFactory>();
  return std::make_shared<protocol::TBinaryProtocolFactory>();
}

void serve(const options& of) {
  std::shared_ptr<TProcessor> processor = std::make_shared<FullProcessor>(std::make_shared<handler>());
  if (of.transport == "multiplexed") {
    const auto several = std::make_shared<TMultiplexedProcessor>();
    several->registerProcessor("Full", processor);
    processor = several;
  }
  std::shared_ptr<transport::TServerTransport> socket = std::make_shared<transport::TServerSocket>("127.0.0.1", of.port);
  if (of.transport == "ssl") {
    const auto factory = std::make_shared<transport::TSSLSocketFactory>();
    factory->loadCertificate((of.certificates + "/server.pem").c_str());
    factory->loadPrivateKey((of.certificates + "/server.key").c_str());
    factory->server(true);
    socket = std::make_shared<transport::TSSLServerSocket>("127.0.0.1", of.port, factory);
  }
  std::shared_ptr<transport::TTransportFactory> wrap = std::make_shared<transport::TBufferedTransportFactory>();
  if (of.transport == "framed") wrap = std::make_shared<transport::TFramedTransportFactory>();
  if (of.transport == "http") wrap = std::make_shared<transport::THttpServerTransportFactory>();
  server::TThreadedServer(processor, socket, wrap, protocols(of)).serve();
}

std::shared_ptr<TProtocol> open(const options& of, std::shared_ptr<TTransport>& wire) {
  if (of.transport == "ssl") {
    static const auto factory = std::make_shared<transport::TSSLSocketFactory>();
    factory->loadTrustedCertificates((of.certificates + "/ca.pem").c_str());
    factory->authenticate(true);
    wire = std::make_shared<transport::TBufferedTransport>(factory->createSocket("localhost", of.port));
  } else {
    const auto socket = std::make_shared<transport::TSocket>("127.0.0.1", of.port);
    if (of.transport == "framed")
      wire = std::make_shared<transport::TFramedTransport>(socket);
    else if (of.transport == "http")
      wire = std::make_shared<transport::THttpClient>(socket, "127.0.0.1", "/");
    else if (of.transport == "header")
      wire = socket;
    else
      wire = std::make_shared<transport::TBufferedTransport>(socket);
  }
  wire->open();
  if (of.transport == "header") {
    const auto id = of.protocol == "compact" ? protocol::T_COMPACT_PROTOCOL : protocol::T_BINARY_PROTOCOL;
    return std::make_shared<protocol::THeaderProtocol>(wire, id);
  }
  const auto spoken = protocols(of)->getProtocol(wire);
  if (of.transport != "multiplexed") return spoken;
  return std::make_shared<protocol::TMultiplexedProtocol>(spoken, "Full");
}

int faults = 0;
void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  ++faults;
}

Point point(std::int32_t x, std::int32_t y) {
  Point made;
  made.x = x;
  made.y = y;
  return made;
}

Value sample() {
  Value value;
  value.__set_yes(true);
  value.__set_tiny(-3);
  value.__set_small(300);
  value.__set_number(-70000);
  value.__set_large(std::int64_t{1} << 40);
  value.__set_real(1.5);
  value.__set_text("größer");
  value.__set_raw(std::string("\0\xff", 2));
  value.__set_colour(Colour::BLUE);
  Point labelled = point(3, 4);
  labelled.__set_label("p");
  value.__set_points({point(1, 2), labelled});
  value.__set_numbers({1, 2, 3});
  value.__set_by_name({{"a", point(0, 0)}});
  return value;
}

void call(const options& of) {
  std::shared_ptr<TTransport> wire;
  FullClient client(open(of, wire));
  Value back;
  client.echo(back, sample());
  check(back == sample(), "echo");
  std::string text;
  client.hello(text, "Zoe");
  check(text == "hello Zoe", "hello");
  try {
    client.crash(text, "why");
    check(false, "crash answered");
  } catch (const TApplicationException& error) {
    check(std::string(error.what()).find("why") != std::string::npos, error.what());
  }
  // THttpClient does not read the answer to a oneway call and takes it for that of the next one.
  if (of.transport != "http") client.note("a");
  client.hello(text, "again");
  check(text == "hello again", "hello after oneway");
  client.nothing();
  check(client.add(2, 40) == 42, "add");
  try {
    Point unused;
    client.refuse(unused, "no", 7);
    check(false, "refuse answered");
  } catch (const Refused& refused) {
    check(refused.reason == "no" && refused.code == 7, "refuse");
  }
  wire->close();
}

}  // namespace

int main(int, char** words) {
  const options of{std::atoi(words[2]), words[3], words[4], words[5]};
  try {
    if (std::string(words[1]) == "server")
      serve(of);
    else
      call(of);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return faults == 0 ? 0 : 1;
}
