#include <thriftlens/rpc/framed_message.hpp>

#include "rpc/shop_service.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

TEST(framed_message, a_frame_has_the_size_of_its_message) {
  const std::string frame = in_frame("abc");
  EXPECT_EQ(tl::detail::open_frame(frame, tl::transport_id::framed)->text(), "abc");
  EXPECT_EQ(tl::detail::open_frame(frame, tl::transport_id::buffered)->text(), frame);
  EXPECT_EQ(tl::detail::open_frame(bytes_of(frame + "x"), tl::transport_id::framed).error().offset(), 7u);
  EXPECT_EQ(tl::detail::open_frame(bytes_of(frame.substr(0, 6)), tl::transport_id::framed).error().code(),
            errc::truncated);
  EXPECT_EQ(tl::detail::open_frame(bytes_of("abc"), tl::transport_id::framed).error().code(),
            errc::truncated);
  EXPECT_EQ(tl::detail::open_frame(frame, tl::transport_id::header).error().code(), errc::bad_option);
}

TEST(framed_message, a_failing_body_leaves_the_output_unchanged) {
  tl::buffer out;
  out.append(bytes_of("before"));
  const tl::result<void> done = tl::detail::append_message<tl::binary>(
      {"x"}, tl::transport_id::framed, out, [](tl::buffer& to) -> tl::result<void> {
        to.append(bytes_of("half"));
        return tl::error(errc::value_type);
      });
  EXPECT_EQ(done.error().code(), errc::value_type);
  EXPECT_EQ(out.text(), "before");
}
