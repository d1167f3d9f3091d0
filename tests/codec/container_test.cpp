#include <thriftlens/codec/container.hpp>

#include "support/test.hpp"

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>
#include <thriftlens/codec/size.hpp>

namespace {
class ring {
 public:
  std::vector<std::int32_t> kept;
};
class table {
 public:
  std::vector<std::pair<std::string, std::int64_t>> rows;
};
struct holder {
  ring numbers;
  table named;
};
}  // namespace

template <>
struct tl::container<ring> {
  static constexpr tl::ttype wire = tl::ttype::set;
  using value_type = std::int32_t;
  static std::size_t size(const ring& of) { return of.kept.size(); }
  static bool for_each(const ring& of, auto visit) {
    for (std::int32_t number : of.kept)
      if (!visit(number)) return false;
    return true;
  }
  static void clear(ring& of) { of.kept.clear(); }
  static bool add(ring& to, std::int32_t&& value) {
    for (std::int32_t number : to.kept)
      if (number == value) return false;
    return to.kept.push_back(value), true;
  }
};
template <>
struct tl::container<table> {
  static constexpr tl::ttype wire = tl::ttype::map;
  using value_type = std::pair<std::string, std::int64_t>;
  static std::size_t size(const table& of) { return of.rows.size(); }
  static bool for_each(const table& of, auto visit) {
    for (const auto& row : of.rows)
      if (!visit(row)) return false;
    return true;
  }
  static void clear(table& of) { of.rows.clear(); }
  static bool add(table& to, value_type&& value) { return to.rows.push_back(std::move(value)), true; }
};
template <>
struct tl::binding<holder> : tl::numbered {};

static_assert(tl::has_container<ring> && !tl::has_container<std::vector<int>>);

TEST(codec_container, user_containers_round_trip) {
  const holder sent{{{3, 1, 2}}, {{{"a", 1}, {"b", -1}}}};
  tl::buffer bytes;
  tl::append_encoded<tl::compact>(sent, bytes);
  EXPECT_EQ(bytes.size(), tl::encoded_size<tl::compact>(sent));
  auto received = tl::decode<holder, tl::compact>(bytes);
  EXPECT_EQ(received.numbers.kept, sent.numbers.kept);
  EXPECT_EQ(received.named.rows, sent.named.rows);
  bytes.clear();
  tl::append_encoded(sent, bytes);
  EXPECT_EQ(bytes.size(), tl::encoded_size(sent));
  tl::decode_into(bytes, received);
  EXPECT_EQ(received.named.rows, sent.named.rows);
}

TEST(codec_container, add_that_returns_false_is_a_duplicate) {
  const std::string twice("\x0e\x00\x01\x08\x00\x00\x00\x02\x00\x00\x00\x05\x00\x00\x00\x05\x00", 17);
  const auto received = tl::try_decode<holder>(twice);
  ASSERT_EQ(errc_of(received), tl::errc::duplicate_key);
  EXPECT_EQ(received.error().path(), "$.numbers[1]");
  EXPECT_EQ(tl::decode<holder>(twice, {.duplicates = tl::on_duplicate::last}).numbers.kept.size(), 1u);
}
