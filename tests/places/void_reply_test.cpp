// The value of a reply without a result, as JSON.
#include <thriftlens/dom/document.hpp>

#include <thriftlens/json.hpp>
#include <thriftlens/rpc.hpp>
#include <thriftlens/schema/schema.hpp>
#include "support/test.hpp"

TEST(void_reply, is_void_and_null_as_json) {
  const tl::schema idl = tl::schema::parse("service S { void f() i32 g() }");
  const tl::function_info f = idl.service("S").function("f"), g = idl.service("S").function("g");
  const tl::buffer bytes = tl::write_reply<tl::binary>(f, tl::no_value{});
  const auto reply = tl::read_reply<tl::binary>(f, 0, bytes);
  EXPECT_TRUE(reply.is_void());
  EXPECT_EQ(tl::to_json(reply.value).str(), "null");
  EXPECT_TRUE(tl::reply<tl::compact>().is_void()) << "as a oneway call is answered";
  EXPECT_EQ(tl::to_json(tl::reply<tl::compact>().value).str(), "null");
  const tl::buffer number = tl::write_reply<tl::binary>(g, 7);
  const auto other = tl::read_reply<tl::binary>(g, 0, number);
  EXPECT_FALSE(other.is_void());
  EXPECT_EQ(tl::to_json(other.value).str(), "7");
  EXPECT_FALSE(tl::try_to_json(tl::view(number)["x"])) << "what is absent is not void";
  tl::buffer out(std::string_view("["));
  tl::append_json(other.value, out);
  tl::append_json(reply.value, out);
  EXPECT_EQ(out.str(), "[7null");
  EXPECT_FALSE(tl::try_append_json(tl::view(number)["x"], out));
  EXPECT_EQ(out.str(), "[7null") << "as before after an error";
}

TEST(void_reply, errors_inside_a_message_have_message_offsets) {
  const tl::schema idl =
      tl::schema::parse("struct User { 1: i64 id } struct Order { 1: i32 x, 2: User user }");
  // x = 1, then user { 1: i32 where an i64 must be }
  const std::string bytes("\x08\0\1\0\0\0\1\x0c\0\2\x08\0\1\0\0\0\7\0\0", 19);
  const tl::view user = tl::view(bytes, idl.type("Order"))["user"];
  const auto json = tl::try_to_json(user);
  tl::document document;
  for (const tl::error& fault : {json.error(), tl::try_validate(user).error(),
                                 document.try_load_all<tl::binary>(bytes, idl.type("Order")).error()}) {
    EXPECT_EQ(fault.path(), "$.user.id") << fault.what();
    EXPECT_EQ(fault.offset(), 10u) << fault.what();
  }
}
