#include <thriftlens/core/errc.hpp>

#include "support/test.hpp"

#include <cctype>

namespace {

using namespace thriftlens;

TEST(errc, every_code_has_a_distinct_name_and_sentence) {
  std::set<std::string_view> names, sentences;
  for (int i = 0; i < detail::errc_count; ++i) {
    const auto code = static_cast<errc>(i);
    EXPECT_TRUE(names.insert(to_string(code)).second) << to_string(code);
    EXPECT_TRUE(sentences.insert(detail::sentence(code)).second) << detail::sentence(code);
    EXPECT_FALSE(detail::sentence(code).empty());
    EXPECT_NE(detail::sentence(code).back(), '.') << "a place may follow: " << detail::sentence(code);
  }
  EXPECT_GT(detail::errc_count, 30);
}

TEST(errc, names_are_spelt_as_the_enum_spells_them) {
  EXPECT_EQ(to_string(errc::ok), "ok");
  EXPECT_EQ(to_string(errc::missing_required), "missing_required");
  EXPECT_EQ(to_string(errc::io), "io");
  EXPECT_EQ(to_string(errc::internal), "internal");
}

TEST(errc, a_failure_has_a_code_other_than_ok) {
  EXPECT_EQ(detail::failure_code(errc::ok), errc::internal);
  EXPECT_EQ(detail::failure_code(errc::io), errc::io);
}

TEST(errc, codes_have_a_kind) {
  EXPECT_EQ(detail::kind(errc::truncated), error_kind::decode);
  EXPECT_EQ(detail::kind(errc::value_range), error_kind::encode);
  EXPECT_EQ(detail::kind(errc::schema_invalid), error_kind::schema);
  EXPECT_EQ(detail::kind(errc::json_syntax), error_kind::json);
  EXPECT_EQ(detail::kind(errc::path_syntax), error_kind::plain);
  EXPECT_EQ(detail::kind(errc::internal), error_kind::plain);
}

}  // namespace
