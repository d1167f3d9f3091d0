#include <thriftlens/view/explain.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {

template <class P>
struct explain_of : testing::Test {};
TYPED_TEST_SUITE(explain_of, protocols);

/// The error of reading the complete value.
template <class P>
tl::fault fault_of(std::string_view bytes) {
  typename P::reader in(bytes);
  static_cast<void>(in.skip(ttype::struct_));
  return in.fault();
}

TYPED_TEST(explain_of, truncation_names_the_innermost_value) {
  std::string bytes = encode<TypeParam>(structure({{2, structure({{1, i64(9)}, {2, text("Annabella")}})}}));
  std::string cut = bytes.substr(0, bytes.size() - 5);
  tl::error error = tl::detail::explain<TypeParam>(cut, order_type(), fault_of<TypeParam>(cut));
  EXPECT_EQ(error.code(), errc::truncated);
  EXPECT_EQ(error.path(), "$.user.name");
}

TYPED_TEST(explain_of, errors_inside_lists_and_map_keys_and_values) {
  std::string bytes =
      encode<TypeParam>(structure({{3, list(ttype::struct_, {item("a", 1), item("bbbbbbbb", 2)})}}));
  std::string cut = bytes.substr(0, bytes.find("bbbbbbbb") + 3);
  EXPECT_EQ(tl::detail::explain<TypeParam>(cut, order_type(), fault_of<TypeParam>(cut)).path(),
            "$.items[1].sku");
  bytes = encode<TypeParam>(
      structure({{5, map(ttype::i16, ttype::string, {{i16(1), text("first")}, {i16(2), text("second")}})}}));
  cut = bytes.substr(0, bytes.find("second") + 3);
  EXPECT_EQ(tl::detail::explain<TypeParam>(cut, order_type(), fault_of<TypeParam>(cut)).path(), "$.notes{2}");
  bytes = encode<TypeParam>(
      structure({{4, map(ttype::string, ttype::struct_,
                         {{text("a"), item("x", 1)}, {text("longer key"), item("x", 1)}})}}));
  cut = bytes.substr(0, bytes.find("longer key") + 3);
  EXPECT_EQ(tl::detail::explain<TypeParam>(cut, order_type(), fault_of<TypeParam>(cut)).path(),
            "$.by_sku{key 1}");
}

TYPED_TEST(explain_of, duplicate_keys_are_shown) {
  const std::string bytes = encode<TypeParam>(
      structure({{4, map(ttype::string, ttype::struct_,
                         {{text("first"), item("x", 1)}, {text("first"), item("x", 1)}})}}));
  const std::size_t second = bytes.rfind("first") - (std::is_same_v<TypeParam, tl::binary> ? 4 : 1);
  EXPECT_EQ(tl::detail::explain<TypeParam>(bytes, order_type(), {errc::duplicate_key, 0, second}).path(),
            "$.by_sku{\"first\"}");
}

TYPED_TEST(explain_of, long_keys_are_cut_between_characters) {
  std::string bytes = encode<TypeParam>(
      structure({{4, map(ttype::string, ttype::struct_,
                         {{text(std::string(63, 'k') + "\xc3\xa9..."), item("bbbbbbbb", 2)}})}}));
  bytes.resize(bytes.find("bbbbbbbb") + 3);
  EXPECT_NE(tl::detail::explain<TypeParam>(bytes, order_type(), fault_of<TypeParam>(bytes))
                .path()
                .find('{' + ('"' + std::string(63, 'k')) + "\"…}.sku"),
            std::string::npos);
}

TYPED_TEST(explain_of, mismatch_has_expected_and_found_types) {
  std::string bytes = encode<TypeParam>(structure({{1, i64(7)}, {2, structure({{1, text("x")}})}}));
  tl::detail::walker<TypeParam> at(bytes, order_type().image(),
                                   tl::detail::root_location<TypeParam>(bytes, order_type(), {}));
  ASSERT_EQ(at.field(2, order_type().find_field("user").index()), errc::ok);
  ASSERT_EQ(at.field(1, shop().type("User").find_field("id").index()), errc::type_mismatch);
  auto offset =
      static_cast<std::size_t>(at.broken_at().at - reinterpret_cast<const std::uint8_t*>(bytes.data()));
  tl::error error = tl::detail::explain<TypeParam>(bytes, order_type(), {errc::type_mismatch, 0, offset});
  EXPECT_EQ(std::string(error.what()),
            "expected i64, found string at $.user.id (byte " + std::to_string(offset) + ")");
}

TYPED_TEST(explain_of, missing_and_duplicate_fields_are_named) {
  std::string bytes =
      encode<TypeParam>(structure({{1, i64(7)}, {2, structure({{2, text("x")}, {2, text("y")}})}}));
  std::size_t stop = bytes.size() - 2;
  tl::error missing = tl::detail::explain<TypeParam>(bytes, order_type(), {errc::missing_required, 1, stop});
  EXPECT_EQ(std::string(missing.what()),
            "a required field is missing at $.user.id (byte " + std::to_string(stop) + ")");
  std::size_t second = bytes.find('y') - (std::is_same_v<TypeParam, tl::binary> ? 7u : 4u);
  if (std::is_same_v<TypeParam, tl::compact>) second = bytes.find('y') - 3;
  tl::error doubled = tl::detail::explain<TypeParam>(bytes, order_type(), {errc::duplicate_field, 2, second});
  EXPECT_EQ(doubled.path(), "$.user.name");
}

TYPED_TEST(explain_of, unknown_fields_are_shown_by_id) {
  std::string bytes = encode<TypeParam>(structure({{300, structure({{4, text("abcdefgh")}})}}));
  std::string cut = bytes.substr(0, bytes.find("abcdefgh") + 2);
  EXPECT_EQ(tl::detail::explain<TypeParam>(cut, order_type(), fault_of<TypeParam>(cut)).path(), "$.#300.#4");
  EXPECT_EQ(tl::detail::explain<TypeParam>(cut, tl::type(), fault_of<TypeParam>(cut)).path(), "$.#300.#4");
}

TYPED_TEST(explain_of, any_offset_is_handled) {
  const std::string& bytes = order_bytes<TypeParam>();
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    std::string cut = bytes.substr(0, size);
    for (std::size_t offset = 0; offset <= size + 1; offset += 1 + size / 16) {
      EXPECT_EQ(
          tl::detail::explain<TypeParam>(cut, order_type(), {errc::truncated, 0, offset}).path().substr(0, 1),
          "$");
    }
  }
}

}  // namespace
