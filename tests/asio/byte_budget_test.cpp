#include <thriftlens/asio/byte_budget.hpp>

#include <thriftlens/rpc/call.hpp>

#include "shop.hpp"
#include "support/test.hpp"

using budget = tl::detail::byte_budget;
using socket_type = asio::generic::stream_protocol::socket;
using thriftlens_test::ping_call;
using thriftlens_test::task;
using thriftlens_test::turn;

namespace {

constexpr std::size_t limit = std::size_t{1} << 20, frame_size = limit / 2, piece = std::size_t{16} << 10;

/// A server whose budget can be read, on a context of one thread.
template <class Handler>
class counted_server {
 public:
  explicit counted_server(Handler handler) {
    tl::asio::server_options options;
    options.bounds.frame_size = frame_size;
    options.bounds.in_flight = limit;
    share_.reset(new share{std::vector(1, thriftlens_test::asio_shop()), handler, options});
    core_ = std::make_shared<tl::detail::server_core<Handler>>(context_.get_executor(), share_);
    at_ = core_->listen(thriftlens_test::loopback()).value();
  }
  template <class What>
  void run(What what) {
    asio::co_spawn(core_->strand(), core_->run(), asio::detached);
    thriftlens_test::run(context_, [&]() -> task {
      co_await what(*this);
      core_->stop();
    }());
    EXPECT_EQ(held(), 0u);
  }
  std::size_t held() {
    const std::size_t total = share_->budget.total();
    peak_ = (std::max)(peak_, total);
    return total;
  }
  [[nodiscard]] std::size_t peak() const { return peak_; }
  asio::awaitable<std::shared_ptr<socket_type>> connect() {
    auto peer = std::make_shared<socket_type>(co_await asio::this_coro::executor);
    co_await peer->async_connect(at_, asio::use_awaitable);
    co_return peer;
  }
  /// Connects, sends, and waits until the server closes the connection, or close_peers().
  void send(std::string bytes) {
    asio::co_spawn(
        context_,
        [](counted_server& self, std::string sent) -> task {
          asio::error_code ignored;
          std::string reply;
          const auto peer = co_await self.connect();
          self.peers_.push_back(peer);
          co_await asio::async_write(*peer, asio::buffer(sent),
                                     asio::redirect_error(asio::use_awaitable, ignored));
          co_await asio::async_read(*peer, asio::dynamic_buffer(reply),
                                    asio::redirect_error(asio::use_awaitable, ignored));
          ++self.closed_;
        }(*this, std::move(bytes)),
        asio::detached);
  }
  [[nodiscard]] int closed() const { return closed_; }
  void close_peers() {
    for (const auto& peer : peers_) peer->close();
  }
  /// The reply to one ping over a new connection, as text.
  asio::awaitable<std::string> ping() {
    auto client = co_await tl::asio::client<>::connect_to(at_);
    const auto reply = co_await client.call(thriftlens_test::asio_function("ping"), tl::no_value{});
    held();
    co_return thriftlens_test::text(reply);
  }

 private:
  using share = tl::detail::server_share<Handler>;

  asio::io_context context_;
  std::shared_ptr<share> share_;
  std::shared_ptr<tl::detail::server_core<Handler>> core_;
  tl::asio::endpoint at_;
  std::vector<std::shared_ptr<socket_type>> peers_;
  std::size_t peak_ = 0;
  int closed_ = 0;
};

std::string store_call(std::size_t size) {
  const std::string json = R"({"item":{"id":7,"name":")" + std::string(size, 'x') + "\"}}";
  const auto call = tl::write_call<tl::binary>(thriftlens_test::asio_function("store"), tl::json_text{json},
                                               1, tl::transport_id::framed);
  return call.str();
}

}  // namespace

TEST(asio_byte_budget, a_connection_waits_only_above_the_limit_and_its_share) {
  int resumed = 0;
  budget all(1000);
  budget::account large(all, [&] { ++resumed; }), small(all, [] {}), third(all, [] {}), fourth(all, [] {});
  large.set(999, false);
  EXPECT_FALSE(large.must_wait());
  small.set(249, false);
  EXPECT_FALSE(small.must_wait()) << "a share is 250";
  EXPECT_TRUE(large.must_wait());
  small.set(1, false);
  EXPECT_EQ(resumed, 0) << "the total is still at the limit";
  large.set(998, false);
  EXPECT_EQ(resumed, 1);
  EXPECT_EQ(all.total(), 999u);
}

TEST(asio_byte_budget, bytes_released_by_clients_are_limited_to_half) {
  budget all(1000);
  budget::account other(all, [] {}), third(all, [] {}), fourth(all, [] {});
  {
    budget::account large(all, [] {});
    EXPECT_TRUE(large.set(400, true));
    EXPECT_TRUE(other.set(100, true));
    EXPECT_TRUE(other.set(249, true)) << "less than its share of 250";
    EXPECT_FALSE(large.set(401, true));
    large.set(401, false);
    EXPECT_TRUE(third.set(251, true)) << "calls in progress end by themselves";
  }
  EXPECT_EQ(all.total(), 500u) << "one that is destroyed holds nothing";
}

TEST(asio_byte_budget, partial_calls_of_many_connections_are_bounded) {
  counted_server server{thriftlens_test::shop_handler()};
  server.run([](auto& self) -> task {
    for (int peer = 0; peer < 20; ++peer) self.send(store_call(300'000).substr(0, 200'000));
    while (self.closed() < 15) EXPECT_EQ(co_await self.ping(), "\"pong\"");
    EXPECT_LT(self.peak(), limit + 21 * piece);
    EXPECT_GT(self.peak(), limit / 2);
    self.close_peers();
    while (self.held() != 0) co_await turn();
  });
}

TEST(asio_byte_budget, a_connection_is_not_read_while_calls_in_progress_fill_it) {
  int started = 0;
  bool is_open = false;
  const auto handler = [&](auto& call) -> task {
    if (call.function.name() == "ping") {
      call.reply("pong");
      co_return;
    }
    ++started;
    while (!is_open) co_await turn();
    call.reply();
  };
  counted_server server(handler);
  server.run([&](auto& self) -> task {
    for (int peer = 0; peer < 4; ++peer) {
      while (started < peer) co_await turn();
      self.send(store_call(300'000));
    }
    while (self.held() < limit) co_await turn();
    for (int call = 0; call < 100; ++call) EXPECT_EQ(co_await self.ping(), "\"pong\"") << "its share is free";
    EXPECT_EQ(started, 3);
    EXPECT_LT(self.peak(), limit + limit / 5 + 2 * piece);
    is_open = true;
    while (started < 4 || self.held() != 0) co_await turn();
    EXPECT_EQ(self.closed(), 0);
    self.close_peers();
  });
}

TEST(asio_byte_budget, unread_replies_are_bounded_and_later_ones_refused) {
  const std::string large(300'000, 'x');
  const auto handler = [&](auto& call) -> task {
    call.reply(std::string_view(large));
    co_return;
  };
  counted_server server(handler);
  server.run([&](auto& self) -> task {
    std::vector<std::shared_ptr<socket_type>> silent;
    std::string calls, reply;
    for (std::int32_t id = 0; id < 100; ++id) calls += ping_call(id);
    for (int peer = 0; peer < 12; ++peer) {
      silent.push_back(co_await self.connect());
      co_await asio::async_write(*silent.back(), asio::buffer(calls), asio::use_awaitable);
    }
    while (reply.find("in_flight") == std::string::npos) reply = co_await self.ping();
    EXPECT_LT(self.peak(), limit);
    silent.clear();
    while (self.held() != 0) co_await turn();
    reply = co_await self.ping();
    EXPECT_EQ(reply.size(), large.size() + 2);
  });
}
