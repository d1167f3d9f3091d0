#include <thriftlens/json/tjson/tjson_names.hpp>

#include "support/test.hpp"

TEST(tjson_names, names_of_wire_types_round_trip) {
  int named = 0;
  for (int raw = 0; raw < 256; ++raw) {
    const auto type = static_cast<tl::ttype>(raw);
    const std::string_view name = tl::detail::tjson_name_of(type);
    EXPECT_EQ(name.empty(), !tl::is_value_type(type)) << raw;
    if (!name.empty()) {
      EXPECT_EQ(tl::detail::tjson_type_of(name), type);
    }
    named += !name.empty();
  }
  EXPECT_EQ(named, 12);
}

TEST(tjson_names, other_names_are_unknown) {
  for (const char* name : {"", "i31", "I32", "struct", "tfx", "byte"})
    EXPECT_EQ(tl::detail::tjson_type_of(name), tl::ttype::stop) << name;
}
