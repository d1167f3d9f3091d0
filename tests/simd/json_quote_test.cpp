#include <thriftlens/simd/json_quote.hpp>

#include "bodies.hpp"
#include "guarded.hpp"
#include "support/test.hpp"

namespace simd = thriftlens::detail::simd;
using simd::text_form, thriftlens::byte_view;

namespace {

// Against escape_json's plain body and the plain UTF-8 check, between pages that must not be touched.
template <class Quote>
void check_one(const std::string& text, Quote quote) {
  static thriftlens_test::guarded in, out;
  const std::uint8_t* from = in.hold(text);
  std::uint8_t* to = out.storage(simd::json_quote_capacity(text.size()));
  const simd::json_quoted actual = quote(to, from, text.size());
  std::string slow(text.size() * 6 + 2, '"');
  auto* body = reinterpret_cast<std::uint8_t*>(slow.data()) + 1;
  const simd::json_escaped escaped = simd::detail::escape_json_scalar(body, from, text.size());
  slow.resize(static_cast<std::size_t>(escaped.end - body) + 1);
  ASSERT_EQ(std::string(to, actual.end), slow + '"') << text;
  if (escaped.ascii) {
    ASSERT_EQ(actual.form, text_form::utf8) << text;
  } else if (actual.form != text_form::unchecked) {
    ASSERT_EQ(actual.form,
              simd::detail::utf8_valid_scalar(from, text.size()) ? text_form::utf8 : text_form::ill_formed)
        << text;
  }
}
// The levels of this processor and the lower ones.
void check(const std::string& text) {
  check_one(text, [](std::uint8_t* to, const std::uint8_t* from, std::size_t size) {
    return simd::quote_json(to, byte_view(from, size));
  });
  thriftlens_test::for_each_body(simd::detail::quote_json_bodies, [&](auto run, const char* name) {
    SCOPED_TRACE(name);
    check_one(text, run);
  });
}

}  // namespace

TEST(simd_json_quote, every_byte_at_every_position_and_length) {
  for (std::size_t size = 0; size <= thriftlens_test::longest; ++size) {
    check(std::string(size, 'x'));
    check(std::string(size, '"'));
    check(std::string(size, '\1'));
    for (std::size_t at = 0; at < size; at += size < 40 ? 1 : 7)
      for (char byte :
           {'\0', '\n', '\x1f', ' ', '"', '\\', 'u', '\x7f', '\x80', '\xc2', '\xe0', '\xf0', '\xff'}) {
        std::string text(size, 'x');
        text[at] = byte;
        check(text);
      }
  }
}

TEST(simd_json_quote, truncated_and_invalid_sequences_at_every_position) {
  const std::string sequences[] = {"\xc3\xa9",     "\xe4\xbd\xa0",     "\xf0\x9f\x98\x80",
                                   "\xe0\x80\x80", "\xed\xa0\x80",     "\xf4\x90\x80\x80",
                                   "\xc0\xaf",     "\xf0\x80\x80\x80", "\xc3\xa9\xa9"};
  for (std::size_t previous_size = 0; previous_size <= 130; ++previous_size)
    for (const std::string& sequence : sequences)
      for (std::size_t retained = 1; retained <= sequence.size(); ++retained)
        for (const char* suffix : {"", "x", "\"\n", "\x80"})
          check(std::string(previous_size, 'x') + sequence.substr(0, retained) + suffix);
}

TEST(simd_json_quote, random_mixtures) {
  std::mt19937 random(7);
  const std::string pieces[] = {"plain",
                                "\"",
                                "\\",
                                "\n",
                                "\x01",
                                "\xc3\xa9",
                                "\xe4\xbd\xa0",
                                "\xf0\x9f\x98\x80",
                                "\xe4\xbd",
                                "\x80",
                                " ",
                                "01234567890123456789"};
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t n = random() % 24; n > 0; --n)
      text += pieces[random() % (i % 2 == 0 ? 8 : std::size(pieces))];
    check(text);
  }
}

TEST(simd_json_quote, every_body_at_every_length_and_alignment) {
  thriftlens_test::guarded memory;
  const std::string pieces[] = {"x", "\"", "\xc3\xa9", "\x02"};
  for (std::size_t size = 0; size <= thriftlens_test::longest; ++size)
    for (std::size_t suffix = 0; suffix < thriftlens_test::alignments; ++suffix) {
      std::string text;
      while (text.size() < size) text += pieces[(text.size() + suffix) % 4];
      text.resize(size, '"');
      const std::string padded = text + std::string(suffix, '\x80');  // following bytes must not be read
      const std::uint8_t* from = memory.hold(padded);
      std::uint8_t expected_text[simd::json_quote_capacity(thriftlens_test::longest)];
      const simd::json_quoted expected = simd::detail::quote_json_scalar(expected_text, from, size);
      const text_form form =
          simd::detail::utf8_valid_scalar(from, size) ? text_form::utf8 : text_form::ill_formed;
      thriftlens_test::for_each_body(simd::detail::quote_json_bodies, [&](auto run, const char* name) {
        std::uint8_t
            storage[simd::json_quote_capacity(thriftlens_test::longest) + thriftlens_test::alignments];
        const simd::json_quoted actual = run(storage + suffix, from, size);
        ASSERT_EQ(std::string(storage + suffix, actual.end), std::string(expected_text, expected.end))
            << name << ' ' << size;
        ASSERT_TRUE(actual.form == form || actual.form == text_form::unchecked)
            << name << ' ' << size << ' ' << suffix;
      });
    }
}
