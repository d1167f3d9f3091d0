// shop: fixtures of the tests of module asio: the service, its handler, one context for both sides.
#pragma once

#include <thriftlens/asio.hpp>
#include <thriftlens/json.hpp>
#include <thriftlens/transport/frame_writer.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <asio/io_context.hpp>
#include <asio/read.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace thriftlens_test {

namespace tl = thriftlens;
using task = ::asio::awaitable<void>;

inline const tl::schema& asio_idl() {
  static const tl::schema schema =
      tl::schema::load(std::string(THRIFTLENS_SOURCE_DIR) + "/tests/asio/shop.thrift");
  return schema;
}
inline tl::service_info asio_shop() { return asio_idl().service("Shop"); }
inline tl::function_info asio_function(std::string_view name) { return asio_shop().function(name); }

/// The service: item 7 is there, `fail` throws, `log` counts.
struct shop_handler {
  std::shared_ptr<int> lines = std::make_shared<int>(0);

  template <class Call>
  task operator()(Call& call) {
    const std::string_view name = call.function.name();
    if (name == "find" || name == "store")
      item(call, name == "find");
    else if (name == "log")
      ++*lines;
    else
      number_or_text(call, name);
    co_return;
  }

 private:
  template <class Call>
  static void item(Call& call, bool is_find) {
    const auto id = is_find ? call.arguments["id"] : call.arguments["item"]["id"];
    if (id.template as<std::int64_t>() != 7)
      call.raise("missing", tl::json_text{R"({"words":"no such item","code":404})"});
    else if (is_find)
      call.reply(tl::json_text{R"({"id":7,"name":"lamp","prices":[9.5,8.25]})"});
    else
      call.reply();
  }
  template <class Call>
  void number_or_text(Call& call, std::string_view name) {
    if (name == "add")
      call.reply(call.arguments["a"].template as<std::int64_t>() +
                 call.arguments["b"].template as<std::int64_t>());
    if (name == "has") call.reply(call.arguments["id"].template as<std::int64_t>() == 7);
    if (name == "logged") call.reply(std::int32_t{*lines});
    if (name == "ping") call.reply("pong");
    if (name == "echo") call.reply(call.arguments["text"].template as<std::string_view>());
    if (name == "fail") throw std::runtime_error("secret words");
  }
};

inline tl::asio::endpoint loopback() {
  return ::asio::ip::tcp::endpoint(::asio::ip::address_v4::loopback(), 0);
}
/// Lets other work of the context run.
inline task turn() { return ::asio::post(::asio::use_awaitable); }

/// Runs a coroutine and all that it spawned; rethrows its exception.
inline void run(::asio::io_context& context, task what) {
  std::exception_ptr thrown;
  ::asio::co_spawn(context, std::move(what), [&](std::exception_ptr why) { thrown = std::move(why); });
  context.run();
  if (thrown) std::rethrow_exception(thrown);
}

/// Runs `what(endpoint, server)` with a server, which is stopped at the end.
template <class Handler, class What>
void beside(Handler handler, const tl::asio::server_options& how, What what) {
  ::asio::io_context context;
  tl::asio::server server(context.get_executor(), asio_shop(), std::move(handler), how);
  const tl::asio::endpoint at = server.listen(loopback());
  bool has_ended = false;
  ::asio::co_spawn(context, server.run(), [&](const std::exception_ptr&) { has_ended = true; });
  run(context, [&]() -> task {
    std::exception_ptr thrown;
    try {
      co_await what(at, server);
    } catch (...) {
      thrown = std::current_exception();
    }
    server.stop();
    if (thrown) std::rethrow_exception(thrown);
  }());
  EXPECT_TRUE(has_ended) << "the server did not stop";
}

/// Runs `what(endpoint)` with a peer that reads `wanted` bytes, sends `said` and closes, or stays silent.
template <class What>
void beside_peer(std::size_t wanted, std::string said, bool closes, What what) {
  ::asio::io_context context;
  ::asio::ip::tcp::acceptor acceptor(context, {::asio::ip::address_v4::loopback(), 0});
  ::asio::ip::tcp::socket socket(context);
  ::asio::co_spawn(
      context,
      [&]() -> task {
        ::asio::error_code ignored;
        socket = co_await acceptor.async_accept(::asio::use_awaitable);
        std::string heard(wanted, '\0');
        co_await ::asio::async_read(socket, ::asio::buffer(heard),
                                    ::asio::redirect_error(::asio::use_awaitable, ignored));
        co_await ::asio::async_write(socket, ::asio::buffer(said),
                                     ::asio::redirect_error(::asio::use_awaitable, ignored));
        if (closes) socket.close(ignored);
      },
      ::asio::detached);
  const tl::asio::endpoint at = acceptor.local_endpoint();
  run(context, what(at));
}

/// The bytes of a message in a frame.
template <tl::protocol P>
std::string message_bytes(tl::message_type kind, std::string_view name, std::int32_t id, tl::byte_view body) {
  tl::session_event event{.protocol = tl::detail::message_protocol_of(P::id, true)};
  event.message = {.name = name, .type = kind, .sequence_id = id};
  event.body = body;
  tl::buffer out;
  tl::detail::try_append_frame(event, nullptr, out).value();
  return out.str();
}
/// The reply "pong" to ping.
inline std::string pong(std::int32_t id, std::string_view name = "ping") {
  tl::buffer body;
  tl::try_append_result<tl::binary>(asio_function("ping"), std::string_view("pong"), body).value();
  return message_bytes<tl::binary>(tl::message_type::reply, name, id, body);
}
inline std::string ping_call(std::int32_t id = 1) {
  return message_bytes<tl::binary>(tl::message_type::call, "ping", id, std::string_view("\0", 1));
}

template <class Answer>
std::string text(const Answer& of) {
  if (of.kind == tl::reply_kind::application)
    return std::string(tl::to_string(of.refusal.code)) + ": " + of.refusal.message;
  if (of.value.presence() != tl::presence::present) return "nothing";
  const std::string json = tl::to_json(of.value).str();
  return of.kind == tl::reply_kind::declared ? std::string(of.thrown.name()) + " " + json : json;
}

}  // namespace thriftlens_test
