#include <thriftlens/asio/request.hpp>

#include "shop.hpp"
#include "support/test.hpp"

namespace {

template <class Fill>
std::string answered(std::string_view function, Fill fill) {
  tl::buffer out;
  tl::asio::request<tl::binary> call(thriftlens_test::asio_function(function), {}, {}, out);
  fill(call);
  if (!call.is_answered()) return "no answer";
  const auto reply = tl::open_reply<tl::binary>(call.function, call.kind(), out);
  return thriftlens_test::text(reply);
}

}  // namespace

TEST(asio_request, answers) {
  EXPECT_EQ(answered("add", [](auto& call) { call.reply(5); }), "5");
  EXPECT_EQ(answered("store", [](auto& call) { call.reply(); }), "nothing");
  EXPECT_EQ(answered("find", [](auto& call) { call.raise("missing", tl::json_text{R"({"code":4})"}); }),
            R"(missing {"code":4})");
  EXPECT_EQ(answered("find", [](auto& call) { call.refuse("no", tl::application_error::unknown_method); }),
            "unknown_method: no");
}

TEST(asio_request, the_last_answer_counts) {
  EXPECT_EQ(answered("add",
                     [](auto& call) {
                       call.refuse("no");
                       call.reply(5);
                       call.reply(6);
                     }),
            "6");
}

TEST(asio_request, an_invalid_value_does_not_answer) {
  EXPECT_EQ(answered("add",
                     [](auto& call) {
                       EXPECT_EQ(call.try_reply("five").error().code(), tl::errc::value_type);
                       EXPECT_EQ(call.try_raise("missed", 1).error().code(), tl::errc::no_such_field);
                     }),
            "no answer");
  EXPECT_EQ(answered("store", [](auto& call) { EXPECT_FALSE(call.try_reply(1)); }), "no answer");
}

TEST(asio_request, oneway_calls_have_no_answer) {
  EXPECT_EQ(answered("log", [](auto& call) { call.refuse("no"); }), "no answer");
}
