#include <thriftlens/transport/ttheader.hpp>

#include "support/test.hpp"

using namespace thriftlens;
using namespace std::string_literals;

namespace {

fault read_ttheader(const std::string& bytes, detail::frame_head& head) {
  return detail::ttheader_reader(byte_view(bytes)).read(head);
}

}  // namespace

TEST(ttheader, round_trips) {
  const header_entry entries[] = {
      {.key = detail::ttheader_token_key, .value = "secret", .kind = header_entry::form::token},
      {.key = "a", .value = "b"},
      {.key = "c", .value = ""},
      {.value = "svc", .number = 3, .kind = header_entry::form::number}};
  buffer out;
  ASSERT_TRUE(detail::try_append_ttheader({.protocol = 0}, entries, out));
  const std::string bytes = out.str();
  EXPECT_EQ(bytes, "\0\0\x11\0\6secret\1\0\2\0\1a\0\1b\0\1c\0\0\x10\0\1\0\3\0\3svc"s);
  for (const std::string& padded : {bytes, bytes + "\0\0\0"s}) {
    detail::frame_head head;
    EXPECT_FALSE(read_ttheader(padded, head));
    EXPECT_EQ(head.entries, std::vector<header_entry>(std::begin(entries), std::end(entries)));
  }
}

TEST(ttheader, faults) {
  const auto fault_of = [](const std::string& bytes) {
    detail::frame_head head;
    return read_ttheader(bytes, head);
  };
  EXPECT_EQ(fault_of("\0"s), (fault{errc::bad_frame, 0, 1}));
  EXPECT_EQ(fault_of("\0\2\1"s), (fault{errc::bad_frame, 0, 3}));
  EXPECT_EQ(fault_of("\0\0\7"s), (fault{errc::bad_frame, 0, 2}));
  EXPECT_EQ(fault_of("\0\0\1\0\2\0\1a\0\1b"s), (fault{errc::bad_frame, 0, 11}));
  EXPECT_EQ(fault_of("\0\0\x10\0\1\0\3\0\5svc"s), (fault{errc::bad_frame, 0, 7}));
  EXPECT_EQ(fault_of("\0\0\x11\0\x09x"s), (fault{errc::bad_frame, 0, 3}));
  buffer out;
  const std::string large(70000, 'x');
  const header_entry entries[] = {{.key = "a", .value = large}};
  EXPECT_EQ(detail::try_append_ttheader({}, entries, out).error().code(), errc::size_limit);
}
