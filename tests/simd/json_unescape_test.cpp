#include <thriftlens/simd/json_unescape.hpp>

#include "bodies.hpp"
#include "guarded.hpp"
#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include "support/test.hpp"

namespace simd = thriftlens::detail::simd;
using thriftlens::byte_view;

namespace {

std::string escape(const std::string& text) {
  std::string storage(simd::json_escape_capacity(text.size()), '?');
  auto* to = reinterpret_cast<std::uint8_t*>(storage.data());
  return storage.substr(0, static_cast<std::size_t>(simd::escape_json(to, byte_view(text)).end - to));
}

struct outcome {
  std::string text;
  bool ok;
  std::size_t stop;
  friend bool operator==(const outcome&, const outcome&) = default;
};
template <class Body>
outcome unescape(const std::uint8_t* from, std::size_t size, Body body) {
  std::string storage(simd::json_unescape_capacity(size), '?');
  auto* to = reinterpret_cast<std::uint8_t*>(storage.data());
  const simd::json_unescaped actual = body(to, from, from + size);
  const auto stop = static_cast<std::size_t>(actual.stop - from);
  if (actual.end == nullptr) return {"", false, stop};
  return {storage.substr(0, static_cast<std::size_t>(actual.end - to)), true, stop};
}
outcome unescape(const std::string& text) {
  static thriftlens_test::guarded memory;
  const std::uint8_t* from = memory.hold(text);
  const outcome fast = unescape(from, text.size(), [](auto... args) { return simd::unescape_json(args...); });
  thriftlens_test::for_each_body(simd::detail::unescape_json_bodies, [&](auto run, const char* name) {
    EXPECT_TRUE(fast == unescape(from, text.size(), run)) << name << ": " << text;
  });
  return fast;
}

}  // namespace

TEST(simd_json_unescape, escaped_text_is_resolved_at_every_length_and_alignment) {
  std::mt19937 random(5);
  const char plain[] = "\"\\\n\tab c/\x1f\xe2\x82\xac";
  for (std::size_t size = 0; size <= thriftlens_test::longest; ++size)
    for (std::size_t round = 0; round < 64; ++round) {
      std::string text(size, ' ');
      for (char& character : text)
        character =
            random() % 3 == 0 ? plain[random() % (sizeof plain - 1)] : static_cast<char>('a' + random() % 26);
      const std::string padding(round, 'p');
      const std::string escaped = escape(text);
      const outcome back = unescape(escaped + '"' + padding);
      ASSERT_TRUE(back.ok);
      ASSERT_EQ(back.text, text);
      ASSERT_EQ(back.stop, escaped.size());
    }
}

TEST(simd_json_unescape, unicode_escapes) {
  EXPECT_EQ(unescape("\\u0041\\u00e9\\u20AC\\ud83d\\uDE00\"").text, "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(unescape("\\u0000\"").text, std::string(1, '\0'));
  EXPECT_EQ(unescape("\\uffff\\u07ff\\u0800\"").text, "\xef\xbf\xbf\xdf\xbf\xe0\xa0\x80");
  EXPECT_EQ(unescape("\\/\\b\"").text, "/\b");
}

TEST(simd_json_unescape, errors_and_their_offsets) {
  struct {
    std::string text;
    std::size_t stop;
  } const cases[] = {{"", 0},
                     {"abc", 3},
                     {"a\\", 1},
                     {"a\\x\"", 1},
                     {"a\\u12\"", 1},
                     {"\\u12g4\"", 0},
                     {"\\ud800\"", 0},
                     {"\\udc00\"", 0},
                     {"\\ud800\\n1234\"", 0},
                     {"\\ud800\\u0041\"", 0},
                     {"x\\ud800\\udb", 1},
                     {std::string("a\0\"", 3), 1},
                     {"a\n\"", 1},
                     {"\\", 0},
                     {"\\uD83D\\uD83D\"", 0}};
  for (const auto& case_ : cases) {
    EXPECT_FALSE(unescape(case_.text).ok) << case_.text;
    EXPECT_EQ(unescape(case_.text).stop, case_.stop) << case_.text;
    const std::string prefix(16, 'y');
    EXPECT_FALSE(unescape(prefix + case_.text).ok) << case_.text;
    EXPECT_EQ(unescape(prefix + case_.text).stop, case_.stop + 16) << case_.text;
  }
}

TEST(simd_json_unescape, random_bytes_agree_with_the_scalar_body) {
  std::mt19937 random(9);
  const char alphabet[] = "\\\\\\\"ud8c0bn/aF1\x1f ";
  for (int round = 0; round < thriftlens_test::cases(200000); ++round) {
    std::string text(random() % 48, ' ');
    for (char& character : text) character = alphabet[random() % (sizeof alphabet - 1)];
    unescape(text);
    if (HasFailure()) break;
  }
}

TEST(simd_json_unescape, every_escape_across_every_edge_of_a_block) {
  const std::string escapes[] = {"\\n", "\\\\",     "\\u0041", "\\ud83d\\ude00", "\\ud83d",
                                 "\\x", "\\\\\\\"", "\\u00g1", "\x1f",           "\\"};
  for (std::size_t previous_size = 0; previous_size <= thriftlens_test::longest; ++previous_size)
    for (const std::string& escape : escapes)
      for (const char* suffix :
           {"\"", "", "x\"", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"\""})
        unescape(std::string(previous_size, 'y') + escape + suffix);
}
