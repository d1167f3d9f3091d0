#include <thriftlens/transport/session_input.hpp>

#include "support/test.hpp"

namespace {

TEST(session_input, offsets_count_from_the_start_of_the_connection) {
  tl::detail::session_input input;
  for (int i = 0; i < 100; ++i) {
    input.feed(tl::byte_view(std::string_view("0123456789")));
    input.consume(9);
    EXPECT_EQ(input.remaining().size(), static_cast<std::size_t>(i + 1));
  }
  EXPECT_EQ(input.offset(), 900u);
  EXPECT_EQ(input.fed(), 1000u);
}

TEST(session_input, borrows_bytes_only_while_none_are_buffered) {
  tl::detail::session_input input;
  const std::string first = "abcdef", second = "ghi";
  input.lend(tl::byte_view(first));
  EXPECT_EQ(input.remaining().data(), tl::byte_view(first).data());
  input.consume(2);
  input.lend(tl::byte_view(second));
  EXPECT_EQ(input.remaining().text(), "cdefghi");
  EXPECT_EQ(input.offset(), 2u);
  EXPECT_EQ(input.fed(), 9u);
}

TEST(session_input, a_large_buffer_is_shrunk_to_its_content) {
  tl::detail::session_input input;
  const std::string large(tl::detail::retained_capacity * 2, 'x');
  input.feed(tl::byte_view(large));
  input.feed(tl::byte_view(std::string_view("end")));
  input.consume(large.size());
  const std::uint8_t* const previous = input.remaining().data();
  input.release_memory();
  EXPECT_NE(input.remaining().data(), previous);
  EXPECT_EQ(input.remaining().text(), "end");
  EXPECT_EQ(input.offset(), large.size());
}

}  // namespace
