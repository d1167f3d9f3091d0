#include <thriftlens/records/record_cutter.hpp>

#include "support/test.hpp"

using namespace std::string_literals;
using tl::detail::cut, tl::detail::cut_state;

namespace {

cut first(const std::string& window, bool is_last, tl::framing framing) {
  tl::detail::record_cutter cutter({.framing = framing});
  return cutter.first(tl::byte_view(window), is_last);
}

TEST(record_cutter, reports_the_needed_bytes) {
  EXPECT_EQ(first("", false, tl::framing::none).required, 1u);
  EXPECT_EQ(first("\0\0"s, false, tl::framing::u32).required, 4u);
  EXPECT_EQ(first("\0\0\0\x10\3"s, false, tl::framing::u32).required, 20u);
  EXPECT_EQ(first("\x80"s, false, tl::framing::varint).required, 2u);
  EXPECT_EQ(first("\3\0\1"s, false, tl::framing::none).required, 6u) << "twice what is there";
  EXPECT_EQ(first("\0\0\1\0\x80"s, false, tl::framing::message).required, 260u);
}

TEST(record_cutter, the_end_is_not_a_record) {
  for (const tl::framing item :
       {tl::framing::none, tl::framing::u32, tl::framing::hex, tl::framing::message}) {
    EXPECT_EQ(first("", true, item).state, cut_state::end);
    EXPECT_EQ(first("", false, item).state, cut_state::wait);
  }
  const cut blank = first("\n\n", true, tl::framing::hex);
  EXPECT_EQ(blank.state, cut_state::end);
  EXPECT_EQ(blank.used, 2u);
}

TEST(record_cutter, framed_messages_have_a_positive_size) {
  const cut negative = first("\xff\xff\xff\xf0\0"s, true, tl::framing::message);
  EXPECT_EQ(negative.state, cut_state::lost);
  EXPECT_EQ(negative.code, tl::errc::negative_size);
}

TEST(record_cutter, borrows_the_value_from_the_window) {
  const std::string window = "\0\0\0\5\3\0\1\7\0"s;
  tl::detail::record_cutter cutter({.framing = tl::framing::u32});
  const cut actual = cutter.first(tl::byte_view(window), true);
  ASSERT_EQ(actual.state, cut_state::record);
  EXPECT_EQ(static_cast<const void*>(actual.value.data()), window.data() + 4);
  EXPECT_EQ(actual.used, 9u);
}

TEST(record_cutter, fast_and_general_cutting_agree) {
  for (const tl::framing item :
       {tl::framing::none, tl::framing::u32, tl::framing::hex, tl::framing::message}) {
    for (const std::string& window : {"\3\0\1\7\0\3"s, "\0"s, "\3\0\1"s, "\x63"s, ""s, "\0\0\0\1\0"s}) {
      tl::detail::record_cutter cutter({.framing = item, .record_size = window.size() < 6 ? 4u : 5u});
      const std::size_t size = cutter.plain_size(tl::byte_view(window));
      const cut actual = cutter.first(tl::byte_view(window), true);
      const bool is_plain = item == tl::framing::none && actual.state == cut_state::record;
      EXPECT_EQ(size, is_plain ? actual.used : 0) << to_string(item) << window.size();
    }
  }
}

}  // namespace
