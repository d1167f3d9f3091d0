#include <thriftlens/protocol/unknown_key.hpp>

#include "support/test.hpp"

using namespace tl::detail;

TEST(unknown_key, of_every_id_and_back) {
  for (std::int32_t id = -32768; id <= 32767; ++id) {
    std::int16_t back = 0;
    ASSERT_TRUE(parse_unknown_key(unknown_key(static_cast<std::int16_t>(id)), back));
    ASSERT_EQ(back, id);
  }
  EXPECT_EQ(unknown_key(-7), "#-7");
}

TEST(unknown_key, has_one_spelling) {
  for (const char* text :
       {"", "#", "5", "#+5", "#05", "#-0", "# 5", "#5 ", "#32768", "#-32769", "#x", "##5", "#5#"}) {
    std::int16_t id = 0;
    EXPECT_FALSE(parse_unknown_key(text, id)) << text;
  }
}

TEST(find_ttype, finds_value_types_and_stop) {
  for (int raw = 0; raw < 256; ++raw) {
    const auto type = static_cast<tl::ttype>(raw);
    if (tl::is_value_type(type)) {
      EXPECT_EQ(find_ttype(to_string(type)), type);
    }
  }
  EXPECT_EQ(find_ttype("stop"), tl::ttype::stop);
  for (const char* none : {"", "void", "?", "I32", "int", "binary"})
    EXPECT_EQ(find_ttype(none), tl::ttype::void_) << none;
  EXPECT_EQ(element_name(tl::ttype::void_), "stop");
  EXPECT_EQ(element_name(tl::ttype::i16), "i16");
  EXPECT_NE(no_ttype_text("i33").find("\"i33\" is not a wire type; expected bool, i8, double"),
            std::string::npos);
}
