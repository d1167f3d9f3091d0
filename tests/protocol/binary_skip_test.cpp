#include <thriftlens/protocol/binary_skip.hpp>

#include <thriftlens/protocol/binary.hpp>

#include "support/shared.hpp"
#include "value.hpp"

#include <gtest/gtest.h>

#include <string>

using namespace thriftlens;

TEST(binary_skip, says_where_a_value_ends_in_the_middle_of_bytes) {
  thriftlens_test::random_values made{std::mt19937_64(7)};
  for (int round = 0; round < 2000; ++round) {
    const thriftlens_test::value value = made.make(made.type(3), 3);
    const std::string bytes = thriftlens_test::to_bytes<binary>(value);
    // What follows must not matter, near the end and far from it.
    const std::string behind(round % 2 == 0 ? 3 : 80, static_cast<char>(made.random()));
    const std::string all = bytes + behind;
    const auto* from = reinterpret_cast<const std::uint8_t*>(all.data());
    binary_skipper skipper(from + all.size());
    ASSERT_EQ(skipper.skip(from, value.type, 64), from + bytes.size()) << round;
  }
}

TEST(binary_skip, faults_point_at_the_value_that_is_wrong) {
  const std::string bytes("\x0b\x00\x01\x00\x00\x00\x02hi\x0b\x00\x02\x00\x00\x00\x09hi\x00", 19);
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
  binary_skipper skipper(from + bytes.size());
  EXPECT_EQ(skipper.skip_struct(from, 64), nullptr);
  EXPECT_EQ(skipper.code, errc::truncated);
  EXPECT_EQ(skipper.at, from + 12);
}

TEST(binary_skip, sample_payloads_are_skipped_to_their_last_byte) {
  SKIP_WITHOUT_SHARED();
  for (const char* name : {"small.bin", "medium.bin", "large.bin"}) {
    const std::string bytes = thriftlens_test::read_file(thriftlens_test::shared_dir() / "payloads" / name);
    binary::reader in{byte_view(bytes)};
    EXPECT_TRUE(in.skip(ttype::struct_));
    EXPECT_TRUE(in.at_end()) << name;
  }
}
