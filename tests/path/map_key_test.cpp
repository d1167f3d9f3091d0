#include <thriftlens/path/map_key.hpp>

#include "samples.hpp"
#include "support/test.hpp"

#include <unordered_set>

using tl::errc;

namespace {

tl::type key_of(const char* field) {
  return thriftlens_test::shop().type("Order").find_field(field).type().key();
}

TEST(map_key, keeps_each_form) {
  EXPECT_EQ(tl::map_key(-7).integer(), -7);
  EXPECT_EQ(tl::map_key(std::uint32_t{4000000000u}).integer(), 4000000000LL);
  EXPECT_EQ(tl::map_key(2.5).real(), 2.5);
  EXPECT_TRUE(tl::map_key(true).boolean());
  EXPECT_EQ(tl::map_key(true).kind(), tl::map_key::form::boolean);
  EXPECT_EQ(tl::map_key("k").text(), "k");
  std::string wire("\0\1", 2);
  EXPECT_EQ(tl::map_key::wire(wire).bytes().size(), 2u);
}

TEST(map_key, fit_checks_integers_against_the_width_of_the_key) {
  tl::map_key fits(32767), wide(32768);
  EXPECT_EQ(fits.fit(key_of("notes")), errc::ok);
  EXPECT_EQ(wide.fit(key_of("notes")), errc::value_range);
  tl::map_key text("1");
  EXPECT_EQ(text.fit(key_of("notes")), errc::value_type);
}

TEST(map_key, fit_turns_enum_names_into_numbers) {
  tl::map_key name("BLUE"), number(5), unknown("PINK");
  EXPECT_EQ(name.fit(key_of("colors")), errc::ok);
  EXPECT_EQ(name.integer(), 5);
  EXPECT_EQ(number.fit(key_of("colors")), errc::ok);
  EXPECT_EQ(unknown.fit(key_of("colors")), errc::unknown_enum_name);
}

TEST(map_key, fit_takes_integers_for_double_keys_and_nothing_else_for_bool) {
  tl::map_key two(2), yes(true), one(1);
  EXPECT_EQ(two.fit(key_of("rates")), errc::ok);
  EXPECT_EQ(two.real(), 2.0);
  EXPECT_EQ(yes.fit(key_of("flags")), errc::ok);
  EXPECT_EQ(one.fit(key_of("flags")), errc::value_type);
}

TEST(map_key, fit_accepts_struct_keys_only_as_wire_bytes) {
  std::string bytes(1, '\0');
  tl::map_key wire = tl::map_key::wire(bytes), text("x");
  EXPECT_EQ(wire.fit(key_of("by_user")), errc::ok);
  EXPECT_EQ(text.fit(key_of("by_user")), errc::value_type);
}

TEST(map_key, compares_form_and_value_and_is_a_key_itself) {
  const std::string text = "k", same = text;
  EXPECT_EQ(tl::map_key(text), tl::map_key(same));
  EXPECT_EQ(tl::map_key(7), tl::map_key(std::int8_t{7}));
  EXPECT_NE(tl::map_key(1), tl::map_key(true));
  EXPECT_NE(tl::map_key(1), tl::map_key(1.0));
  EXPECT_NE(tl::map_key("k"), tl::map_key::name("k"));
  EXPECT_NE(tl::map_key("k"), tl::map_key::wire(text));
  const std::unordered_set<tl::map_key> keys{text, same, 1, true, 1.0, 1, tl::map_key::wire(text)};
  EXPECT_EQ(keys.size(), 5u);
}

}  // namespace
