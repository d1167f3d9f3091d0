#include <thriftlens/asio/client_link.hpp>

#include "shop.hpp"
#include "support/test.hpp"

#include <sys/wait.h>
#include <unistd.h>

TEST(asio_client_link, a_failure_reaches_waiting_and_later_calls) {
  asio::io_context context;
  const auto link = std::make_shared<tl::detail::client_link>(context.get_executor(), tl::session_options{});
  tl::detail::client_wait first(context.get_executor(), {}), second(context.get_executor(), {});
  tl::call_request call{.name = "ping", .arguments = std::string_view("\0", 1)};
  ASSERT_TRUE(link->send(call, first));
  call.type = tl::message_type::oneway;
  ASSERT_TRUE(link->send(call, second));
  EXPECT_EQ(link->in_flight(), 1u);
  link->reject(tl::detail::io_error(tl::asio::cause::closed, "x"));
  link->reject(tl::detail::io_error(tl::asio::cause::timeout, "later"));
  for (const tl::detail::client_wait* each : {&first, &second}) {
    EXPECT_TRUE(each->is_done);
    ASSERT_TRUE(each->reason.has_value());
    EXPECT_EQ(each->reason->detail(), "closed: x");
  }
  EXPECT_EQ(link->send(call, first).error().detail(), "closed: x");
  context.run();
}

TEST(asio_client_link, abandoned_waits_are_not_woken) {
  asio::io_context context;
  const auto link = std::make_shared<tl::detail::client_link>(context.get_executor(), tl::session_options{});
  tl::detail::client_wait who(context.get_executor(), {});
  const tl::call_request call{.name = "ping", .arguments = std::string_view("\0", 1)};
  const std::int32_t id = link->send(call, who).value();
  link->give_up(id, who);
  EXPECT_EQ(link->in_flight(), 0u);
  link->reject(tl::detail::io_error(tl::asio::cause::closed, "x"));
  EXPECT_FALSE(who.is_done);
  context.run();
}

TEST(asio_client_link, a_child_process_does_not_use_the_connection_of_its_parent) {
  asio::io_context context;
  const auto link = std::make_shared<tl::detail::client_link>(context.get_executor(), tl::session_options{});
  const tl::call_request call{.name = "ping", .arguments = std::string_view("\0", 1)};
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    tl::detail::client_wait who(context.get_executor(), {});
    const tl::result<std::int32_t> id = link->send(call, who);
    const bool is_refused = !id && tl::asio::cause_of(id.error()) == tl::asio::cause::closed;
    _exit(is_refused && link->in_flight() == 0 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  tl::detail::client_wait who(context.get_executor(), {});
  EXPECT_TRUE(link->send(call, who));
  link->reject(tl::detail::io_error(tl::asio::cause::closed, "x"));
  context.run();
}
