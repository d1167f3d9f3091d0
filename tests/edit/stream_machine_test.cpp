#include <thriftlens/edit/stream_machine.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

TEST(stream_machine, stops_before_incomplete_input) {
  const std::string bytes = order_bytes<tl::binary>();
  tl::detail::stream_machine<tl::binary> machine(tl::selection::compile(order_type(), "{ id }"), {});
  tl::buffer out;
  const std::string header = bytes.substr(0, 2);
  tl::byte_view segment(header);
  EXPECT_EQ(machine.run(segment, 0, segment.end(), out), segment.begin());
  segment = tl::byte_view(bytes);
  EXPECT_EQ(machine.run(segment, 0, segment.begin() + 3, out), segment.begin() + 3);
  EXPECT_EQ(out.str(), bytes.substr(0, 3));
  EXPECT_EQ(machine.cut_off(3, 2).path(), "$.id");
  EXPECT_EQ(machine.cut_off(3, 2).offset(), 3u);
}

}  // namespace
