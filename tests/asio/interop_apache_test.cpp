// Our client and Apache's servers, Apache's generated client and our server, in each framing that both have.
#include <thriftlens/asio/server.hpp>

#include "apache_peer.hpp"
#include "shop.hpp"

#include <gtest/gtest.h>

#if defined(THRIFTLENS_HAVE_APACHE_SERVERS)
#include <future>
#include <thread>

namespace tl = thriftlens;
using thriftlens_test::apache_framing, thriftlens_test::apache_way, thriftlens_test::asio_function,
    thriftlens_test::asio_shop, thriftlens_test::loopback, thriftlens_test::shop_handler,
    thriftlens_test::task, thriftlens_test::text;

namespace {

tl::transport_id transport_of(apache_framing framing) {
  if (framing == apache_framing::header) return tl::transport_id::header;
  return framing == apache_framing::framed ? tl::transport_id::framed : tl::transport_id::buffered;
}

/// What an Apache server answers to our client.
template <tl::protocol P>
std::vector<std::string> answers_of(int port, tl::transport_id transport) {
  std::vector<std::string> said;
  asio::io_context context;
  thriftlens_test::run(context, [&]() -> task {
    tl::asio::client_options how;
    how.transport = transport;
    auto to = co_await tl::asio::client<P>::connect("127.0.0.1:" + std::to_string(port), how);
    const auto call = [&](const char* name, std::string arguments) -> task {
      said.push_back(text(co_await to.call(asio_function(name), tl::json_text{arguments})));
    };
    co_await call("ping", "{}");
    co_await call("find", R"({"id":7})");
    co_await call("find", R"({"id":8})");
    co_await call("has", R"({"id":7})");
    co_await call("add", R"({"a":2,"b":3})");
    co_await call("store", R"({"item":{"id":7,"name":"x","prices":[]}})");
    co_await call("store", R"({"item":{"id":8,"name":"x","prices":[]}})");
    co_await call("log", R"({"line":"a line"})");
    co_await call("logged", "{}");
    const auto big = co_await to.call(asio_function("echo"),
                                      tl::json_text{R"({"text":")" + std::string(100000, 'x') + R"("})"});
    said.push_back(std::to_string(big.value.template as<std::string_view>().size()));
  }());
  return said;
}
const std::vector<std::string> expected_answers = {R"("pong")",
                                                   R"({"id":7,"name":"lamp","prices":[9.5,8.25]})",
                                                   R"(missing {"words":"no such item","code":404})",
                                                   "true",
                                                   "5",
                                                   "nothing",
                                                   R"(missing {"words":"no such item","code":404})",
                                                   "nothing",
                                                   "1",
                                                   "100000"};

std::vector<std::string> answers_of(const apache_way& how, int port) {
  const tl::transport_id transport = transport_of(how.framing);
  return how.is_compact ? answers_of<tl::compact>(port, transport) : answers_of<tl::binary>(port, transport);
}

}  // namespace

TEST(asio_interop_apache, our_client_with_apaches_threaded_server) {
  for (const auto framing : {apache_framing::buffered, apache_framing::framed, apache_framing::header}) {
    for (const bool is_compact : {false, true}) {
      const auto server = thriftlens_test::start_threaded({framing, is_compact});
      EXPECT_EQ(answers_of({framing, is_compact}, server->port()), expected_answers);
    }
  }
}

TEST(asio_interop_apache, our_client_with_apaches_nonblocking_server) {
  for (const bool is_compact : {false, true}) {
    const auto server = thriftlens_test::start_nonblocking(is_compact);
    EXPECT_EQ(answers_of({apache_framing::framed, is_compact}, server->port()), expected_answers);
  }
}

TEST(asio_interop_apache, apaches_client_with_our_detecting_server) {
  asio::io_context context;
  const shop_handler handler;
  tl::asio::server server(context.get_executor(), asio_shop(), handler);
  const std::string address = tl::asio::to_string(server.listen(loopback()));
  const int port = std::stoi(address.substr(address.find(':') + 1));
  asio::co_spawn(context, server.run(), asio::detached);
  std::thread loop([&] { context.run(); });
  int calls = 0;
  for (const auto framing : {apache_framing::buffered, apache_framing::framed, apache_framing::header}) {
    for (const bool is_compact : {false, true}) {
      const auto said = thriftlens_test::call_all({framing, is_compact}, port);
      EXPECT_THAT(said, testing::ElementsAre("pong", "lamp 8.250000", "missing no such item 404", "1", "5",
                                             "stored", "missing no such item 404", std::to_string(++calls),
                                             "application 6", "100000"));
    }
  }
  server.stop();
  loop.join();
}
#else
TEST(asio_interop_apache, DISABLED_no_thrift_compiler_no_library_or_no_libevent) {}
#endif
