#include <thriftlens/asio/server.hpp>

#include "shop.hpp"
#include "support/test.hpp"

#include <asio/thread_pool.hpp>

#include <atomic>

using client = tl::asio::client<>;
using thriftlens_test::asio_function, thriftlens_test::asio_shop, thriftlens_test::beside,
    thriftlens_test::loopback, thriftlens_test::shop_handler, thriftlens_test::task, thriftlens_test::text,
    thriftlens_test::turn;

TEST(asio_server, more_connections_than_the_limit_are_closed) {
  tl::asio::server_options how;
  how.bounds.connections = 1;
  beside(shop_handler(), how, []<class Server>(tl::asio::endpoint at, Server&) -> task {
    client first = co_await client::connect_to(at);
    EXPECT_EQ(text(co_await first.call(asio_function("ping"), tl::no_value{})), R"("pong")");
    client second = co_await client::connect_to(at);
    const auto made = co_await second.try_call(asio_function("ping"), tl::no_value{});
    EXPECT_EQ(tl::asio::cause_of(made.error()), tl::asio::cause::closed);
    EXPECT_EQ(text(co_await first.call(asio_function("ping"), tl::no_value{})), R"("pong")");
  });
}

TEST(asio_server, the_running_call_is_answered_before_shutdown) {
  std::optional<asio::steady_timer> gate;
  const auto handler = [&](auto& call) -> task {
    asio::error_code ignored;
    gate.emplace(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
    co_await gate->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    call.reply("pong");
  };
  beside(handler, {}, [&]<class Server>(tl::asio::endpoint at, Server& server) -> task {
    client idle = co_await client::connect_to(at), busy = co_await client::connect_to(at);
    std::string said;
    asio::steady_timer done(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
    asio::co_spawn(
        co_await asio::this_coro::executor,
        [&]() -> task {
          const auto made = co_await busy.try_call(asio_function("ping"), tl::no_value{});
          said = made ? text(*made) : made.error().what();
          done.cancel();
        },
        asio::detached);
    while (!gate) co_await turn();
    server.stop();
    const auto late = co_await idle.try_call(asio_function("ping"), tl::no_value{});
    EXPECT_FALSE(late) << "an idle connection ends at once";
    EXPECT_EQ(said, "");
    gate->cancel();
    asio::error_code ignored;
    co_await done.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    EXPECT_EQ(said, R"("pong")");
    gate.reset();  // before its context ends
    const auto refused = co_await client::try_connect_to(at);
    EXPECT_EQ(tl::asio::cause_of(refused.error()), tl::asio::cause::unreachable);
    EXPECT_THAT(refused.error().what(), testing::HasSubstr("127.0.0.1:"));
  });
}

TEST(asio_server, the_client_gets_the_name_of_an_absent_argument) {
  beside(shop_handler(), {}, []<class Server>(tl::asio::endpoint at, Server&) -> task {
    client c = co_await client::connect_to(at);
    const auto refusal = [](const auto& of) {
      return std::string(to_string(of.refusal.code)) + ": " + of.refusal.message;
    };
    EXPECT_EQ(refusal(co_await c.call(asio_function("has"), tl::json_text{"{}"})),
              "protocol_error: missing argument 'id'");
    EXPECT_EQ(refusal(co_await c.call(asio_function("store"), tl::json_text{R"({"item":{}})"})),
              "protocol_error: missing value in the arguments at $.item.id");
  });
}

// The client is told only about its own missing values.
TEST(asio_server, other_absent_values_are_not_reported_to_the_client) {
  const auto handler = [](auto& call) -> task {
    tl::detail::raise(tl::error(tl::errc::absent, "secret", 0, "$.id"));
    call.reply(true);
    co_return;
  };
  beside(handler, {}, []<class Server>(tl::asio::endpoint at, Server&) -> task {
    client c = co_await client::connect_to(at);
    const auto made = co_await c.call(asio_function("has"), tl::json_text{R"({"id":1})"});
    EXPECT_EQ(made.refusal.message, "the handler failed");
  });
}

TEST(asio_server, an_invalid_listen_address_is_an_error) {
  asio::io_context context;
  tl::asio::server first(context.get_executor(), asio_shop(), shop_handler());
  tl::asio::server second(context.get_executor(), asio_shop(), shop_handler());
  const tl::asio::endpoint at = first.listen(loopback());
  const auto taken = second.try_listen(at);
  EXPECT_EQ(tl::asio::cause_of(taken.error()), tl::asio::cause::unreachable);
  EXPECT_THAT(taken.error().detail(),
              testing::HasSubstr("cannot listen on " + tl::asio::to_string(at) + ": "));
  EXPECT_EQ(first.try_listen(loopback()).error().code(), tl::errc::bad_option);
  EXPECT_EQ(tl::asio::cause_of(second.try_listen(at).error()), tl::asio::cause::unreachable);  // still in use
  tl::asio::server_options how;
  how.transport = tl::transport_id::grpc;
  tl::asio::server third(context.get_executor(), asio_shop(), shop_handler(), how);
  EXPECT_EQ(third.try_listen(loopback()).error().code(), tl::errc::bad_option);
}

TEST(asio_server, several_threads_serve_many_clients) {
  std::atomic<int> answered = 0;
  asio::thread_pool pool(3);
  {
    tl::asio::server server(pool.get_executor(), asio_shop(), shop_handler());
    const tl::asio::endpoint at = server.listen(loopback());
    asio::co_spawn(pool, server.run(), asio::detached);
    std::atomic<int> running = 16;
    for (int i = 0; i < 16; ++i) {
      asio::co_spawn(
          asio::make_strand(pool),
          [&, at]() -> task {
            {
              client to = co_await client::connect_to(at);
              for (int call = 0; call < 20; ++call) {
                const auto made = co_await to.try_call(asio_function("ping"), tl::no_value{});
                if (made && text(*made) == R"("pong")") ++answered;
              }
            }
            if (--running == 0) server.stop();
          },
          asio::detached);
    }
    pool.join();
  }
  EXPECT_EQ(answered, 320);
}

TEST(asio_server, handlers_are_freed_with_their_context) {
  asio::io_context context;
  tl::asio::server server(context.get_executor(), asio_shop(), shop_handler());
  const tl::asio::endpoint at = server.listen(loopback());
  asio::co_spawn(context, server.run(), asio::detached);
  asio::co_spawn(
      context,
      [&]() -> task {
        client to = co_await client::connect_to(at);
        co_await to.call(asio_function("ping"), tl::no_value{});
        context.stop();
        co_await to.call(asio_function("ping"), tl::no_value{});
      },
      asio::detached);
  context.run();
  EXPECT_TRUE(context.stopped());
}

TEST(asio_server, stop_cancels_handlers_after_the_timeout) {
  for (const bool is_obedient : {true, false}) {
    asio::io_context context;
    std::optional<asio::steady_timer> gate;
    const auto handler = [&](auto& call) -> task {
      if (!is_obedient) co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
      gate.emplace(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
      co_await gate->async_wait(asio::use_awaitable);
      call.reply("pong");
    };
    tl::asio::server_options how;
    how.timeout = std::chrono::milliseconds(20);
    tl::asio::server server(context.get_executor(), asio_shop(), handler, how);
    const tl::asio::endpoint at = server.listen(loopback());
    bool has_ended = false;
    asio::co_spawn(context, server.run(), [&](const std::exception_ptr&) {
      has_ended = true;
      gate->cancel();  // or the context would run on
    });
    thriftlens_test::run(context, [&]() -> task {
      client to = co_await client::connect_to(at);
      asio::co_spawn(
          co_await asio::this_coro::executor,
          [&]() -> task {
            while (!gate) co_await turn();
            server.stop();
          },
          asio::detached);
      const auto reply = co_await to.try_call(asio_function("ping"), tl::no_value{});
      EXPECT_FALSE(reply);
    }());
    EXPECT_TRUE(has_ended);
    gate.reset();
  }
}
