#include <thriftlens/schema/text_builder.hpp>

#include "support/test.hpp"

TEST(text_builder, plain_names_are_part_of_their_json_text) {
  tl::schema_image image;
  tl::detail::text_builder builder(image);
  tl::detail::image::slice plain;
  EXPECT_EQ(image.view(builder.quoted("id", ",", ":", plain)), ",\"id\":");
  EXPECT_EQ(image.view(plain), "id");
  EXPECT_EQ(image.text, ",\"id\":");
  EXPECT_EQ(image.view(builder.quoted("a\"b", "", "", plain)), "\"a\\\"b\"");
  EXPECT_EQ(image.view(plain), "a\"b");
}

TEST(text_builder, stores_texts_of_declarations) {
  tl::schema_image image;
  tl::detail::text_builder builder(image);
  const std::vector<tl::idl::annotation> annotations{{.key = "k", .value = "v"}, {.key = "l", .value = ""}};
  const tl::detail::declared_texts texts = builder.add("name", "", annotations);
  EXPECT_EQ(image.view(texts.name), "name");
  EXPECT_EQ(texts.doc.begin, 0u);
  EXPECT_EQ(texts.doc.size, 0u);
  ASSERT_EQ(texts.annotations.size, 2u);
  EXPECT_EQ(image.view(image.annotations[0].key), "k");
  EXPECT_EQ(image.view(image.annotations[0].value), "v");
  EXPECT_EQ(builder.annotations({}).size, 0u);
}
