// A server and a client of ThriftTest with Apache's C++ library. peer server TRANSPORT PROTOCOL: serves on a
// free port, which it prints, until its input ends. peer client TRANSPORT PROTOCOL PORT: makes every call and
// checks every answer; prints failures.
#include "ThriftTest.h"

#include <thrift/TApplicationException.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/protocol/THeaderProtocol.h>
#include <thrift/server/TThreadedServer.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/THttpClient.h>
#include <thrift/transport/THttpServer.h>
#include <thrift/transport/TServerSocket.h>
#include <thrift/transport/TSocket.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

namespace at = apache::thrift;
using namespace thrift_test;

namespace {

std::atomic<int> oneway_calls{0};

class handler : public ThriftTestIf {
 public:
  void testVoid() override {}
  void testString(std::string& result, const std::string& thing) override { result = thing; }
  bool testBool(const bool thing) override { return thing; }
  std::int8_t testByte(const std::int8_t thing) override { return thing; }
  std::int32_t testI32(const std::int32_t thing) override { return thing; }
  std::int64_t testI64(const std::int64_t thing) override { return thing; }
  double testDouble(const double thing) override { return thing; }
  void testBinary(std::string& result, const std::string& thing) override { result = thing; }
  void testStruct(Xtruct& result, const Xtruct& thing) override { result = thing; }
  void testNest(Xtruct2& result, const Xtruct2& thing) override { result = thing; }
  using numbers = std::map<std::int32_t, std::int32_t>;
  void testMap(numbers& result, const numbers& thing) override { result = thing; }
  using texts = std::map<std::string, std::string>;
  void testStringMap(texts& result, const texts& thing) override { result = thing; }
  void testSet(std::set<std::int32_t>& result, const std::set<std::int32_t>& thing) override {
    result = thing;
  }
  void testList(std::vector<std::int32_t>& result, const std::vector<std::int32_t>& thing) override {
    result = thing;
  }
  Numberz::type testEnum(const Numberz::type thing) override { return thing; }
  UserId testTypedef(const UserId thing) override { return thing; }
  void testMapMap(std::map<std::int32_t, numbers>& result, const std::int32_t) override {
    for (std::int32_t i = 1; i < 5; ++i) {
      result[4][i] = i;
      result[-4][-i] = -i;
    }
  }
  void testInsanity(std::map<UserId, std::map<Numberz::type, Insanity>>& result,
                    const Insanity& argument) override {
    result[1][Numberz::TWO] = argument;
    result[1][Numberz::THREE] = argument;
    result[2][Numberz::SIX] = Insanity();
  }
  void testMulti(Xtruct& result, const std::int8_t arg0, const std::int32_t arg1, const std::int64_t arg2,
                 const std::map<std::int16_t, std::string>&, const Numberz::type, const UserId) override {
    result.__set_string_thing("Hello2");
    result.__set_byte_thing(arg0);
    result.__set_i32_thing(arg1);
    result.__set_i64_thing(arg2);
  }
  void testException(const std::string& arg) override {
    if (arg == "TException") throw at::TException("not declared");
    if (arg != "Xception") return;
    Xception error;
    error.__set_errorCode(1001);
    error.__set_message(arg);
    throw error;
  }
  void testMultiException(Xtruct& result, const std::string& arg0, const std::string& arg1) override {
    if (arg0 == "Xception") {
      Xception error;
      error.__set_errorCode(1001);
      error.__set_message("This is an Xception");
      throw error;
    }
    if (arg0 == "Xception2") {
      Xception2 error;
      error.__set_errorCode(2002);
      error.struct_thing.__set_string_thing("This is an Xception2");
      error.__isset.struct_thing = true;
      throw error;
    }
    result.__set_string_thing(arg1);
  }
  void testOneway(const std::int32_t) override { ++oneway_calls; }
};

std::shared_ptr<at::protocol::TProtocolFactory> protocol_factory(const std::string& transport,
                                                                 const std::string& protocol) {
  if (transport == "header") return std::make_shared<at::protocol::THeaderProtocolFactory>();
  if (protocol == "compact") return std::make_shared<at::protocol::TCompactProtocolFactory>();
  return std::make_shared<at::protocol::TBinaryProtocolFactory>();
}

int serve(const std::string& transport, const std::string& protocol) {
  std::shared_ptr<at::transport::TTransportFactory> wrap;
  if (transport == "framed")
    wrap = std::make_shared<at::transport::TFramedTransportFactory>();
  else if (transport == "http")
    wrap = std::make_shared<at::transport::THttpServerTransportFactory>();
  else
    wrap = std::make_shared<at::transport::TBufferedTransportFactory>();
  const auto socket = std::make_shared<at::transport::TServerSocket>("127.0.0.1", 0);
  const auto processor = std::make_shared<ThriftTestProcessor>(std::make_shared<handler>());
  at::server::TThreadedServer server(processor, socket, wrap, protocol_factory(transport, protocol));

  class announce : public at::server::TServerEventHandler {
   public:
    explicit announce(std::shared_ptr<at::transport::TServerSocket> socket) : socket_(std::move(socket)) {}
    void preServe() override { std::cout << socket_->getPort() << std::endl; }

   private:
    std::shared_ptr<at::transport::TServerSocket> socket_;
  };
  server.setServerEventHandler(std::make_shared<announce>(socket));
  std::thread([] {
    while (std::cin.get() != EOF) {
    }
    std::_Exit(0);
  }).detach();
  server.serve();
  return 0;
}

int faults = 0;
void check(bool is_right, const char* what) {
  if (is_right) return;
  std::cout << what << std::endl;
  ++faults;
}
#define CHECK(condition) check(condition, #condition)

Xtruct sample() {
  Xtruct made;
  made.__set_string_thing("Zero");
  made.__set_byte_thing(1);
  made.__set_i32_thing(-3);
  made.__set_i64_thing(-5'000'000'000);
  return made;
}

// Values that are echoed.
void call_scalars(ThriftTestClient& client) {
  client.testVoid();
  std::string text;
  const std::string thing = std::string(70'000, 'x') + "é";
  client.testString(text, thing);
  CHECK(text == thing);
  CHECK(client.testBool(true) && !client.testBool(false));
  CHECK(client.testByte(-128) == -128);
  CHECK(client.testI32(-2147483647 - 1) == -2147483647 - 1);
  CHECK(client.testI64(-34359738368) == -34359738368);
  CHECK(client.testDouble(-5.2098523) == -5.2098523);
  std::string all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
  client.testBinary(text, all);
  CHECK(text == all);
  CHECK(client.testEnum(Numberz::EIGHT) == Numberz::EIGHT);
  CHECK(client.testTypedef(309858235082523) == 309858235082523);
}

void call_containers(ThriftTestClient& client) {
  Xtruct plain;
  client.testStruct(plain, sample());
  CHECK(plain == sample());
  Xtruct2 nested, nested_back;
  nested.__set_byte_thing(1);
  nested.__set_struct_thing(sample());
  nested.__set_i32_thing(5);
  client.testNest(nested_back, nested);
  CHECK(nested_back == nested);
  const std::map<std::int32_t, std::int32_t> numbers{{0, -10}, {1, -9}, {-2, 8}};
  std::map<std::int32_t, std::int32_t> numbers_back;
  client.testMap(numbers_back, numbers);
  CHECK(numbers_back == numbers);
  const std::map<std::string, std::string> texts{{"a", "2"}, {"b", "blah"}, {"", ""}};
  std::map<std::string, std::string> texts_back;
  client.testStringMap(texts_back, texts);
  CHECK(texts_back == texts);
  std::set<std::int32_t> set_back;
  client.testSet(set_back, {-2, 0, 2});
  CHECK((set_back == std::set<std::int32_t>{-2, 0, 2}));
  std::vector<std::int32_t> list_back;
  client.testList(list_back, {});
  CHECK(list_back.empty());
  client.testList(list_back, std::vector<std::int32_t>(1000, -1));
  CHECK(list_back == std::vector<std::int32_t>(1000, -1));
  std::map<std::int32_t, std::map<std::int32_t, std::int32_t>> maps;
  client.testMapMap(maps, 1);
  CHECK(maps.size() == 2 && maps[4][3] == 3 && maps[-4][-3] == -3);
}

void call_all_arguments(ThriftTestClient& client) {
  Insanity insane;
  insane.__set_userMap({{Numberz::FIVE, 5}, {Numberz::EIGHT, 8}});
  insane.__set_xtructs({sample(), Xtruct()});
  std::map<UserId, std::map<Numberz::type, Insanity>> whole;
  client.testInsanity(whole, insane);
  CHECK(whole[1][Numberz::TWO] == insane && whole[1][Numberz::THREE] == insane);
  CHECK(whole[2][Numberz::SIX].userMap.empty());
  Xtruct multi;
  client.testMulti(multi, 42, 4242, 424242, {{1, "blah"}, {2, "thing"}}, Numberz::FIVE, 5'000'000'000);
  CHECK(multi.string_thing == "Hello2" && multi.byte_thing == 42 && multi.i64_thing == 424242);
}

void call_exceptions(ThriftTestClient& client) {
  client.testException("success");
  try {
    client.testException("Xception");
    CHECK(!"testException raises");
  } catch (const Xception& error) {
    CHECK(error.errorCode == 1001 && error.message == "Xception");
  }
  try {
    client.testException("TException");
    CHECK(!"what is not declared is an application exception");
  } catch (const at::TApplicationException& error) {
    CHECK(error.getType() != at::TApplicationException::UNKNOWN_METHOD);
  }
  Xtruct result;
  try {
    client.testMultiException(result, "Xception", "x");
    CHECK(!"testMultiException raises Xception");
  } catch (const Xception& error) {
    CHECK(error.errorCode == 1001);
  }
  try {
    client.testMultiException(result, "Xception2", "x");
    CHECK(!"testMultiException raises Xception2");
  } catch (const Xception2& error) {
    CHECK(error.errorCode == 2002 && error.struct_thing.string_thing == "This is an Xception2");
  }
  client.testMultiException(result, "success", "fine");
  CHECK(result.string_thing == "fine");
}

std::shared_ptr<at::transport::TTransport> transport_to(const std::string& transport, int port) {
  const auto socket = std::make_shared<at::transport::TSocket>("127.0.0.1", port);
  socket->setRecvTimeout(30'000);
  if (transport == "framed") return std::make_shared<at::transport::TFramedTransport>(socket);
  if (transport == "http")
    return std::make_shared<at::transport::THttpClient>(socket, "localhost", "/thrift");
  if (transport == "header") return socket;  // THeaderProtocol has its transport itself
  return std::make_shared<at::transport::TBufferedTransport>(socket);
}
std::shared_ptr<at::protocol::TProtocol> protocol_over(const std::shared_ptr<at::transport::TTransport>& wire,
                                                       const std::string& transport,
                                                       const std::string& protocol) {
  const bool is_compact = protocol == "compact";
  if (transport == "header") {
    return std::make_shared<at::protocol::THeaderProtocol>(
        wire, is_compact ? at::protocol::T_COMPACT_PROTOCOL : at::protocol::T_BINARY_PROTOCOL);
  }
  return protocol_factory(transport, protocol)->getProtocol(wire);
}

int call(const std::string& transport, const std::string& protocol, int port) {
  const auto wire = transport_to(transport, port);
  ThriftTestClient client(protocol_over(wire, transport, protocol));
  wire->open();
  call_scalars(client);
  call_containers(client);
  call_all_arguments(client);
  call_exceptions(client);
  client.testOneway(0);
  // THttpClient does not read the response of a oneway call, and uses it for the next one.
  if (transport != "http") CHECK(client.testI32(7) == 7);
  wire->close();
  return faults == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    if (count == 4 && std::string(words[1]) == "server") return serve(words[2], words[3]);
    if (count == 5 && std::string(words[1]) == "client") return call(words[2], words[3], std::atoi(words[4]));
  } catch (const std::exception& error) {
    std::cout << error.what() << std::endl;
    return 1;
  }
  return 2;
}
