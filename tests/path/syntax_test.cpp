#include <thriftlens/path/syntax.hpp>

#include "support/test.hpp"

using form = tl::detail::path_syntax_step::form;

namespace {

std::vector<tl::detail::path_syntax_step> steps_of(std::string_view text) {
  return tl::detail::parse_path_syntax(text).value();
}
std::size_t error_at(std::string_view text) {
  auto parsed = tl::detail::parse_path_syntax(text);
  if (parsed) return static_cast<std::size_t>(-2);
  EXPECT_EQ(parsed.error().code(), tl::errc::path_syntax);
  return parsed.error().offset();
}

TEST(path_syntax, root_alone_has_no_steps) {
  EXPECT_TRUE(steps_of("$").empty());
  EXPECT_TRUE(steps_of("").empty());
}

TEST(path_syntax, every_kind_of_step) {
  auto steps = steps_of(
      R"($.a.#-5#7[3][-1][*][1:3][:][:-1][2:]{"k\"\n\x41\u00e9"}{'q'}{-12}{2.5}{1e3}{true}{false}{RED}{x"0aFF"}{*})");
  ASSERT_EQ(steps.size(), 20u);
  EXPECT_EQ(steps[0].kind, form::field_name);
  EXPECT_EQ(steps[0].text, "a");
  EXPECT_EQ(steps[0].offset, 1u);
  EXPECT_EQ(steps[1].kind, form::field_id);
  EXPECT_EQ(steps[1].first, -5);
  EXPECT_EQ(steps[2].first, 7);
  EXPECT_EQ(steps[3].kind, form::index);
  EXPECT_EQ(steps[3].first, 3);
  EXPECT_EQ(steps[4].first, -1);
  EXPECT_EQ(steps[5].kind, form::elements);
  EXPECT_EQ(steps[5].last, tl::detail::path_syntax_step::open);
  EXPECT_EQ(steps[6].first, 1);
  EXPECT_EQ(steps[6].last, 3);
  EXPECT_EQ(steps[7].first, 0);
  EXPECT_EQ(steps[8].last, -1);
  EXPECT_EQ(steps[9].first, 2);
  EXPECT_EQ(steps[10].kind, form::key_text);
  EXPECT_EQ(steps[10].text, "k\"\nA\xc3\xa9");
  EXPECT_EQ(steps[11].text, "q");
  EXPECT_EQ(steps[12].kind, form::key_integer);
  EXPECT_EQ(steps[12].first, -12);
  EXPECT_EQ(steps[13].kind, form::key_real);
  EXPECT_EQ(steps[13].real, 2.5);
  EXPECT_EQ(steps[14].real, 1000);
  EXPECT_EQ(steps[15].kind, form::key_boolean);
  EXPECT_EQ(steps[15].first, 1);
  EXPECT_EQ(steps[16].first, 0);
  EXPECT_EQ(steps[17].kind, form::key_name);
  EXPECT_EQ(steps[18].kind, form::key_wire);
  EXPECT_EQ(steps[18].text, "\x0a\xff");
  EXPECT_EQ(steps[19].kind, form::entries);
}

TEST(path_syntax, dollar_is_optional) {
  auto steps = steps_of("user.name");
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].text, "user");
  EXPECT_EQ(steps[1].offset, 4u);
}

TEST(path_syntax, errors_in_bracketed_keys_have_an_offset) {
  for (const char* text : {"$.a[\"k\"]", "$.a['k']"})
    EXPECT_EQ(std::string(tl::detail::parse_path_syntax(text).error().what()),
              "expected an index, '*' or a slice; keys are written in braces (byte 4 of the path)");
}

TEST(path_syntax, errors_point_into_the_text) {
  EXPECT_EQ(error_at("$.a..b"), 4u);
  EXPECT_EQ(error_at("$.a["), 4u);
  EXPECT_EQ(error_at("$.a[1"), 5u);
  EXPECT_EQ(error_at("$.a[x]"), 4u);
  EXPECT_EQ(error_at("$.a{"), 4u);
  EXPECT_EQ(error_at("$.a{\"x}"), 7u);
  EXPECT_EQ(error_at("$.a{\"\\q\"}"), 7u);
  EXPECT_EQ(error_at("$.a{x\"0\"}"), 6u);
  EXPECT_EQ(error_at("$.#"), 3u);
  EXPECT_EQ(error_at("$.#40000"), 8u);
  EXPECT_EQ(error_at("$a"), 1u);
  EXPECT_EQ(error_at("$.a b"), 3u);
  EXPECT_EQ(error_at("$.a[99999999999999999999]"), 4u);
}

TEST(path_syntax, every_prefix_and_garbage_end_cleanly) {
  std::string_view text = R"($.a#7[3][-1][*][1:3]{"k\"\n\x41\u00e9"}{-12}{2.5}{true}{x"0aFF"}{*})";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    for (int c = 0; c < 256; c += 3) {
      std::string changed(text.substr(0, size));
      changed += static_cast<char>(c);
      auto parsed = tl::detail::parse_path_syntax(changed);
      EXPECT_TRUE(parsed || parsed.error().offset() <= changed.size()) << changed;
    }
  }
}

TEST(path_syntax, escaped_code_points_at_every_change_of_their_length_and_at_surrogates) {
  const std::string written =
      R"(\u0000 \u0001 \u007e \u007f \u0080 \u0081 \u00ff \u07fe \u07ff \u0800 \u0801 \u0fff )"
      R"(\u1000 \ud7fe \ud7ff \ue000 \ue001 \uffff \x00 \x7f \x80 \xff \xAf)";
  constexpr char bytes[] =
      "\0 \x01 \x7e \x7f \xc2\x80 \xc2\x81 \xc3\xbf \xdf\xbe \xdf\xbf \xe0\xa0\x80 \xe0\xa0\x81 \xe0\xbf\xbf "
      "\xe1\x80\x80 \xed\x9f\xbe \xed\x9f\xbf \xee\x80\x80 \xee\x80\x81 \xef\xbf\xbf \0 \x7f \x80 \xff \xaf";
  const auto steps = tl::detail::parse_path_syntax("{\"" + written + "\"}");
  ASSERT_TRUE(steps);
  EXPECT_EQ((*steps)[0].text, std::string(bytes, sizeof bytes - 1));
  for (const char* wrong :
       {"\\ud800", "\\ud801", "\\udbff", "\\udc00", "\\udffe", "\\udfff", "\\uD83D\\uDE00",
        "\\u",     "\\u0",    "\\u00",   "\\u000",  "\\u000g", "\\ug000", "\\u00/0",
        "\\u00:0", "\\u00@0", "\\u00G0", "\\u00`0", "\\x",     "\\x0",    "\\x0g",
        "\\xg0",   "\\a",     "\\0",     "\\u-001"}) {
    EXPECT_FALSE(tl::detail::parse_path_syntax("{\"a" + std::string(wrong) + "\"}")) << wrong;
  }
}

TEST(path_syntax, field_ids_and_indices_at_the_ends_of_their_range) {
  for (const char* good : {"$#-32768", "$#32767", "$#0", "$[9223372036854775807]", "$[-9223372036854775808]"})
    EXPECT_TRUE(tl::detail::parse_path_syntax(good)) << good;
  for (const char* wrong :
       {"$#-32769", "$#32768", "$#", "$#-", "$[9223372036854775808]", "$[-9223372036854775809]"})
    EXPECT_FALSE(tl::detail::parse_path_syntax(wrong)) << wrong;
}

}  // namespace
