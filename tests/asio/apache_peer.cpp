// Apache's side of interop_apache_test.cpp.
#include "apache_peer.hpp"

#include "Shop.h"

#include <thrift/TApplicationException.h>
#include <thrift/concurrency/Monitor.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/protocol/THeaderProtocol.h>
#include <thrift/server/TNonblockingServer.h>
#include <thrift/server/TThreadedServer.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/THeaderTransport.h>
#include <thrift/transport/TNonblockingServerSocket.h>
#include <thrift/transport/TServerSocket.h>
#include <thrift/transport/TSocket.h>

#include <atomic>
#include <future>
#include <thread>

namespace thriftlens_test {

namespace {

using namespace apache::thrift;
using namespace thriftlens_asio_test;

class handler : public ShopIf {
 public:
  void ping(std::string& to) override { to = "pong"; }
  void find(Item& to, const int64_t id) override {
    require(id);
    to.id = id;
    to.name = "lamp";
    to.prices = {9.5, 8.25};
  }
  int64_t add(const int32_t a, const int32_t b) override { return int64_t{a} + b; }
  bool has(const int64_t id) override { return id == 7; }
  void store(const Item& item) override { require(item.id); }
  void log(const std::string&) override { ++lines_; }
  int32_t logged() override { return lines_; }
  void fail(std::string&) override { throw std::runtime_error("words"); }
  void echo(std::string& to, const std::string& text) override { to = text; }

 private:
  static void require(int64_t id) {
    if (id == 7) return;
    Missing error;
    error.words = "no such item";
    error.code = 404;
    throw error;
  }
  std::atomic<int32_t> lines_{0};
};

std::shared_ptr<transport::TTransportFactory> transports(apache_framing framing) {
  if (framing == apache_framing::buffered) return std::make_shared<transport::TBufferedTransportFactory>();
  if (framing == apache_framing::framed) return std::make_shared<transport::TFramedTransportFactory>();
  return std::make_shared<transport::TTransportFactory>();
}
std::shared_ptr<protocol::TProtocolFactory> protocols(const apache_way& how) {
  if (how.framing == apache_framing::header) return std::make_shared<protocol::THeaderProtocolFactory>();
  if (how.is_compact) return std::make_shared<protocol::TCompactProtocolFactory>();
  return std::make_shared<protocol::TBinaryProtocolFactory>();
}

/// Says when the server listens.
struct announcer : server::TServerEventHandler {
  std::promise<void> listens;
  void preServe() override { listens.set_value(); }
};

template <class Server, class Socket>
class running : public apache_server {
 public:
  running(std::shared_ptr<Server> server, std::shared_ptr<Socket> socket)
      : server_(std::move(server)), socket_(std::move(socket)) {
    const auto events = std::make_shared<announcer>();
    server_->setServerEventHandler(events);
    thread_ = std::thread([this] { server_->serve(); });
    events->listens.get_future().wait();
  }
  ~running() override {
    server_->stop();
    thread_.join();
  }
  int port() const override { return port_of(*socket_); }

 private:
  static int port_of(transport::TServerSocket& of) { return of.getPort(); }
  static int port_of(transport::TNonblockingServerSocket& of) { return of.getListenPort(); }

  std::shared_ptr<Server> server_;
  std::shared_ptr<Socket> socket_;
  std::thread thread_;
};

template <class Call>
std::string text_of(Call call) {
  try {
    return call();
  } catch (const Missing& error) {
    return "missing " + error.words + " " + std::to_string(error.code);
  } catch (const TApplicationException& error) {
    return "application " + std::to_string(error.getType());
  }
}

}  // namespace

std::unique_ptr<apache_server> start_threaded(const apache_way& how) {
  const auto socket = std::make_shared<transport::TServerSocket>("127.0.0.1", 0);
  const auto server =
      std::make_shared<server::TThreadedServer>(std::make_shared<ShopProcessor>(std::make_shared<handler>()),
                                                socket, transports(how.framing), protocols(how));
  return std::make_unique<running<server::TThreadedServer, transport::TServerSocket>>(server, socket);
}

std::unique_ptr<apache_server> start_nonblocking(bool is_compact) {
  const auto socket = std::make_shared<transport::TNonblockingServerSocket>("127.0.0.1", 0);
  const auto server = std::make_shared<server::TNonblockingServer>(
      std::make_shared<ShopProcessor>(std::make_shared<handler>()),
      protocols({apache_framing::framed, is_compact}), socket);
  return std::make_unique<running<server::TNonblockingServer, transport::TNonblockingServerSocket>>(server,
                                                                                                    socket);
}

std::vector<std::string> call_all(const apache_way& how, int port) {
  const auto socket = std::make_shared<transport::TSocket>("127.0.0.1", port);
  socket->setRecvTimeout(20000);
  std::shared_ptr<protocol::TProtocol> spoken;
  if (how.framing == apache_framing::header) {
    spoken = std::make_shared<protocol::THeaderProtocol>(
        socket, how.is_compact ? protocol::T_COMPACT_PROTOCOL : protocol::T_BINARY_PROTOCOL);
  } else {
    spoken = protocols(how)->getProtocol(transports(how.framing)->getTransport(socket));
  }
  ShopClient client(spoken);
  spoken->getTransport()->open();
  std::vector<std::string> answers;
  Item item;
  item.id = 7;
  std::string text;
  answers.push_back(text_of([&] { return client.ping(text), text; }));
  answers.push_back(
      text_of([&] { return client.find(item, 7), item.name + " " + std::to_string(item.prices.at(1)); }));
  answers.push_back(text_of([&] { return client.find(item, 8), item.name; }));
  answers.push_back(text_of([&] { return std::to_string(client.has(7)); }));
  answers.push_back(text_of([&] { return std::to_string(client.add(2, 3)); }));
  answers.push_back(text_of([&] { return client.store(item), "stored"; }));
  item.id = 8;
  answers.push_back(text_of([&] { return client.store(item), "stored"; }));
  client.log("a line");
  answers.push_back(text_of([&] { return std::to_string(client.logged()); }));
  answers.push_back(text_of([&] { return client.fail(text), text; }));
  answers.push_back(
      text_of([&] { return client.echo(text, std::string(100000, 'x')), std::to_string(text.size()); }));
  spoken->getTransport()->close();
  return answers;
}

}  // namespace thriftlens_test
