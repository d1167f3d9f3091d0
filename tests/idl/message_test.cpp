#include <thriftlens/idl/message.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;

namespace {

TEST(message, replaces_every_placeholder) {
  EXPECT_EQ(idl::compose("no arguments", {}), "no arguments");
  EXPECT_EQ(idl::compose("%, % and %%", {"a", std::string("b%"), idl::quoted_arg("c"), 4u}),
            "a, b% and 'c'4");
  EXPECT_EQ(idl::compose("%", {(std::numeric_limits<std::int64_t>::min)()}), "-9223372036854775808");
}

TEST(message, shows_names_with_the_text_before_them) {
  using form = idl::message_arg::form;
  EXPECT_EQ(idl::compose("found %", {{form::enum_name, "Color"}}), "found the enum 'Color'");
  EXPECT_EQ(idl::compose("found %", {{form::struct_name, "A"}}), "found the struct 'A'");
  EXPECT_EQ(idl::compose("found %", {{form::integer_value, std::int64_t{-3}}}), "found the integer -3");
  EXPECT_EQ(idl::compose("%", {{form::string_value, "a"}}), "the string 'a'");
  EXPECT_EQ(idl::compose("%", {{form::name_value, "a"}}), "the name 'a'");
  EXPECT_EQ(idl::compose("%", {{form::string_token, "a"}}), "string \"a\"");
  EXPECT_EQ(idl::compose("%", {{form::number_token, "12"}}), "number 12");
  EXPECT_EQ(
      idl::compose("%, %, %", {{form::type_name, "a"}, {form::const_name, "b"}, {form::unknown_name, "c"}}),
      "type 'a', constant 'b', unknown name 'c'");
}

TEST(message, bounds_and_escapes_names_only) {
  const std::string name(100, 'x');
  EXPECT_EQ(idl::compose("%", {idl::quoted_arg(name)}), '\'' + name.substr(0, 60) + "...'");
  EXPECT_EQ(idl::compose("%", {name}), name);
  EXPECT_EQ(idl::compose("%", {idl::quoted_arg("a\nb")}), "'a\\nb'");
}

}  // namespace
