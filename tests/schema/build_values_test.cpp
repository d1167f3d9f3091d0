#include <thriftlens/schema/build_values.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>

TEST(value_builder, stores_duplicate_elements_for_descriptions_only) {
  const tl::schema schema = tl::schema::parse("const set<i8> A = [1, 2, 1] const set<i8> B = [1, 2]");
  const tl::schema_image& image = *schema.image();
  EXPECT_EQ(image.consts[0].value.size, 7u);
  EXPECT_EQ(image.consts[0].written.size, 8u);
  EXPECT_EQ(image.consts[1].written.begin, image.consts[1].value.begin);
}

TEST(value_builder, records_spellings_at_the_bytes_of_their_values) {
  const tl::schema schema = tl::schema::parse(
      "struct S { 1: i8 a = 200, 2: uuid b = '00112233-4455-6677-8899-aaBBccDDeeFF', 3: i16 c = 300 }");
  const tl::schema_image& image = *schema.image();
  ASSERT_EQ(image.spellings.size(), 2u);
  EXPECT_EQ(image.view(image.spellings[0].text), "200");
  EXPECT_EQ(image.spellings[0].at, image.field_texts[0].default_binary.begin);
  EXPECT_EQ(image.view(image.spellings[1].text), "00112233-4455-6677-8899-aaBBccDDeeFF");
  EXPECT_EQ(image.spellings[1].at, image.field_texts[1].default_binary.begin);
}
