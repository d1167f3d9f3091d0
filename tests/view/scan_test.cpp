#include <thriftlens/view/scan.hpp>

#include "support/order.hpp"
#include "support/random_data.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

template <class P>
struct scan_of : testing::Test {
  static const std::uint8_t* begin(std::string_view bytes) {
    return reinterpret_cast<const std::uint8_t*>(bytes.data());
  }
};
TYPED_TEST_SUITE(scan_of, protocols);

TYPED_TEST(scan_of, visits_a_struct_like_the_reader) {
  const std::string& bytes = order_bytes<TypeParam>();
  const std::uint8_t* at = this->begin(bytes);
  tl::detail::scanner<TypeParam> in(at + bytes.size());
  typename TypeParam::reader reader(bytes);
  static_cast<void>(reader.begin_struct());
  std::int16_t last_id = 0;
  for (;;) {
    tl::detail::scan_field field;
    tl::field_header header;
    ASSERT_TRUE(in.next(at, field, last_id));
    ASSERT_TRUE(reader.read_field(header));
    EXPECT_EQ(field.type, header.type);
    EXPECT_EQ(at, reader.at());
    if (field.type == ttype::stop) break;
    EXPECT_EQ(field.id, header.id);
    EXPECT_EQ(field.inline_bool, reader.here().inline_bool);
    ASSERT_TRUE(in.skip(at, field, 60));
    ASSERT_TRUE(reader.skip(header.type));
    EXPECT_EQ(at, reader.at());
  }
}

TYPED_TEST(scan_of, every_truncation_fails) {
  const std::string& complete = order_bytes<TypeParam>();
  for (std::size_t size = 0; size < complete.size(); ++size) {
    std::string cut = complete.substr(0, size);
    const std::uint8_t* at = this->begin(cut);
    tl::detail::scanner<TypeParam> in(at + size);
    std::int16_t last_id = 0;
    tl::detail::scan_field field;
    bool good = true;
    while (good && (good = in.next(at, field, last_id)) && field.type != ttype::stop)
      good = in.skip(at, field, 60);
    EXPECT_FALSE(good) << size;
  }
}

TYPED_TEST(scan_of, structs_with_equal_and_different_shapes) {
  tl::schema schema = tl::schema::parse(
      "struct S { 1: optional i32 a, 2: optional string b, 3: optional S s, 4: optional list<i64> l, 5: "
      "optional list<S> d }");
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    randomness random(seed);
    std::string bytes;
    std::vector<std::size_t> ends;
    for (int i = 0; i < 12; ++i) {
      bytes += encode<TypeParam>(
          random.one_in(3) ? random_struct(random, schema.type("S"), 3)
                           : structure({{1, i32(i)}, {2, text(std::string(random.below(9), 'x'))}}));
      ends.push_back(bytes.size());
    }
    const std::uint8_t* at = this->begin(bytes);
    tl::detail::scanner<TypeParam> in(at + bytes.size());
    typename tl::detail::scanner<TypeParam>::layout_predictor same(in, ends.size(), schema.type("S").index(),
                                                                   *schema.type("S").image(), 60);
    for (std::size_t end : ends) {
      ASSERT_TRUE(same.skip(in, at, ttype::struct_, 60));
      ASSERT_EQ(static_cast<std::size_t>(at - this->begin(bytes)), end) << seed;
    }
  }
}

TEST(same_text, is_equality) {
  const std::string_view texts[] = {"", "a", "b", "ab", "bb", "aab", "bab", "xab", "xaab"};
  for (std::string_view lhs : texts) {
    for (std::string_view rhs : texts)
      EXPECT_EQ(tl::detail::same_text({lhs.data(), lhs.size()}, {rhs.data(), rhs.size()}), lhs == rhs)
          << lhs << ' ' << rhs;
  }
}

TEST(copy_run, every_length_with_and_without_spare_capacity) {
  for (std::size_t size = 0; size <= 130; ++size) {
    for (std::size_t capacity : {std::size_t{0}, std::size_t{64}}) {
      std::vector<std::uint8_t> from(size + capacity), to(size + 64, 0xee);
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::uint8_t>(i * 7 + 1);
      std::uint8_t* end = tl::detail::copy_run(to.data(), from.data(), size, from.data() + from.size());
      EXPECT_EQ(end, to.data() + size);
      EXPECT_TRUE(std::equal(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(size), from.begin()))
          << size;
    }
  }
}

}  // namespace
