// A protocol that no header of the library names: read, written, skipped and converted.
#include "protocol/toy.hpp"
#include "support/test.hpp"

#include <thriftlens/protocol/convert.hpp>

#include "support/vectors.hpp"

using thriftlens_test::toy;

TEST(toy_protocol, is_not_part_of_the_library) {
  EXPECT_FALSE(tl::detail::by_protocol<int>::holds<toy>);
  EXPECT_NE(toy::id, tl::binary::id);
  EXPECT_NE(toy::id, tl::compact::id);
  EXPECT_FALSE(tl::detail::find_protocol(toy::name));
}

TEST(toy_protocol, vectors_convert_and_convert_back) {
  for (const auto& vector : thriftlens_test::valid_vectors()) {
    SCOPED_TRACE(vector.id);
    const auto there = tl::try_convert<tl::binary, toy>(tl::byte_view(vector.binary));
    ASSERT_TRUE(there) << there.error().what();
    toy::reader in{tl::byte_view(*there)};
    EXPECT_TRUE(in.skip(tl::ttype::struct_) && in.at_end());
    const auto back = tl::try_convert<toy, tl::binary>(*there);
    ASSERT_TRUE(back) << back.error().what();
    const auto same = tl::try_convert<tl::compact, toy>(tl::byte_view(vector.compact));
    ASSERT_TRUE(same) << same.error().what();
    const auto canonical = tl::try_convert<tl::binary, tl::compact>(*back);
    ASSERT_TRUE(canonical);
    EXPECT_EQ((tl::convert<toy, tl::compact>(*same).str()), canonical->text());
  }
}

TEST(toy_protocol, truncated_bytes_are_errors) {
  for (const auto& vector : thriftlens_test::valid_vectors()) {
    if (vector.binary.size() > 400) continue;
    const tl::buffer bytes = tl::convert<tl::binary, toy>(tl::byte_view(vector.binary));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      toy::reader in(tl::byte_view(bytes).part(0, size));
      EXPECT_FALSE(in.skip(tl::ttype::struct_)) << vector.id << ' ' << size;
      EXPECT_EQ(in.fault().code, tl::errc::truncated);
    }
  }
}

TEST(toy_protocol, retained_unknown_fields_are_converted) {
  tl::detail::by_protocol<tl::byte_view> held;
  const std::string number("\0\0\1\2", 4), truth("\1", 1);
  held[tl::protocol_id::binary] = tl::byte_view(number);
  tl::buffer spare;
  EXPECT_EQ(tl::detail::bytes_in<toy>(held, tl::ttype::i32, spare).text(), std::string("\2\1\0\0", 4));
  held[tl::protocol_id::binary] = tl::byte_view(truth);
  EXPECT_EQ(tl::detail::bytes_in<toy>(held, tl::ttype::bool_, spare).text(), "T");
}
