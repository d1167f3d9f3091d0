#include <thriftlens/asio/client.hpp>

#include <thriftlens/asio/server.hpp>

#include "shop.hpp"
#include "slow_lookup.hpp"
#include "support/test.hpp"

#include <asio/experimental/awaitable_operators.hpp>

using thriftlens_test::asio_function, thriftlens_test::beside, thriftlens_test::beside_peer,
    thriftlens_test::ping_call, thriftlens_test::pong, thriftlens_test::shop_handler, thriftlens_test::task,
    thriftlens_test::text, tl::asio::cause, tl::asio::client_options;

namespace {

using client = tl::asio::client<>;

/// The errors of ping and of a second call to a peer that sends those bytes.
std::pair<tl::error, tl::error> errors_of(const std::string& peer_bytes, const client_options& options = {},
                                          bool closes = true) {
  std::pair<tl::error, tl::error> errors;
  beside_peer(ping_call().size(), peer_bytes, closes, [&](tl::asio::endpoint at) -> task {
    client to = co_await client::connect_to(at, options);
    auto first = co_await to.try_call(asio_function("ping"), tl::no_value{});
    auto second = co_await to.try_call(asio_function("ping"), tl::no_value{});
    if (!first) errors.first = first.error();
    if (!second) errors.second = second.error();
  });
  return errors;
}

}  // namespace

TEST(asio_client, all_kinds_of_calls_in_every_framing) {
  for (const tl::transport_id transport :
       {tl::transport_id::buffered, tl::transport_id::framed, tl::transport_id::header,
        tl::transport_id::ttheader, tl::transport_id::ttheader_framed, tl::transport_id::sasl}) {
    tl::asio::server_options served;
    served.credentials = {.user = "ann", .password = "pw"};
    beside(shop_handler(), served, [&]<class Server>(tl::asio::endpoint at, Server&) -> task {
      const auto call_all = [&]<tl::protocol P>(P) -> task {
        client_options options;
        options.transport = transport;
        options.credentials = served.credentials;
        auto to = co_await tl::asio::client<P>::connect(tl::asio::to_string(at), options);
        std::vector<std::string> texts;
        const auto call = [&](const char* name, std::string_view arguments) -> task {
          texts.push_back(text(co_await to.call(asio_function(name), tl::json_text{arguments})));
        };
        co_await call("ping", "{}");
        co_await call("find", R"({"id":7})");
        co_await call("find", R"({"id":8})");
        co_await call("has", R"({"id":7})");
        co_await call("add", R"({"a":2,"b":3})");
        co_await call("store", R"({"item":{"id":7}})");
        co_await call("log", R"({"line":"x"})");
        co_await call("fail", "{}");
        EXPECT_THAT(texts, testing::ElementsAre(R"("pong")", R"({"id":7,"name":"lamp","prices":[9.5,8.25]})",
                                                R"(missing {"words":"no such item","code":404})", "true", "5",
                                                "nothing", "nothing", "internal_error: the handler failed"))
            << to_string(transport);
      };
      co_await call_all(tl::binary{});
      co_await call_all(tl::compact{});
    });
  }
}

TEST(asio_client, services_of_a_multiplexed_server) {
  const tl::schema idl =
      tl::schema::parse("service Prices { string name() } service Stock { string name() }");
  asio::io_context context;
  const std::vector<tl::service_info> services{idl.service("Prices"), idl.service("Stock")};
  const auto handler = [](auto& call) -> task {
    call.reply(std::string_view(call.service.name()));
    co_return;
  };
  tl::asio::server server(context.get_executor(), services, handler);
  const tl::asio::endpoint at = server.listen(thriftlens_test::loopback());
  asio::co_spawn(context, server.run(), asio::detached);
  thriftlens_test::run(context, [&]() -> task {
    client_options options;
    options.service = "Stock";
    client to = co_await client::connect_to(at, options);
    const tl::function_info name = services[1].function("name");
    std::vector<std::string> answers;
    answers.push_back(text(co_await to.call(name, tl::no_value{})));
    tl::asio::call_options once;
    once.service = "Prices";
    answers.push_back(text(co_await to.call(name, tl::no_value{}, once)));
    once.service = "Depot";
    answers.push_back(text(co_await to.call(name, tl::no_value{}, once)));
    client plain = co_await client::connect_to(at);
    answers.push_back(text(co_await plain.call(name, tl::no_value{})));
    EXPECT_THAT(answers, testing::ElementsAre(R"("Stock")", R"("Prices")",
                                              testing::HasSubstr("no service 'Depot'"), R"("Prices")"));
    server.stop();
  }());
}

TEST(asio_client, a_server_without_users_rejects_sasl) {
  for (const tl::sasl_credentials& demanded : {tl::sasl_credentials{}, {.user = "ann", .password = "px"}}) {
    tl::asio::server_options served;
    served.credentials = demanded;
    beside(shop_handler(), served, [&]<class Server>(tl::asio::endpoint at, Server&) -> task {
      client_options options;
      options.transport = tl::transport_id::sasl;
      options.credentials = {.user = "ann", .password = "pw"};
      const auto connected = co_await client::try_connect_to(at, options);
      EXPECT_EQ(connected.error().code(), tl::errc::refused);
    });
  }
}

TEST(asio_client, several_calls_are_in_flight) {
  using namespace asio::experimental::awaitable_operators;
  std::string peer_bytes = pong(2) + pong(1);
  beside_peer(2 * ping_call().size(), peer_bytes, false, [&](tl::asio::endpoint at) -> task {
    client to = co_await client::connect_to(at);
    auto [first, second] = co_await (to.try_call(asio_function("ping"), tl::no_value{}) &&
                                     to.try_call(asio_function("ping"), tl::no_value{}));
    EXPECT_EQ(text(first.value()), R"("pong")");
    EXPECT_EQ(text(second.value()), R"("pong")");
    EXPECT_EQ(to.in_flight(), 0u);
  });
}

TEST(asio_client, a_reply_truncated_at_any_byte_is_a_permanent_error) {
  const std::string whole = pong(1);
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    const auto [first, second] = errors_of(whole.substr(0, cut));
    EXPECT_EQ(first.code(), cut == 0 ? tl::errc::io : tl::errc::truncated) << cut;
    EXPECT_EQ(tl::asio::cause_of(first), cut == 0 ? cause::closed : cause::other) << cut;
    EXPECT_EQ(second.what(), std::string(first.what())) << cut;
  }
}

TEST(asio_client, faults_of_the_peer_have_their_codes) {
  EXPECT_EQ(errors_of(pong(2)).first.code(), tl::errc::bad_sequence_id);
  EXPECT_EQ(errors_of(pong(1, "pint")).first.code(), tl::errc::wrong_method_name);
  EXPECT_EQ(errors_of(ping_call()).first.code(), tl::errc::bad_message);
  EXPECT_EQ(errors_of(std::string("\x7f\xff\xff\xff", 4)).first.code(), tl::errc::size_limit);
  EXPECT_EQ(errors_of("HTTP/1.1 400 Bad Request\r\n").first.code(), tl::errc::bad_frame);
  EXPECT_EQ(errors_of(pong(2)).second.code(), tl::errc::bad_sequence_id);
  client_options small;
  small.bounds.frame_size = 16;
  EXPECT_EQ(errors_of(pong(1), small).first.code(), tl::errc::size_limit);
}

TEST(asio_client, a_silent_peer_fails_the_call_but_not_the_connection) {
  client_options options;
  options.timeout = std::chrono::milliseconds(20);
  beside_peer(2 * ping_call().size(), pong(1) + pong(2), false, [&](tl::asio::endpoint at) -> task {
    client to = co_await client::connect_to(at, options);
    const auto first = co_await to.try_call(asio_function("ping"), tl::no_value{});
    EXPECT_FALSE(first);
    if (first) co_return;
    EXPECT_EQ(tl::asio::cause_of(first.error()), cause::timeout);
    EXPECT_EQ(to.in_flight(), 0u);
    EXPECT_EQ(to.fault(), nullptr);
    EXPECT_EQ(text(co_await to.call(asio_function("ping"), tl::no_value{})), R"("pong")");
  });
}

TEST(asio_client, a_cancelled_call_leaves_the_connection_usable) {
  using namespace asio::experimental::awaitable_operators;
  beside_peer(2 * ping_call().size(), pong(1) + pong(2), false, [&](tl::asio::endpoint at) -> task {
    client to = co_await client::connect_to(at);
    const auto later = []() -> task {
      asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::milliseconds(1));
      co_await timer.async_wait(asio::use_awaitable);
    };
    const auto ping = [&]() -> task {
      const auto reply = co_await to.try_call(asio_function("ping"), tl::no_value{});
      EXPECT_FALSE(reply);
      if (reply) co_return;
      EXPECT_EQ(tl::asio::cause_of(reply.error()), cause::cancelled);
    };
    co_await (ping() || later());
    EXPECT_EQ(to.in_flight(), 0u);
    EXPECT_EQ(text(co_await to.call(asio_function("ping"), tl::no_value{})), R"("pong")");
  });
}

TEST(asio_client, invalid_calls_are_not_sent) {
  beside(shop_handler(), {}, []<class Server>(tl::asio::endpoint at, Server&) -> task {
    client to = co_await client::connect_to(at);
    const auto connected = co_await to.try_call(asio_function("add"), tl::json_text{R"({"a":"x"})"});
    EXPECT_EQ(connected.error().code(), tl::errc::json_type);
    bool has_thrown = false;
    try {
      co_await to.call(asio_function("add"), tl::json_text{R"({"c":1})"});
    } catch (const tl::error& reason) {
      has_thrown = reason.code() == tl::errc::unknown_key;
    }
    EXPECT_TRUE(has_thrown);
    to.close();
    const auto later = co_await to.try_call(asio_function("ping"), tl::no_value{});
    EXPECT_EQ(tl::asio::cause_of(later.error()), cause::closed);
  });
}

TEST(asio_client, addresses) {
  asio::io_context context;
  thriftlens_test::run(context, []() -> task {
    for (const char* wrong : {"", "localhost", ":9090", "localhost:", "unix:"}) {
      const auto connected = co_await client::try_connect(wrong);
      EXPECT_EQ(connected.error().code(), tl::errc::bad_option) << wrong;
    }
    for (const char* address : {"unix:/nowhere/at/all", "127.0.0.1:1", "[::1]:1", "localhost:1"}) {
      const auto nobody = co_await client::try_connect(address);
      EXPECT_EQ(tl::asio::cause_of(nobody.error()), cause::unreachable);
      EXPECT_THAT(nobody.error().detail(),
                  testing::StartsWith(std::string("unreachable: ") + address + ": "));
    }
    const auto nobody =
        co_await client::try_connect_to(asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), 1));
    EXPECT_THAT(nobody.error().detail(), testing::StartsWith("unreachable: 127.0.0.1:1: "));
    for (const tl::transport_id no_stream :
         {tl::transport_id::http, tl::transport_id::grpc, tl::transport_id::automatic}) {
      client_options options;
      options.transport = no_stream;
      const auto refused = co_await client::try_connect("unix:/nowhere/at/all", options);
      EXPECT_FALSE(refused) << to_string(no_stream);
    }
  }());
}

TEST(asio_client, a_refused_or_unanswered_negotiation) {
  client_options options;
  options.transport = tl::transport_id::sasl;
  options.timeout = std::chrono::milliseconds(20);
  options.credentials = {"user", "password"};
  const auto connecting = [&](tl::errc code, cause reason) {
    return [&options, code, reason](tl::asio::endpoint at) -> task {
      const auto connected = co_await client::try_connect_to(at, options);
      EXPECT_EQ(connected.error().code(), code);
      EXPECT_EQ(tl::asio::cause_of(connected.error()), reason);
      const std::string end = reason == cause::timeout ? tl::asio::to_string(at) : std::string();
      EXPECT_THAT(connected.error().detail(), testing::EndsWith(end));
    };
  };
  beside_peer(5, std::string("\x04\x00\x00\x00\x02no", 7), false,
              connecting(tl::errc::refused, cause::other));
  beside_peer(5, "", false, connecting(tl::errc::io, cause::timeout));
}

TEST(asio_client, a_timed_out_call_is_overdue_until_its_reply_arrives) {
  client_options options;
  options.timeout = std::chrono::milliseconds(20);
  beside_peer(2 * ping_call().size(), pong(1) + pong(2), false, [&](tl::asio::endpoint at) -> task {
    client to = co_await client::connect_to(at, options);
    const auto late = co_await to.try_call(asio_function("ping"), tl::no_value{});
    EXPECT_EQ(late.error().progress(), tl::call_progress::sent);
    EXPECT_EQ(to.overdue(), 1u);
    EXPECT_EQ(to.fault(), nullptr);
    co_await to.call(asio_function("ping"), tl::no_value{});
    EXPECT_EQ(to.overdue(), 0u);
  });
}

TEST(asio_client, a_call_that_times_out_closes_its_connection_on_request) {
  client_options options;
  options.timeout = std::chrono::milliseconds(20);
  options.on_timeout = tl::asio::timeout_action::close;
  beside_peer(ping_call().size(), "", false, [&](tl::asio::endpoint at) -> task {
    client to = co_await client::connect_to(at, options);
    const auto late = co_await to.try_call(asio_function("ping"), tl::no_value{});
    EXPECT_EQ(tl::asio::cause_of(late.error()), cause::timeout);
    EXPECT_NE(to.fault(), nullptr);
    const auto next = co_await to.try_call(asio_function("ping"), tl::no_value{});
    EXPECT_EQ(tl::asio::cause_of(next.error()), cause::timeout);
    EXPECT_EQ(next.error().progress(), tl::call_progress::not_sent);
  });
}

TEST(asio_client, errors_have_the_progress_of_the_call) {
  using tl::call_progress;
  EXPECT_EQ(errors_of("").first.progress(), call_progress::sent);
  EXPECT_EQ(errors_of("").second.progress(), call_progress::not_sent);
  EXPECT_EQ(errors_of(pong(1).substr(0, 9)).first.progress(), call_progress::sent);
  const std::string void_reply = thriftlens_test::message_bytes<tl::binary>(tl::message_type::reply, "ping",
                                                                            1, std::string_view("\0", 1));
  EXPECT_EQ(errors_of(void_reply).first.progress(), call_progress::answered);
  beside(shop_handler(), {}, []<class Server>(tl::asio::endpoint at, Server&) -> task {
    client to = co_await client::connect_to(at);
    const auto connected = co_await to.try_call(asio_function("add"), tl::json_text{R"({"a":"x"})"});
    EXPECT_EQ(connected.error().progress(), call_progress::not_sent);
  });
}

TEST(asio_client, moved_from_objects_return_an_error) {
  beside(shop_handler(), {}, []<class Server>(tl::asio::endpoint at, Server&) -> task {
    client from = co_await client::connect_to(at);
    const client to = std::move(from);
    EXPECT_EQ(from.fault()->code(), tl::errc::bad_option);
    EXPECT_EQ(from.in_flight() + from.overdue(), 0u);
    from.close();
    const auto connected = co_await from.try_call(asio_function("ping"), tl::no_value{});
    EXPECT_EQ(connected.error().code(), tl::errc::bad_option);
    EXPECT_EQ(to.fault(), nullptr);
  });
  asio::io_context context;
  tl::asio::server from(context.get_executor(), thriftlens_test::asio_shop(), shop_handler());
  const tl::asio::server to = std::move(from);
  EXPECT_EQ(from.try_listen(thriftlens_test::loopback()).error().code(), tl::errc::bad_option);
  from.stop();
}

TEST(asio_client, a_name_lookup_ends_with_the_time_limit_and_with_cancellation) {
  using namespace asio::experimental::awaitable_operators;
  thriftlens_test::slow_lookup lookup;
  asio::io_context context;
  thriftlens_test::run(context, [&]() -> task {
    client_options options;
    options.timeout = std::chrono::milliseconds(20);
    const auto late = co_await client::try_connect("slow.invalid:9090", options);
    EXPECT_EQ(tl::asio::cause_of(late.error()), cause::timeout);
    const auto connect = [&]() -> task {
      const auto cancelled = co_await client::try_connect("slow.invalid:9090");
      EXPECT_EQ(tl::asio::cause_of(cancelled.error()), cause::cancelled);
    };
    const auto later = []() -> task {
      asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::milliseconds(1));
      co_await timer.async_wait(asio::use_awaitable);
    };
    co_await (connect() || later());
    lookup.finish();
  }());
}
