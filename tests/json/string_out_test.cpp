#include <thriftlens/json/string_out.hpp>

#include "support/test.hpp"

namespace {
std::string text_of(std::string_view text, tl::on_invalid_utf8 invalid = tl::on_invalid_utf8::error,
                    tl::errc expected = tl::errc::ok) {
  tl::buffer to;
  tl::detail::out_cursor out(to, std::size_t{1} << 30);
  EXPECT_EQ(tl::detail::put_string(out, {text.data(), text.size()}, invalid), expected);
  EXPECT_TRUE(out.finish());
  return to.str();
}
}  // namespace

TEST(put_string, escapes_as_json_requires) {
  EXPECT_EQ(text_of(""), "\"\"");
  EXPECT_EQ(text_of("a/b\"c\\d\b\f\n\r\t\x01\x1f\x7f"), "\"a/b\\\"c\\\\d\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\"");
  EXPECT_EQ(text_of(std::string(1, '\0')), "\"\\u0000\"");
  EXPECT_EQ(text_of("你好"), "\"你好\"");
}

TEST(put_string, long_strings_are_written_in_pieces) {
  for (std::size_t size : {4095u, 4096u, 4097u, 8192u, 100000u}) {
    std::string text, expected = "\"";
    while (text.size() < size) {
      text += text.size() % 7 == 0 ? "\n" : "é";
      expected += text.back() == '\n' ? "\\n" : "é";
    }
    EXPECT_EQ(text_of(text), expected + '"');
  }
}

TEST(put_string, ill_formed_text_is_refused_or_replaced) {
  text_of("a\xff", tl::on_invalid_utf8::error, tl::errc::invalid_utf8);
  EXPECT_EQ(text_of("a\xff"
                    "b\xc3",
                    tl::on_invalid_utf8::replace),
            "\"a\xef\xbf\xbd"
            "b\xef\xbf\xbd\"");
  EXPECT_EQ(text_of("\xed\xa0\x80\n", tl::on_invalid_utf8::replace),
            "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\\n\"");
  // One U+FFFD for as much as a sequence could have begun with.
  EXPECT_EQ(text_of("\xe2\x82|\xf0\x9f\x92|\xf0\x9f\x92", tl::on_invalid_utf8::replace),
            "\"\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd\"");
  EXPECT_EQ(text_of("\xf4\x90|\xe0\x80|\xc0\xaf", tl::on_invalid_utf8::replace),
            "\"\xef\xbf\xbd\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd\"");
  std::string text(10000, 'x');
  text[5000] = '\x80';
  text_of(text, tl::on_invalid_utf8::error, tl::errc::invalid_utf8);
  EXPECT_EQ(text_of(text, tl::on_invalid_utf8::replace).size(), 10004u);
}

TEST(put_string, ill_formed_bytes_become_lone_surrogates) {
  const auto escaped = [](std::string_view text) {
    return text_of(text, tl::on_invalid_utf8::surrogateescape);
  };
  EXPECT_EQ(escaped("a\xff\n\xe2\x82|\xc3\xa9"), "\"a\\udcff\\n\\udce2\\udc82|\xc3\xa9\"");
  EXPECT_EQ(escaped("\xed\xa0\x80"), "\"\\udced\\udca0\\udc80\"");
  EXPECT_EQ(escaped(std::string(10000, '\x80')).size(), 60002u);
}

TEST(put_string, stops_at_the_limit) {
  tl::buffer to;
  tl::detail::out_cursor out(to, 100);
  const std::string text(100000, 'x');
  EXPECT_EQ(tl::detail::put_string(out, {text.data(), text.size()}, tl::on_invalid_utf8::error),
            tl::errc::output_limit);
  out.abandon();
}

TEST(put_base64, pads) {
  const char* const expected[] = {"\"\"", "\"YQ==\"", "\"YWI=\"", "\"YWJj\"", "\"YWJjZA==\""};
  for (std::size_t size = 0; size < 5; ++size) {
    tl::buffer to;
    tl::detail::out_cursor out(to, 100);
    EXPECT_EQ(tl::detail::put_base64(out, {"abcd", size}), tl::errc::ok);
    EXPECT_TRUE(out.finish());
    EXPECT_EQ(to.text(), expected[size]);
  }
}

TEST(put_uuid, is_lower_case_with_dashes) {
  tl::buffer to;
  tl::detail::out_cursor out(to, 100);
  const tl::uuid_bytes id{0xAE, 0xdf, 0x13, 0xab, 0x9b, 0x36, 0xfb, 0x9d,
                          0x0c, 0xfe, 0x44, 0x09, 0x51, 0xbb, 0xf9, 0x0f};
  EXPECT_EQ(tl::detail::put_uuid(out, id), tl::errc::ok);
  EXPECT_TRUE(out.finish());
  EXPECT_EQ(to.text(), "\"aedf13ab-9b36-fb9d-0cfe-440951bbf90f\"");
}
