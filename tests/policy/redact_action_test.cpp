#include <thriftlens/policy/redact_action.hpp>

#include "support/test.hpp"

using form = tl::detail::redact_action::form;

TEST(redact_action, is_read_from_its_text_form) {
  EXPECT_EQ(tl::detail::redact_action::parse("keep").kind, form::keep);
  EXPECT_EQ(tl::detail::redact_action::parse("drop").kind, form::drop);
  EXPECT_EQ(tl::detail::redact_action::parse("blank"), tl::detail::redact_action());
  EXPECT_EQ(tl::detail::redact_action::parse("hash").kind, form::hash);
  EXPECT_EQ(tl::detail::redact_action::parse("keep_last(4)"),
            (tl::detail::redact_action{form::keep_last, 4, {}}));
  EXPECT_EQ(tl::detail::redact_action::parse("constant(a) b)"),
            (tl::detail::redact_action{form::constant, 0, "a) b"}));
  EXPECT_EQ(tl::detail::redact_action::parse("constant()"),
            (tl::detail::redact_action{form::constant, 0, ""}));
}

TEST(redact_action, of_any_other_text_is_bad_rule) {
  for (const char* text : {"", "Drop", "hash ", "keep_last", "keep_last()", "keep_last(-1)", "keep_last(4",
                           "keep_last(4x)", "keep_last(99999999999)", "constant", "constant(", "blank()"}) {
    auto result = tl::detail::redact_action::try_parse(text);
    ASSERT_EQ(errc_of(result), tl::errc::bad_rule) << text;
    EXPECT_NE(std::string(result.error().what()).find('\'' + std::string(text) + '\''), std::string::npos);
  }
}

TEST(redact_action, is_written_as_it_is_read) {
  for (const char* text :
       {"keep", "drop", "blank", "hash", "keep_last(4)", "keep_last(0)", "constant()", "constant(a) b)"}) {
    EXPECT_EQ(tl::detail::redact_action::parse(text).to_string(), text);
  }
}

TEST(redact_action, is_printed_as_it_is_written) {
  EXPECT_EQ(testing::PrintToString(tl::detail::redact_action::parse("keep_last(4)")), "keep_last(4)");
}

TEST(redact_action, is_ordered_by_strictness) {
  constexpr std::string_view order[] = {"drop",         "blank",        "constant(x)", "hash",
                                        "keep_last(0)", "keep_last(4)", "keep"};
  using tl::detail::redact_action;
  for (std::size_t i = 0; i < std::size(order); ++i) {
    for (std::size_t j = 0; j < std::size(order); ++j)
      EXPECT_EQ(redact_action::parse(order[i]).is_stricter_than(redact_action::parse(order[j])), i < j)
          << order[i] << ' ' << order[j];
  }
  EXPECT_FALSE(redact_action::parse("constant(x)").is_stricter_than(redact_action::parse("constant(y)")));
}
