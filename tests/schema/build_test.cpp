#include <thriftlens/schema/build.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/describe.hpp>
#include <thriftlens/schema/schema.hpp>

TEST(build_image, gives_equal_container_types_one_index) {
  const tl::schema schema = tl::schema::parse(
      "typedef list<i32> L\nstruct A { 1: list<i32> a, 2: L b, 3: map<string, L> c, 4: map<string, "
      "list<i32>> d, 5: set<i32> e, 6: list<string> f }");
  const tl::type a = schema.type("A");
  EXPECT_EQ(a.find_field("a").type(), a.find_field("b").type());
  EXPECT_EQ(a.find_field("c").type(), a.find_field("d").type());
  EXPECT_NE(a.find_field("a").type(), a.find_field("e").type());
  EXPECT_NE(a.find_field("a").type(), a.find_field("f").type());
}

TEST(build_image, links_recursive_and_mutually_recursive_structs) {
  const tl::schema schema = tl::schema::parse(
      "struct Tree { 1: i32 v, 2: optional list<Tree> kids, 3: optional Other other } struct Other { 1: "
      "optional Tree tree }");
  const tl::type tree = schema.type("Tree");
  EXPECT_EQ(tree.find_field("kids").type().element(), tree);
  EXPECT_EQ(tree.find_field("other").type().field("tree").type(), tree);
}

TEST(build_image, reads_aliases_from_api_key_and_go_tag) {
  const tl::schema schema = tl::schema::parse(R"(struct S {
    1: i32 a (api.key = "one")
    2: i32 b (go.tag = "json:\"two,omitempty\" xml:\"x\"")
    3: i32 c (go.tag = 'json:"-"')
    4: i32 d (api.key = "four", go.tag = 'json:"other"')
    5: i32 e (api.key = "quo\"te")
    6: i32 f (other = "x")
    7: i32 g (go.tag = 'form:"json:no" not_json:"no" json:"g7,omitempty" xml:"x"')
    8: i32 h (go.tag = '`json:"h8"`')
    9: i32 i (go.tag = 'json:"" xml:"no"')
    10: i32 j (go.tag = 'json:"-,"')
    11: i32 k (go.tag = 'json:k11 xml:no')
    12: i32 l (go.tag = 'json:",omitempty" json:"no"')
    13: i32 m (go.tag = 'json:"m 13"')
    14: i32 n (go.tag = 'json')
    15: i32 o (go.tag = 'json:')
    16: i32 p (go.tag = ':" : json:"p16')
  })");
  const tl::type s = schema.type("S");
  EXPECT_EQ(s.find_field("a").alias(), "one");
  EXPECT_EQ(s.find_field("b").alias(), "two");
  EXPECT_EQ(s.find_field("c").alias(), "c");
  EXPECT_EQ(s.find_field("d").alias(), "four");
  EXPECT_EQ(s.find_field("e").alias(), "quo\"te");
  EXPECT_EQ(s.image()->view(s.find_field("e").texts().json_alias), ",\"quo\\\"te\":");
  EXPECT_EQ(s.field_by_alias("quo\"te").name(), "e");
  EXPECT_EQ(s.find_field("f").alias(), "f");
  std::string rest;
  for (const char* name : {"g", "h", "i", "j", "k", "l", "m", "n", "o", "p"})
    rest += std::string(s.find_field(name).alias()) + '/';
  EXPECT_EQ(rest, "g7/h8/i/-/k11/l/m 13/n/o/p/");
}

TEST(build_image, gives_an_alias_to_one_field_only) {
  const auto aliases = [](const char* text, std::size_t warnings) {
    const tl::schema schema = tl::schema::parse(text);
    EXPECT_EQ(schema.warnings().size(), warnings) << text;
    std::string all;
    for (tl::field_info each : schema.type("S").fields()) {
      all += std::string(each.alias()) + ' ';
      EXPECT_EQ(schema.type("S").field_by_alias(each.alias()).id(), each.id());
    }
    return all;
  };
  EXPECT_EQ(aliases("struct S { 1: i8 a (api.key = 'z'), 2: i8 b (api.key = 'z') }", 1), "z b ");
  EXPECT_EQ(aliases("struct S { 1: i8 a (api.key = 'z'), 2: i8 z }", 1), "a z ");
  EXPECT_EQ(aliases("struct S { 1: i8 a (api.key = 'b'), 2: i8 b (api.key = 'a') }", 0), "b a ");
  // A field that loses its alias gets its name back.
  EXPECT_EQ(
      aliases(
          "struct S { 1: i8 a (api.key = 'b'), 2: i8 c (api.key = 'a'), 3: i8 d (api.key = 'c'), 4: i8 b }",
          3),
      "a c d b ");
  EXPECT_EQ(aliases("struct S { 1: i8 a (api.key = 'z'), 2: i8 z (api.key = 'y') }", 0), "z y ");
}

TEST(build_image, shares_the_annotations_of_typedef_chains) {
  const tl::schema schema = tl::schema::parse(
      "typedef string (a = \"1\") T1 (b = \"2\")\ntypedef T1 T2 (c = \"3\")\nstruct S { 1: T2 x, 2: T2 y, 3: "
      "T2 (d = \"4\") z }");
  const tl::type s = schema.type("S");
  const tl::annotation_range x = s.find_field("x").type_annotations();
  EXPECT_EQ(x.size(), 3u);
  EXPECT_EQ(x.find("a"), "1");
  EXPECT_EQ(x.find("b"), "2");
  EXPECT_EQ(x.find("c"), "3");
  EXPECT_EQ(s.find_field("z").type_annotations().size(), 4u);
  EXPECT_EQ(s.find_field("z").type_annotations().find("d"), "4");
}

TEST(build_image, keeps_annotations_inside_containers) {
  const tl::schema schema = tl::schema::parse(R"(
    typedef string Email (pii = "email")
    typedef list<Email> Emails (many = "1")
    struct S { 1: list<Email> l, 2: map<Email, list<string (pii = "inline")>> m, 3: Emails e, 4: set<Emails> deep, 5: list<string> plain, 6: Email one, 7: list<Email> again })");
  const tl::type s = schema.type("S");
  EXPECT_EQ(s.find_field("l").written().element().annotations().find("pii"), "email");
  EXPECT_EQ(s.find_field("l").written().element().type().kind(), tl::type_kind::string);
  EXPECT_TRUE(s.find_field("l").type_annotations().empty());
  EXPECT_EQ(s.find_field("m").written().key().annotations().find("pii"), "email");
  EXPECT_EQ(s.find_field("m").written().value().element().annotations().find("pii"), "inline");
  EXPECT_EQ(s.find_field("e").type_annotations().find("many"), "1");
  EXPECT_EQ(s.find_field("e").written().element().annotations().find("pii"), "email");
  EXPECT_EQ(s.find_field("deep").written().element().annotations().find("many"), "1");
  EXPECT_EQ(s.find_field("deep").written().element().element().annotations().find("pii"), "email");
  EXPECT_EQ(s.find_field("plain").written().place(), tl::detail::image::none);
  EXPECT_EQ(s.find_field("l").written().element().place(), s.find_field("one").written().place());
  EXPECT_EQ(s.find_field("l").type(),
            s.find_field("plain").type());  // the type is one, however it is written
}

TEST(build_image, names_of_nested_typedefs_are_stored_once) {
  std::string text = "typedef string T0 (a = \"b\")\n";
  for (int i = 1; i < 13; ++i)
    text += "typedef map<T" + std::to_string(i - 1) + ", T" + std::to_string(i - 1) + "> T" +
            std::to_string(i) + " (a = \"b\")\n";
  const tl::schema schema = tl::schema::parse(text + "struct S { 1: T12 a, 2: list<T12> b, 3: T12 c }");
  EXPECT_LT(schema.image()->written_types.size(), 200u);
  tl::written_type at = schema.type("S").find_field("a").written();
  for (int i = 1; i < 13; ++i) at = i % 2 == 0 ? at.key() : at.value();
  EXPECT_EQ(at.annotations().find("a"), "b");
}

TEST(build_image, hostile_idl_takes_linear_size) {
  std::string text = "typedef i32 T0 (a = \"b\")\n";
  for (int i = 1; i < 50; ++i)
    text += "typedef T" + std::to_string(i - 1) + " T" + std::to_string(i) + " (a = \"b\")\n";
  text += "struct S {\n";
  for (int i = 1; i <= 20000; ++i) text += std::to_string(i) + ": T49 f" + std::to_string(i) + "\n";
  text += "}\n";
  for (int i = 0; i < 2000; ++i)
    text += "struct W" + std::to_string(i) + " { -32768: i32 a, 32767: i32 b }\n";
  const tl::schema schema = tl::schema::parse(text);
  EXPECT_LT(schema.image()->annotations.size(), 2000u);
  EXPECT_LT(schema.image()->indices.size(), 200'000u);
  EXPECT_EQ(schema.type("S").find_field("f20000").id(), 20000);
}

TEST(build_image, counts_up_to_65536_required_fields) {
  std::string text = "struct S {\n";
  for (int id = -32768; id <= 32767; ++id)
    text += std::to_string(id) + ": required bool f" + std::to_string(id + 32768) + "\n";
  const tl::schema schema = tl::schema::parse(text + "}");
  EXPECT_EQ(schema.type("S").structure().required_count, 65536u);
  EXPECT_EQ(schema.image()->fields[schema.type("S").find_field(std::int16_t{32767}).index()].required_rank,
            65535);
}

TEST(build_image, leaves_out_typedefs_that_stayed_unresolved) {
  const tl::schema schema = tl::schema::parse(
      "typedef Gone A typedef list<A> B typedef i32 C typedef map<C, B> D typedef C E struct S { 1: E e }");
  ASSERT_EQ(schema.image()->typedefs.size(), 2u);
  EXPECT_EQ(schema.type("C").kind(), tl::type_kind::i32);
  EXPECT_EQ(schema.type("E").kind(), tl::type_kind::i32);
  EXPECT_EQ(schema.try_type("A").error().code(), tl::errc::unknown_name);
  EXPECT_EQ(tl::describe(schema),
            "// program text\n\ntypedef i32 C\n\ntypedef i32 E\n\nstruct S {\n  1: i32 e\n}\n");
}

TEST(build_image, encodes_sets_in_sets_once) {
  std::string type = "i32", value = "1";
  for (int level = 0; level < 60; ++level) {
    type = "set<" + type + ">";
    value = level == 0 ? "[1, 1]" : "[" + value + ", [], " + (level == 1 ? "[1]" : "[]") + "]";
  }
  const tl::schema schema = tl::schema::parse("const " + type + " X = " + value);
  const std::string_view bytes = schema.constant("X").value.text();
  // Two elements a level, five bytes of header each; at the bottom one i32.
  EXPECT_EQ(bytes.size(), 59u * 10 + 5 + 4);
}
