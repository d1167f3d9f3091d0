#include <thriftlens/path/path.hpp>

#include "samples.hpp"
#include "support/test.hpp"

#include <unordered_set>

using thriftlens_test::shop_order, tl::errc;

namespace {

tl::path compile(std::string_view text) { return tl::path::compile(shop_order(), text); }
/// A path without a text key, which would not outlive the path.
tl::path_step step_of(const tl::path& way, std::size_t at) { return way.steps()[at]; }
void expect_error(std::string_view text, errc code, std::size_t offset) {
  auto made = tl::path::try_compile(shop_order(), text);
  ASSERT_EQ(errc_of(made), code) << text;
  EXPECT_EQ(made.error().offset(), offset) << text;
}

TEST(path, compiles_names_to_ids_and_types) {
  tl::path price = compile("$.items[3].price");
  ASSERT_EQ(price.steps().size(), 3u);
  EXPECT_EQ(price.steps()[0].id, 3);
  EXPECT_EQ(price.steps()[1].first, 3);
  EXPECT_EQ(price.steps()[2].id, 2);
  EXPECT_EQ(price.to().kind(), tl::type_kind::double_);
  EXPECT_EQ(price.from(), shop_order());
  EXPECT_EQ(price.text(), "$.items[3].price");
  EXPECT_TRUE(price.is_single());
}

TEST(path, ids_and_names_compile_to_the_same) {
  tl::path by_name = compile("$.user.name"), by_id = compile("$#2.#2");
  ASSERT_EQ(by_id.steps().size(), 2u);
  EXPECT_EQ(by_name.steps()[1].field, by_id.steps()[1].field);
  EXPECT_EQ(by_name.to(), by_id.to());
}

TEST(path, typedefs_and_containers_are_seen_through) {
  EXPECT_EQ(compile("$.user.id").to().kind(), tl::type_kind::i64);
  EXPECT_EQ(compile("$.groups[0][-1].id").to().kind(), tl::type_kind::i64);
  EXPECT_EQ(compile("$.deep{'x'}[0]{7}.name").to().kind(), tl::type_kind::string);
}

TEST(path, wildcards_select_many) {
  EXPECT_FALSE(compile("$.items[*].sku").is_single());
  EXPECT_FALSE(compile("$.items[1:]").is_single());
  EXPECT_FALSE(compile("$.by_sku{*}").is_single());
}

TEST(path, the_empty_path_is_the_value_itself) {
  EXPECT_TRUE(compile("$").empty());
  EXPECT_EQ(compile("$").to(), shop_order());
  EXPECT_TRUE(tl::path().empty());
}

TEST(path, keys_are_checked_against_the_key_type) {
  EXPECT_EQ(step_of(compile("$.colors{BLUE}"), 1).key.integer(), 5);
  EXPECT_EQ(step_of(compile("$.colors{\"BLUE\"}"), 1).key.integer(), 5);
  EXPECT_EQ(step_of(compile("$.rates{2}"), 1).key.real(), 2.0);
  expect_error("$.notes{40000}", errc::value_range, 7);
  expect_error("$.notes{\"a\"}", errc::value_type, 7);
  expect_error("$.colors{PINK}", errc::unknown_enum_name, 8);
  expect_error("$.by_user{1}", errc::value_type, 9);
}

TEST(path, a_uuid_key_is_written_as_text_or_as_bytes) {
  const tl::schema ids = tl::schema::parse("struct T { 1: map<uuid, i32> m, 2: map<string, i32> s }");
  const tl::path text = tl::path::compile(ids.type("T"), "$.m{'00112233-4455-6677-8899-AABBCCDDEEFF'}");
  const tl::path wire = tl::path::compile(ids.type("T"), "$.m{x\"00112233445566778899aabbccddeeff\"}");
  EXPECT_EQ(text.steps()[1].key.bytes(), wire.steps()[1].key.bytes());
  EXPECT_EQ(text.steps()[1].key.kind(), tl::map_key::form::wire);
  EXPECT_EQ(tl::path::try_compile(ids.type("T"), "$.m{'00112233'}").error().code(), errc::value_type);
  EXPECT_EQ(
      step_of(tl::path::compile(ids.type("T"), "$.s{'00112233-4455-6677-8899-aabbccddeeff'}"), 1).key.kind(),
      tl::map_key::form::text);
}

TEST(path, unknown_name_and_unknown_id_are_the_same_error) {
  expect_error("$.user.nme", errc::no_such_field, 6);
  expect_error("$.user.#9", errc::no_such_field, 6);
  auto made = tl::path::try_compile(shop_order(), "$.user.nme");
  EXPECT_NE(std::string(made.error().what()).find("did you mean 'name'"), std::string::npos)
      << made.error().what();
  EXPECT_EQ(made.error().path(), "$.user");
}

TEST(path, steps_that_the_type_does_not_have) {
  expect_error("$.id.x", errc::wrong_type, 4);
  expect_error("$.user[0]", errc::wrong_type, 6);
  expect_error("$.items{1}", errc::wrong_type, 7);
  expect_error("$.by_sku[1]", errc::wrong_type, 8);
  expect_error("$.id{*}", errc::wrong_type, 4);
}

TEST(path, copies_share_and_outlive_the_first) {
  tl::path copy;
  {
    tl::path first = compile("$.by_sku{\"long enough to be no small string at all\"}");
    copy = first;
  }
  EXPECT_EQ(copy.steps()[1].key.text(), "long enough to be no small string at all");
}

TEST(path, without_a_schema_ids_only) {
  tl::path made = tl::path::compile("$.#2[0]{\"k\"}{7}");
  EXPECT_EQ(made.steps().size(), 4u);
  EXPECT_FALSE(made.to());
  EXPECT_EQ(tl::path::try_compile("$.name").error().code(), errc::no_such_field);
}

TEST(path, compiling_many_equals_compiling_each) {
  const std::vector<std::string_view> texts = {"$.items[3].price",
                                               "$",
                                               "",
                                               "id",
                                               "$.#2.#1",
                                               "$.by_sku{\"a.b[c]{d}#e, which is long\"}.sku",
                                               "$.by_sku{'\\x41\\u20ac\\n'}",
                                               "$.colors{RED}",
                                               "$.notes{-7}",
                                               "$.by_sku{x\"6b31\"}",
                                               "$.items[*]",
                                               "$.by_sku{*}.sku",
                                               "$.items[1:-1].price"};
  std::vector<tl::path> kept;
  {
    std::vector<std::string> own(texts.begin(), texts.end());
    kept = tl::path::try_compile_all(shop_order(), std::vector<std::string_view>(own.begin(), own.end()))
               .value();
  }
  ASSERT_EQ(kept.size(), texts.size());
  const tl::path last = kept[6];
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const tl::path alone = compile(texts[i]);
    EXPECT_EQ(kept[i].text(), texts[i]);
    EXPECT_EQ(kept[i].from(), alone.from());
    EXPECT_EQ(kept[i].to(), alone.to());
    ASSERT_EQ(kept[i].steps().size(), alone.steps().size()) << texts[i];
    for (std::size_t j = 0; j < alone.steps().size(); ++j) {
      const tl::path_step &one = kept[i].steps()[j], &other = alone.steps()[j];
      EXPECT_EQ(one.kind, other.kind);
      EXPECT_EQ(one.id, other.id);
      EXPECT_EQ(one.type, other.type);
      EXPECT_EQ(one.offset, other.offset);
      EXPECT_EQ(one.first, other.first);
      EXPECT_EQ(one.last, other.last);
      EXPECT_EQ(one.key.kind(), other.key.kind());
      EXPECT_EQ(one.key.text(), other.key.text()) << texts[i];
      EXPECT_EQ(one.key.integer(), other.key.integer());
    }
  }
  kept.clear();
  EXPECT_EQ(last.steps()[1].key.text(), "A\xe2\x82\xac\n");
}

TEST(path, compiling_many_returns_the_first_error) {
  const std::vector<std::string_view> texts = {"$.id", "$.user.nope", "$.also.none"};
  auto made = tl::path::try_compile_all(shop_order(), texts);
  ASSERT_EQ(errc_of(made), errc::no_such_field);
  EXPECT_EQ(made.error().offset(), 6u);
  EXPECT_EQ(tl::path::try_compile_all(shop_order(), {}).value().size(), 0u);
}

TEST(path, can_end_at_a_map_key) {
  const tl::path to_key = compile("$.by_sku{key 3}");
  EXPECT_TRUE(to_key.is_single());
  EXPECT_TRUE(to_key.enters_key());
  EXPECT_EQ(to_key.to().kind(), tl::type_kind::string);
  EXPECT_EQ(to_key.steps().back().first, 3);
  EXPECT_FALSE(compile("$.by_sku{\"key 3\"}.sku").enters_key());
  EXPECT_FALSE(tl::path().enters_key());
  EXPECT_EQ(compile("$.by_sku{key 3}").from(), to_key.from());
  for (const char* text : {"$.by_sku{key }", "$.by_sku{key -1}", "$.by_sku{key 1", "$.id{key 1}"})
    EXPECT_FALSE(tl::path::try_compile(to_key.from(), text)) << text;
}

TEST(path, equality_compares_steps) {
  EXPECT_EQ(compile("$.user.name"), compile("$#2.#2"));
  EXPECT_EQ(compile("$.by_sku{'a'}"), compile("$.by_sku{\"a\"}"));
  EXPECT_EQ(compile("$"), compile("$"));
  EXPECT_EQ(compile("$.colors{BLUE}"), compile("$.colors{5}"));
  EXPECT_EQ(compile("$.items[*]"), compile("$.items[:]"));
  EXPECT_NE(compile("$.user.name"), compile("$.user.id"));
  EXPECT_NE(compile("$.user"), compile("$.user.id"));
  EXPECT_NE(compile("$.items[1]"), compile("$.items[2]"));
  EXPECT_NE(compile("$.items[1:]"), compile("$.items[1:3]"));
  EXPECT_NE(compile("$.by_sku{'a'}"), compile("$.by_sku{'b'}"));
  EXPECT_NE(compile("$#2.#2"), tl::path::compile("$#2.#2")) << "of no type";
  EXPECT_EQ(tl::path(), tl::path());
}

TEST(path, is_a_key_of_unordered_containers) {
  const std::unordered_set<tl::path> ways{compile("$.user.name"), compile("$#2.#2"), compile("$.items[1]"),
                                          compile("$.items[2]"), compile("$.items[2]")};
  EXPECT_EQ(ways.size(), 3u);
  EXPECT_TRUE(ways.contains(compile("$.user.#2")));
}

TEST(path, try_parse_chains) {
  const auto size = [](std::string_view text) {
    return tl::path::try_compile(shop_order(), text).transform([](const tl::path& way) {
      return way.steps().size();
    });
  };
  EXPECT_EQ(size("$.user.name"), 2u);
  EXPECT_EQ(size("$.nobody").error().code(), errc::no_such_field);
  const auto whole = [](const tl::error&) { return tl::path::try_compile(shop_order(), "$"); };
  EXPECT_EQ(tl::path::try_compile(shop_order(), "$.nobody").or_else(whole).transform(&tl::path::to),
            shop_order());
}

TEST(path, is_printed_as_it_was_written) {
  EXPECT_EQ(testing::PrintToString(compile("$.user.#2")), "$.user.#2");
  EXPECT_EQ(testing::PrintToString(tl::path()), "$");
}

}  // namespace
