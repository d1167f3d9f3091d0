#include <thriftlens/schema/image.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>

TEST(schema_image, keeps_fields_in_id_order_with_their_header_bytes) {
  const tl::schema schema = tl::schema::parse("struct S { 300: i64 late, -2: string low, 1: bool first }");
  const tl::type s = schema.type("S");
  const tl::schema_image& image = *s.image();
  const tl::detail::image::struct_node& node = s.structure();
  ASSERT_EQ(node.fields.size, 3u);
  const tl::detail::image::field_node* fields = image.fields.data() + node.fields.begin;
  EXPECT_EQ(fields[0].id, -2);
  EXPECT_EQ(fields[1].id, 1);
  EXPECT_EQ(fields[2].id, 300);
  const std::uint8_t late[4] = {10, 300 >> 8, 300 & 255, 0};
  EXPECT_EQ(fields[2].header, tl::detail::load_le<std::uint32_t>(late));
  const std::uint8_t low[4] = {11, 0xff, 0xfe, 0};
  EXPECT_EQ(fields[0].header, tl::detail::load_le<std::uint32_t>(low));
  EXPECT_EQ(fields[1].width, 1);
}

TEST(schema_image, finds_fields_by_id_in_dense_and_sparse_structs) {
  const tl::schema schema = tl::schema::parse(
      "struct Dense { 1: i32 a, 2: i32 b, 5: i32 c } struct Sparse { 1: i32 a, 20000: i32 b, -20000: i32 c } "
      "struct Empty {}");
  for (const char* name : {"Dense", "Sparse"}) {
    const tl::type type = schema.type(name);
    for (tl::field_info field : type.fields()) EXPECT_EQ(type.find_field(field.id()), field) << name;
    for (int id : {0, 3, 4, 6, -1, 32767, -32768})
      EXPECT_FALSE(type.find_field(static_cast<std::int16_t>(id))) << name << id;
  }
  EXPECT_NE(schema.type("Dense").structure().id_table, tl::detail::image::none);
  EXPECT_EQ(schema.type("Sparse").structure().id_table, tl::detail::image::none);
  EXPECT_FALSE(schema.type("Empty").find_field(std::int16_t{1}));
  EXPECT_FALSE(schema.type("Empty").find_field("a"));
}

TEST(schema_image, text_and_bytes_can_be_read_64_bytes_past_a_name) {
  const tl::schema schema = tl::schema::parse("struct S { 1: i32 a = 7 }");
  const tl::schema_image& image = *schema.image();
  const tl::field_info field = schema.type("S").find_field("a");
  const tl::detail::image::field_text& texts = field.texts();
  EXPECT_EQ(image.view(texts.json_name), ",\"a\":");
  EXPECT_GE(image.text.size(), texts.json_name.begin + texts.json_name.size + 64);
  EXPECT_GE(image.bytes.size(), texts.default_binary.begin + texts.default_binary.size + 64);
}

TEST(type_kind, uses_the_keywords_of_the_idl) {
  EXPECT_EQ(to_string(tl::type_kind::i8), "i8");
  EXPECT_EQ(to_string(tl::type_kind::uuid), "uuid");
  EXPECT_EQ(to_string(tl::type_kind::exception_), "exception");
  EXPECT_TRUE(tl::is_struct(tl::type_kind::union_));
  EXPECT_FALSE(tl::is_struct(tl::type_kind::map));
}
