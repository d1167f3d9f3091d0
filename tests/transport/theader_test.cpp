#include <thriftlens/transport/theader.hpp>

#include "support/test.hpp"

using namespace thriftlens;
using namespace std::string_literals;

namespace {

fault read_theader(const std::string& bytes, detail::frame_head& head) {
  return detail::theader_reader(byte_view(bytes)).read(head);
}

}  // namespace

TEST(theader, round_trips) {
  const std::string long_text(200, 'v');
  const header_entry entries[] = {{.key = "a", .value = "b"},
                                  {.key = "", .value = long_text},
                                  {.key = "p", .value = "q", .kind = header_entry::form::persistent}};
  const detail::frame_head written{.protocol = detail::head_compact, .transforms = {1}};
  buffer out;
  ASSERT_TRUE(detail::try_append_theader(written, entries, out));
  const std::string bytes = out.str();
  EXPECT_EQ(bytes, "\2\1\1\1\2\1a\1b\0\xc8\1"s + long_text + "\2\1\1p\1q");
  for (const std::string& padded : {bytes, bytes + "\0"s, bytes + "\0\0\0"s}) {
    detail::frame_head head;
    EXPECT_FALSE(read_theader(padded, head));
    EXPECT_EQ(head.protocol, 2u);
    EXPECT_EQ(head.transforms, std::vector<std::uint32_t>{1});
    EXPECT_EQ(head.entries, std::vector<header_entry>(std::begin(entries), std::end(entries)));
  }
}

TEST(theader, unknown_header_groups_end_the_headers) {
  detail::frame_head head;
  EXPECT_FALSE(read_theader("\0\0\1\1\1a\1b\7what"s, head));
  EXPECT_EQ(head.entries.size(), 1u);
}

TEST(theader, faults) {
  const auto fault_of = [](const std::string& bytes) {
    detail::frame_head head;
    return read_theader(bytes, head);
  };
  EXPECT_EQ(fault_of(""s), (fault{errc::bad_frame, 0, 0}));
  EXPECT_EQ(fault_of("\0\2\1"s), (fault{errc::bad_frame, 0, 3}));
  EXPECT_EQ(fault_of("\0\xff\xff\xff\xff\x0f\1\1\1"s), (fault{errc::bad_frame, 0, 9}));
  EXPECT_EQ(fault_of("\0\0\1\2\1a\1b"s), (fault{errc::bad_frame, 0, 8}));
  EXPECT_EQ(fault_of("\0\0\1\1\1a\5b"s), (fault{errc::bad_frame, 0, 6}));
  EXPECT_EQ(fault_of("\xff\xff\xff\xff\xff\xff\0"s), (fault{errc::bad_frame, 0, 0}));
  buffer out;
  const header_entry number[] = {{.value = "v", .number = 1, .kind = header_entry::form::number}};
  EXPECT_EQ(detail::try_append_theader({}, number, out).error().code(), errc::bad_option);
}
