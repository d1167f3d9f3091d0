#include <thriftlens/view/print.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

#include <thriftlens/view/view.hpp>

#include <sstream>

using namespace thriftlens_test;

namespace {

template <class P>
struct print : testing::Test {
  static std::string text(const tl::view<P>& of) {
    std::ostringstream out;
    out << of;
    return out.str();
  }
};
TYPED_TEST_SUITE(print, protocols);

TYPED_TEST(print, shows_values_like_json) {
  const tl::view<TypeParam> v(order_bytes<TypeParam>(), order_type());
  EXPECT_EQ(this->text(v["id"]), "77");
  EXPECT_EQ(this->text(v["user"]), R"({"id": 9, "name": "Ann", "secret": "s3cret"})");
  EXPECT_EQ(
      this->text(v["items"][1]),
      R"({"sku": "b", "price": 2.5, "tags": ["x", "y"], "part": {"sku": "inner", "price": 0.5, "tags": []}})");
  EXPECT_EQ(this->text(v["notes"]), R"({-3: "minus", 300: "plus"})");
  EXPECT_EQ(this->text(v["colors"]), R"({"RED": 10, "BLUE": 50})");
  EXPECT_EQ(this->text(v["flags"]), R"({false: "no", true: "yes"})");
  EXPECT_EQ(this->text(v["by_user"]), R"({{"id": 4}: 44, {"id": 5}: 55})");
  EXPECT_EQ(this->text(v["debug"]), R"(x"000102")");
  EXPECT_EQ(this->text(v["numbers"]), "[-1, 70000, 3]");
}

TYPED_TEST(print, shows_unknown_fields_by_id) {
  const std::string bytes = encode<TypeParam>(structure({{1, i64(7)}, {200, boolean(true)}}));
  EXPECT_EQ(this->text(tl::view<TypeParam>(bytes, order_type())), R"({"id": 7, "#200": true})");
  EXPECT_EQ(this->text(tl::view<TypeParam>(bytes)), R"({"#1": 7, "#200": true})");
}

TYPED_TEST(print, is_truncated_and_reads_no_further) {
  std::vector<tree> numbers(20000, i32(7));
  const std::string bytes =
      encode<TypeParam>(structure({{9, list(ttype::list, {list(ttype::i32, numbers)})}, {1, i64(1)}}));
  const std::string without_end = bytes.substr(0, bytes.size() - 1);
  const std::string shown = this->text(tl::view<TypeParam>(without_end));
  EXPECT_LT(shown.size(), 260u);
  EXPECT_EQ(shown.substr(0, 20), "{\"#9\": [[7, 7, 7, 7,");
  EXPECT_EQ(shown.substr(shown.size() - 8), ", …]]}");
  const std::string text_bytes =
      encode<TypeParam>(structure({{2, text(std::string(5000, 'x'))}, {3, i64(1)}}));
  const std::string shown_text = this->text(tl::view<TypeParam>(text_bytes));
  EXPECT_LT(shown_text.size(), 260u);
  EXPECT_EQ(shown_text.substr(shown_text.size() - 8), "xxx\"…}");
}

TYPED_TEST(print, shows_absent_and_malformed_values) {
  const tl::view<TypeParam> v(order_bytes<TypeParam>(), order_type());
  EXPECT_EQ(this->text(v["payment"]["card"]), '<' + std::string(v["payment"]["card"].error().what()) + '>');
  EXPECT_EQ(this->text(tl::view<TypeParam>()), '<' + std::string(tl::view<TypeParam>().error().what()) + '>');
  const std::string bytes = encode<TypeParam>(structure({{2, structure({{2, text("Ann")}})}}));
  const std::string cut = bytes.substr(0, bytes.size() - 4);
  const std::string shown = this->text(tl::view<TypeParam>(cut, order_type()));
  EXPECT_NE(shown.find("<the data ends in the middle of a value>"), std::string::npos) << shown;
  EXPECT_EQ(shown.find('<'), shown.rfind('<'));
  EXPECT_EQ(shown.back(), '}');
}

TYPED_TEST(print, googletest_prints_the_same) {
  const tl::view<TypeParam> v(order_bytes<TypeParam>(), order_type());
  EXPECT_EQ(testing::PrintToString(v["user"]), this->text(v["user"]));
}

// Every byte changed in turn: the text is always bounded.
TYPED_TEST(print, is_bounded_for_malformed_bytes) {
  std::string bytes = order_bytes<TypeParam>();
  for (char& byte : bytes) {
    const char previous = byte;
    for (const char other : {'\0', '\x7f', '\xff'}) {
      byte = other;
      EXPECT_LT(this->text(tl::view<TypeParam>(bytes, order_type())).size(), 3000u);
    }
    byte = previous;
  }
}

}  // namespace
