#include <thriftlens/path/borrowed_selection.hpp>

#include "support/test.hpp"

#include <thriftlens/path/selection.hpp>
#include <thriftlens/schema/schema.hpp>

using tl::borrowed_selection;

namespace {

TEST(borrowed_selection, empty_selects_everything) {
  constexpr borrowed_selection all;
  static_assert(!all.is_text() && all.compiled() == nullptr && all == nullptr);
  EXPECT_EQ(all, borrowed_selection(static_cast<const tl::selection*>(nullptr)));
}

TEST(borrowed_selection, a_compiled_selection_is_used_directly) {
  const tl::schema schema = tl::schema::parse("struct S { 1: i32 id }");
  const tl::selection id = tl::selection::compile(schema.type("S"), "{ id }");
  const borrowed_selection by_pointer = &id, by_reference = id;
  EXPECT_EQ(by_pointer.compiled(), &id);
  EXPECT_EQ(by_reference, by_pointer);
  EXPECT_NE(by_pointer, nullptr);
  EXPECT_FALSE(by_pointer.is_text());
}

TEST(borrowed_selection, a_text_is_borrowed_and_never_selects_everything) {
  const std::string text = "{ id }";
  const borrowed_selection of_string = text, of_literal = "{ id }", of_view = std::string_view(text);
  EXPECT_EQ(of_string.text().data(), text.data());
  EXPECT_EQ(of_string, of_literal);
  EXPECT_EQ(of_view, of_literal);
  EXPECT_NE(of_literal, "{ name }");
  const borrowed_selection empty = std::string_view();
  EXPECT_TRUE(empty.is_text());
  EXPECT_NE(empty, nullptr) << "an empty text selects nothing, it is no absent option";
}

TEST(borrowed_selection, temporaries_are_refused) {
  static_assert(!std::is_constructible_v<borrowed_selection, std::string>);
  static_assert(!std::is_constructible_v<borrowed_selection, tl::selection>);
  static_assert(std::is_constructible_v<borrowed_selection, std::string_view>);
  SUCCEED();
}

}  // namespace
