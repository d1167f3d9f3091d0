#include <thriftlens/core/rollback.hpp>

#include "support/test.hpp"

#include <stdexcept>

namespace {

using thriftlens::buffer, thriftlens::byte_view, thriftlens::gather_list, thriftlens::detail::gather_rollback,
    thriftlens::detail::rollback;

void write(buffer& out, bool fails) {
  rollback guard(out);
  EXPECT_EQ(guard.before(), 3u);
  out.append(byte_view("defg", 4));
  if (fails) throw std::runtime_error("no more");
  guard.keep();
}
void write(gather_list& out, bool fails) {
  gather_rollback guard(out);
  out.own().append(byte_view("defg", 4));
  out.link(out.own().size(), byte_view("hi", 2));
  out.own().append(byte_view("j", 1));
  if (fails) throw std::runtime_error("no more");
  guard.keep();
}

TEST(rollback, output_is_restored_unless_kept) {
  buffer out(byte_view("abc", 3));
  EXPECT_THROW(write(out, true), std::runtime_error);
  EXPECT_EQ(out.text(), "abc");
  write(out, false);
  EXPECT_EQ(out.text(), "abcdefg");
}

TEST(rollback, pieces_are_restored_unless_kept) {
  gather_list out;
  out.own().append(byte_view("abc", 3));
  EXPECT_THROW(write(out, true), std::runtime_error);
  EXPECT_EQ(out.size(), 3u);
  EXPECT_EQ(out.link_count(), 0u);
  write(out, false);
  buffer full;
  out.append_to(full);
  EXPECT_EQ(full.text(), "abcdefghij");
}

}  // namespace
