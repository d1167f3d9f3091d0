#include <thriftlens/idl/message.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace idl = thriftlens::idl;

namespace {

TEST(message, replaces_every_mark_by_its_argument) {
  EXPECT_EQ(idl::compose("no arguments", {}), "no arguments");
  EXPECT_EQ(idl::compose("%, % and %%", {"a", std::string("b%"), idl::quoted_arg("c"), 4u}),
            "a, b% and 'c'4");
  EXPECT_EQ(idl::compose("%", {(std::numeric_limits<std::int64_t>::min)()}), "-9223372036854775808");
}

TEST(message, shows_names_with_the_text_before_them) {
  EXPECT_EQ(idl::compose("found %", {{"the enum ", "Color"}}), "found the enum 'Color'");
  EXPECT_EQ(idl::compose("found %", {{"the integer ", std::int64_t{-3}}}), "found the integer -3");
  EXPECT_EQ(idl::compose("%", {{"string ", "a", idl::message_arg::form::double_quoted}}), "string \"a\"");
  EXPECT_EQ(idl::compose("%", {{"number ", "12", idl::message_arg::form::bare}}), "number 12");
}

TEST(message, bounds_and_escapes_names_only) {
  const std::string name(100, 'x');
  EXPECT_EQ(idl::compose("%", {idl::quoted_arg(name)}), '\'' + name.substr(0, 60) + "...'");
  EXPECT_EQ(idl::compose("%", {name}), name);
  EXPECT_EQ(idl::compose("%", {idl::quoted_arg("a\nb")}), "'a\\nb'");
}

}  // namespace
