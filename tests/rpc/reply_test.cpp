#include <thriftlens/rpc/reply.hpp>

#include "rpc/shop_service.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

template <class P>
struct reply_of : testing::Test {
  using reply = tl::reply<P>;
  static tl::result<reply> open(const char* function, const tree& body) {
    static std::string bytes;
    bytes = encode<P>(body);
    return tl::try_open_reply<P>(shop_function(function), tl::message_type::reply, bytes);
  }
};
TYPED_TEST_SUITE(reply_of, protocols);

TYPED_TEST(reply_of, result_exception_and_void) {
  const auto found = this->open("find", structure({{0, structure({{1, i64(5)}, {2, text("x")}})}}));
  EXPECT_TRUE(*found);
  EXPECT_EQ(found->value["name"].template as<std::string_view>(), "x");
  const auto truth = this->open("has", structure({{0, boolean(true)}}));
  EXPECT_TRUE(truth->value.template as<bool>());
  const auto thrown = this->open("find", structure({{1, structure({{1, text("7")}})}}));
  EXPECT_FALSE(*thrown);
  EXPECT_EQ(thrown->kind, tl::reply_kind::declared);
  EXPECT_EQ(thrown->thrown.name(), "missing");
  EXPECT_EQ(thrown->thrown.type().name(), "NotFound");
  EXPECT_EQ(thrown->value["what"].template as<std::string_view>(), "7");
  EXPECT_TRUE(*this->open("clear", structure({})));
}

TYPED_TEST(reply_of, a_field_that_the_idl_does_not_declare) {
  for (const char* function : {"find", "clear"}) {
    const auto opened = this->open(function, structure({{9, structure({{1, i64(5)}})}}));
    ASSERT_EQ(errc_of(opened), errc::unknown_field);
    EXPECT_EQ(opened.error().path(), "$.#9");
    EXPECT_EQ(opened.error().detail(), "the reply to " + std::string(function) +
                                           " has field 9 (struct), which is not in the IDL; a newer "
                                           "IDL may declare an exception there");
  }
  const tree item = structure({{1, i64(5)}});
  EXPECT_EQ(this->open("find", structure({{0, item}, {9, i64(5)}})).error().code(), errc::unknown_field);
  const auto thrown = this->open("find", structure({{1, structure({{1, text("7")}})}, {9, i64(5)}}));
  EXPECT_EQ(thrown->kind, tl::reply_kind::declared) << "a declared exception takes precedence";
}

TYPED_TEST(reply_of, neither_or_both) {
  EXPECT_EQ(this->open("find", structure({})).error().code(), errc::missing_required);
  const tree item = structure({{1, i64(5)}});
  EXPECT_EQ(this->open("find", structure({{0, item}, {1, structure({})}})).error().code(),
            errc::union_members);
  EXPECT_EQ(this->open("find", structure({{0, i64(5)}})).error().code(), errc::type_mismatch);
}
