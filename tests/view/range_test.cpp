#include <thriftlens/view/range.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

#include <thriftlens/view/view.hpp>

#include <ranges>

using tl::errc;
using namespace thriftlens_test;

namespace {

template <class P>
struct range_of : testing::Test {};
TYPED_TEST_SUITE(range_of, protocols);

TYPED_TEST(range_of, range_raises_at_malformed_bytes) {
  std::string cut = order_bytes<TypeParam>().substr(0, order_bytes<TypeParam>().size() - 3);
  tl::view<TypeParam> v(cut, order_type());
  auto visit = [&] {
    for (auto field : v.fields()) static_cast<void>(field);
  };
  EXPECT_THROW(visit(), tl::error);
}

TYPED_TEST(range_of, try_range_ends_and_keeps_the_code) {
  std::string cut = order_bytes<TypeParam>().substr(0, order_bytes<TypeParam>().size() - 3);
  tl::view<TypeParam> v(cut, order_type());
  auto fields = v.try_fields();
  std::size_t count = 0;
  for (auto field : fields) count += field.id != 0;
  EXPECT_GT(count, 5u);
  EXPECT_EQ(fields.code(), errc::truncated);
  EXPECT_EQ(fields.error().code(), errc::truncated);
}

TYPED_TEST(range_of, wrong_kind_of_value_is_an_error) {
  tl::view<TypeParam> v(order_bytes<TypeParam>(), order_type());
  auto none = v["id"].try_elements();
  for (auto item : none) ADD_FAILURE() << item.offset();
  EXPECT_EQ(none.code(), errc::wrong_type);
  auto absent = v["payment"]["card"].try_entries();
  for (auto item : absent) ADD_FAILURE() << item.key.offset();
  EXPECT_EQ(absent.code(), errc::absent);
  auto visit = [&] {
    for (auto item : v["items"].entries()) static_cast<void>(item);
  };
  EXPECT_THROW(visit(), tl::error);
}

TYPED_TEST(range_of, empty_containers_have_no_children) {
  std::string bytes = encode<TypeParam>(
      structure({{3, list(ttype::struct_, {})}, {4, map(ttype::string, ttype::struct_, {})}}));
  tl::view<TypeParam> v(bytes, order_type());
  for (auto element : v["items"].elements()) ADD_FAILURE() << element.offset();
  for (auto element : v["by_sku"].entries()) ADD_FAILURE() << element.key.offset();
  EXPECT_EQ(v["items"].size() + v["by_sku"].size(), 0u);
}

// All ranges of all values of a message, with and without a schema: error offsets are at or after the value.
TYPED_TEST(range_of, error_offsets_are_inside_the_bytes) {
  const std::string& bytes = order_bytes<TypeParam>();
  std::size_t wrong = 0;
  const auto check = [&](const tl::view<TypeParam>& v, auto range) {
    for (const auto& item : range) static_cast<void>(item);
    if (range.code() == errc::ok) return;
    const tl::error fault = range.error();
    EXPECT_EQ(fault.code(), range.code());
    EXPECT_LE(fault.offset(), bytes.size()) << fault.what();
    if (fault.code() != errc::wrong_type) return;
    ++wrong;
    EXPECT_EQ(fault.offset(), v.offset()) << fault.what();
    EXPECT_EQ(fault.path(), v.path());
    EXPECT_NE(std::string(fault.what()).find("the value is a"), std::string::npos) << fault.what();
  };
  const auto visit = [&](auto&& self, const tl::view<TypeParam>& v) -> void {
    check(v, v.try_fields());
    check(v, v.try_elements());
    check(v, v.try_entries());
    if (v.wire() == ttype::struct_) {
      for (auto field : v.fields()) self(self, field.value);
    } else if (v.wire() == ttype::map) {
      for (auto entry : v.entries()) self(self, entry.key), self(self, entry.value);
    } else if (v.wire() == ttype::list || v.wire() == ttype::set) {
      for (auto element : v.elements()) self(self, element);
    }
  };
  visit(visit, tl::view<TypeParam>(bytes, order_type()));
  const std::size_t typed = wrong;
  visit(visit, tl::view<TypeParam>(bytes));
  EXPECT_GT(typed, 100u);
  EXPECT_EQ(wrong, 2 * typed);
}

TYPED_TEST(range_of, an_error_of_another_kind_names_both_types) {
  const tl::view<TypeParam> v(order_bytes<TypeParam>(), order_type());
  const std::string at_id = " at $.id (byte " + std::to_string(v["id"].offset()) + ")";
  EXPECT_EQ(v["id"].try_elements().error().what(), "the value is an i64, which has no elements" + at_id);
  EXPECT_EQ(v["id"].try_fields().error().what(), "the value is an i64, which has no fields" + at_id);
  EXPECT_EQ(v["id"].try_entries().error().what(), "the value is an i64, which has no entries" + at_id);
  const tl::view<TypeParam> untyped(order_bytes<TypeParam>());
  EXPECT_NE(std::string(untyped[3].try_entries().error().what())
                .find("the value is a list, which has no entries at $.#3"),
            std::string::npos);
}

template <class Range>
concept begins_when_temporary = requires(Range&& range) { std::forward<Range>(range).begin(); };
static_assert(!begins_when_temporary<tl::element_range<tl::binary>>, "an iterator into a range that is gone");
static_assert(begins_when_temporary<tl::element_range<tl::binary>&>);

// Ranges are single-pass and not std::views, so that code() stays accessible after adaptors of a named range.
template <class Range>
constexpr bool is_input_range = std::ranges::input_range<Range> && !std::ranges::forward_range<Range> &&
                                std::ranges::viewable_range<Range> && std::ranges::viewable_range<Range&> &&
                                !std::ranges::view<Range> && !std::ranges::borrowed_range<Range>;
static_assert(is_input_range<tl::element_range<tl::binary>> && is_input_range<tl::field_range<tl::binary>>);
static_assert(is_input_range<tl::entry_range<tl::binary>> && is_input_range<tl::entry_range<tl::compact>>);

TYPED_TEST(range_of, adaptors_and_algorithms_take_it) {
  const tl::view<TypeParam> v(order_bytes<TypeParam>(), order_type());
  std::size_t total = 0;
  for (const auto& element : v.fields()) total += element.id > 2;
  std::size_t count = 0;
  const auto later = [](const auto& field) { return field.id > 2; };
  for (const auto& element : v.fields() | std::views::filter(later)) count += element.id > 2;
  EXPECT_EQ(count, total);
  auto fields = v.fields();
  EXPECT_EQ(std::ranges::count_if(fields, later), static_cast<std::ptrdiff_t>(total));
  std::size_t size = 0;
  for (std::size_t element : v["items"].elements() | std::views::transform([](const auto& item) {
                               return item.size();
                             }) | std::views::take(2))
    size += element;
  EXPECT_GT(size, 0u);
  auto elements = v["items"].elements();
  const auto actual = std::ranges::find_if(
      elements, [&](const auto& element) { return element.offset() == v["items"][1].offset(); });
  ASSERT_NE(actual, elements.end());
  EXPECT_EQ((*actual).path(), "$.items[1]");
}

TYPED_TEST(range_of, an_adaptor_over_a_named_range_leaves_the_code_in_the_range) {
  const std::string cut = order_bytes<TypeParam>().substr(0, order_bytes<TypeParam>().size() - 3);
  auto fields = tl::view<TypeParam>(cut, order_type()).try_fields();
  for (auto item : fields | std::views::transform([](const auto& field) { return field.id; }))
    static_cast<void>(item);
  EXPECT_EQ(fields.code(), errc::truncated);
}

TYPED_TEST(range_of, items_bind_by_structured_binding) {
  const tl::view<TypeParam> v(order_bytes<TypeParam>(), order_type());
  std::size_t entries = 0;
  for (auto [key, value] : v["by_sku"].entries()) {
    EXPECT_EQ(v["by_sku"].key(key.template as<std::string_view>()).offset(), value.offset());
    ++entries;
  }
  EXPECT_EQ(entries, v["by_sku"].size());
  EXPECT_GT(entries, 0u);
  std::size_t known = 0;
  for (const auto& [id, info, value] : v.fields()) {
    if (!info) continue;
    ++known;
    EXPECT_EQ(v[info.name()].offset(), value.offset());
  }
  EXPECT_GT(known, 5u);
}

}  // namespace
