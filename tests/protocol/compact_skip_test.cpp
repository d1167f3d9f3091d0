#include <thriftlens/protocol/compact_skip.hpp>

#include <thriftlens/protocol/compact.hpp>

#include "support/cases.hpp"
#include "support/test.hpp"
#include "value.hpp"

using namespace thriftlens;

TEST(compact_skip, returns_the_end_of_a_value) {
  thriftlens_test::random_values result{std::mt19937_64(8)};
  for (int round = 0; round < thriftlens_test::cases(2000); ++round) {
    const thriftlens_test::value value = result.make(result.type(3), 3);
    const std::string bytes = thriftlens_test::to_bytes<compact>(value);
    const std::string suffix(round % 2 == 0 ? 3 : 80, static_cast<char>(result.random()));
    const std::string text = bytes + suffix;
    const auto* from = reinterpret_cast<const std::uint8_t*>(text.data());
    detail::compact_skipper skipper(from + text.size());
    ASSERT_EQ(skipper.skip(from, value.type, 64), from + bytes.size()) << round;
  }
}

TEST(compact_skip, the_invalid_element_of_a_long_list_is_reported) {
  // 40 elements; the one at index 20 does not fit 32 bits.
  std::string bytes = "\xf5\x28";
  bytes += std::string(20, '\x02') + "\xff\xff\xff\xff\x7f" + std::string(60, '\x02');
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
  detail::compact_skipper skipper(from + bytes.size());
  EXPECT_EQ(skipper.skip(from, ttype::list, 64), nullptr);
  EXPECT_EQ(skipper.code, errc::bad_varint);
  EXPECT_EQ(skipper.at, from + 22);
}
