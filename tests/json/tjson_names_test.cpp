#include <thriftlens/json/tjson/tjson_names.hpp>

#include <gtest/gtest.h>

namespace tl = thriftlens;

TEST(tjson_names, every_wire_type_has_one_and_finds_back) {
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

TEST(tjson_names, others_are_none) {
  for (const char* name : {"", "i31", "I32", "struct", "tfx", "byte"})
    EXPECT_EQ(tl::detail::tjson_type_of(name), tl::ttype::stop) << name;
}
