#include <thriftlens/transport/frame_head.hpp>

#include "support/test.hpp"

using namespace thriftlens;
using namespace std::string_literals;

TEST(frame_head, magic_and_size) {
  const std::string bytes = "\0\0\0\x20\x0f\xff\0\0\0\0\0\7\0\3"s;
  EXPECT_EQ(bytes.size(), detail::fixed_head_size);
  EXPECT_EQ(detail::magic_of(byte_view(bytes)), detail::theader_magic);
  EXPECT_EQ(detail::header_size_of(byte_view(bytes)), 12u);
}
