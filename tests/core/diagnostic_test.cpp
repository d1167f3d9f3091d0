#include <thriftlens/core/diagnostic.hpp>

#include "support/test.hpp"

namespace {

using thriftlens::diagnostic;

TEST(diagnostic, shows_location_kind_line_and_caret) {
  const diagnostic finding{diagnostic::level::error, "unexpected-token", "a.thrift", 3, 5,
                           "expected a field id",    "  x: i32 a",       2};
  EXPECT_EQ(finding.to_string(),
            "a.thrift:3:5: error: expected a field id [unexpected-token]\n    x: i32 a\n    ^");
}

TEST(diagnostic, a_warning_says_so) {
  const diagnostic finding{diagnostic::level::warning, "octal", "a.thrift", 1, 1, "010 is ten", "010", 0};
  EXPECT_EQ(finding.to_string(), "a.thrift:1:1: warning: 010 is ten [octal]\n  010\n  ^");
}

TEST(diagnostic, the_caret_is_aligned_after_tabs) {
  const diagnostic finding{diagnostic::level::error, "k", "f", 1, 3, "m", "\t\tx", 2};
  EXPECT_EQ(finding.to_string(), "f:1:3: error: m [k]\n  \t\tx\n  \t\t^");
}

TEST(diagnostic, the_caret_counts_utf8_characters) {
  const diagnostic finding{diagnostic::level::error, "k", "f", 1, 9, "m", "\"\xC3\xA4\xE4\xB8\xAD\" x", 8};
  EXPECT_EQ(finding.to_string(), "f:1:9: error: m [k]\n  \"\xC3\xA4\xE4\xB8\xAD\" x\n       ^");
}

TEST(diagnostic, a_caret_past_the_line_is_placed_at_its_end) {
  const diagnostic finding{diagnostic::level::error, "k", "f", 1, 9, "m", "ab", 8};
  EXPECT_EQ(finding.to_string(), "f:1:9: error: m [k]\n  ab\n    ^");
}

}  // namespace
