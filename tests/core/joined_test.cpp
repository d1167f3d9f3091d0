#include <thriftlens/core/joined.hpp>

#include "support/test.hpp"

using thriftlens::detail::joined;

TEST(joined, appends_texts_in_order) {
  const std::string name = "name";
  EXPECT_EQ(joined({}), "");
  EXPECT_EQ(joined({"field '", name, "' of ", std::string_view("Order"), std::string(3, '!')}),
            "field 'name' of Order!!!");
  EXPECT_EQ(joined({'a', "", 'b'}), "ab");
  EXPECT_EQ(joined({std::string_view("\0x", 2)}), std::string("\0x", 2));
}

TEST(joined, writes_numbers_in_decimal) {
  EXPECT_EQ(joined({0, ' ', -1, ' ', 42u}), "0 -1 42");
  EXPECT_EQ(joined({std::int8_t{-128}, ' ', std::uint8_t{65}, ' ', std::int16_t{-7}}), "-128 65 -7");
  using signed_limits = std::numeric_limits<std::int64_t>;
  EXPECT_EQ(joined({signed_limits::min(), ' ', signed_limits::max()}),
            "-9223372036854775808 9223372036854775807");
  EXPECT_EQ(joined({std::numeric_limits<std::uint64_t>::max()}), "18446744073709551615");
}
