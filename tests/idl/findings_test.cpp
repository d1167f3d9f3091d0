#include <thriftlens/idl/findings.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;
using thriftlens::diagnostic;

namespace {

std::vector<idl::program> programs_of(std::vector<std::string_view> sources) {
  std::vector<idl::program> shown;
  static constexpr std::string_view files[] = {"f0", "f1"};
  for (std::string_view each : sources) {
    shown.emplace_back().source = each;
    shown.back().file = files[shown.size() - 1];
  }
  return shown;
}

TEST(findings, are_sorted_by_location_and_show_their_line) {
  idl::findings collected(100);
  collected.error("late", 0, {3, 2}, "third line");
  collected.error("other", 1, {1, 1}, "other file");
  collected.warning("early", 0, {1, 3}, "first line");
  auto shown = collected.diagnostics(programs_of({"one\r\ntwo\rthree", "x"}));
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown[0].to_string(), "f0:1:3: warning: first line [early]\n  one\n    ^");
  EXPECT_EQ(shown[1].to_string(), "f0:3:2: error: third line [late]\n  three\n   ^");
  EXPECT_EQ(shown[2].to_string(), "f1:1:1: error: other file [other]\n  x\n  ^");
}

TEST(findings, are_limited_in_number) {
  idl::findings collected(2);
  EXPECT_FALSE(collected.failed());
  for (int i = 0; i < 5; ++i) {
    collected.warning("w", 0, {1, 1}, "");
    EXPECT_EQ(collected.errors(), static_cast<std::size_t>(i));
    collected.error("e", 0, {1, 1}, "");
  }
  EXPECT_TRUE(collected.failed());
  const auto shown = collected.diagnostics(programs_of({"x"}));
  ASSERT_EQ(shown.size(), 5u);
  EXPECT_EQ(shown.back().severity, diagnostic::level::warning);
  EXPECT_EQ(shown.back().message, "3 more errors are not shown");
}

TEST(findings, truncate_long_lines_around_the_caret) {
  const std::string line(100'000, 'x');
  idl::findings collected(1);
  collected.error("e", 0, {1, 50'001}, "");
  auto shown = collected.diagnostics(programs_of({line}));
  EXPECT_EQ(shown[0].source.size(), 160u);
  EXPECT_EQ(shown[0].caret, 80u);
  EXPECT_EQ(shown[0].column, 50'001u);
}

TEST(findings, are_reported_after_the_last_line_at_the_end_of_file) {
  idl::findings collected(3);
  collected.error("e", 0, {2, 1}, "");
  collected.error("e", 0, {9, 9}, "");
  auto shown = collected.diagnostics(programs_of({"a\n"}));
  EXPECT_EQ(shown[0].source, "");
  EXPECT_EQ(shown[0].caret, 0u);
  EXPECT_EQ(shown[1].caret, 0u);
}

TEST(findings, show_only_printable_text) {
  idl::findings collected(1);
  collected.error("e", 0, {1, 5}, "%", {std::string_view("a\0\xFF\xC3\xA4", 5)});
  auto shown = collected.diagnostics(programs_of({std::string_view("\t\0\xFFx\xE2\x82", 6)}));
  EXPECT_EQ(shown[0].message, "a??\xC3\xA4");
  EXPECT_EQ(shown[0].source, "\t??x??");
  EXPECT_EQ(shown[0].caret, 4u);
}

TEST(findings, do_not_show_a_byte_order_mark) {
  idl::findings collected(1);
  collected.error("e", 0, {1, 2}, "");
  EXPECT_EQ(collected
                .diagnostics(programs_of({"\xEF\xBB\xBF"
                                          "ab"}))[0]
                .source,
            "ab");
}

}  // namespace
