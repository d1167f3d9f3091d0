#include <thriftlens/view/step_question.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>

using tl::errc, tl::detail::asked, tl::detail::step_words;

TEST(step_question, explains_failed_steps) {
  const tl::schema full = tl::schema::parse("struct S { 1: i32 number, 2: map<i8, i64> counts }");
  const tl::type of = full.type("S"), map = of.find_field("counts").type(), i32 = of.field("number").type();
  EXPECT_EQ(step_words(errc::wrong_type, asked::field, 0, i32, tl::ttype::i32),
            "a field step does not apply to i32");
  EXPECT_EQ(step_words(errc::wrong_type, asked::index, 0, of, tl::ttype::struct_),
            "an index does not apply to S");
  EXPECT_EQ(step_words(errc::wrong_type, asked::index, 0, map, tl::ttype::map),
            "an index does not apply to map<i8, i64>; write {7} or {*}");
  EXPECT_EQ(step_words(errc::wrong_type, asked::key, 0, {}, tl::ttype::list), "a key does not apply to list");
  EXPECT_EQ(step_words(errc::wrong_type, asked::nothing, 0, i32, tl::ttype::i32),
            "the value is an i32, and this step does not apply to it");
  EXPECT_EQ(step_words(errc::value_type, asked::key, 0, map, tl::ttype::map),
            "a key of map<i8, i64> must be an i8");
  EXPECT_EQ(step_words(errc::wrong_type, asked::other_type, 0, i32, tl::ttype::i32),
            "the path is for a different type");
  EXPECT_EQ(step_words(errc::truncated, asked::field, 0, of, tl::ttype::struct_), "");
}

TEST(step_question, stored_keys_are_spelled_like_paths) {
  const auto spelled = [](const tl::map_key& key) {
    return tl::detail::stored_key_step(tl::detail::store_key(key));
  };
  EXPECT_EQ(spelled(-7) + spelled(true) + spelled(1.5) + spelled("a\"b"), R"({-7}{true}{1.5}{"a\"b"})");
  EXPECT_EQ(spelled(tl::map_key::wire(tl::byte_view("\1\2", 2))), R"({x"0102"})");
  EXPECT_EQ(spelled(""), R"({""})");
  EXPECT_EQ(spelled(std::string(64, 'k')), "{\"" + std::string(64, 'k') + "\"}");
  EXPECT_NE(spelled(std::string(65, 'k')).find("…"), std::string::npos);
  EXPECT_EQ(tl::detail::stored_key_step(0), "");
}

TEST(step_question, names_the_unknown_field) {
  const tl::schema full = tl::schema::parse("struct S { 1: i32 number }");
  const tl::type of = full.type("S");
  const std::uint32_t name = tl::detail::thread_missing_names().add("numbr");
  EXPECT_EQ(step_words(errc::no_such_field, asked::name, name, of, tl::ttype::struct_),
            tl::detail::no_such_field_text(of, "numbr"));
  EXPECT_EQ(step_words(errc::no_such_field, asked::name, name, {}, tl::ttype::struct_),
            "field 'numbr' needs a schema; use its id");
  EXPECT_EQ(step_words(errc::no_such_field, asked::nothing, 0, of, tl::ttype::struct_), "no such field in S");
  EXPECT_EQ(step_words(errc::no_such_field, asked::nothing, 0, {}, tl::ttype::struct_), "");
}
