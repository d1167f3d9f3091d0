#include <thriftlens/idl/doc_text.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;

namespace {

std::string clean(std::string_view comment) {
  thriftlens::arena memory;
  return std::string(idl::clean_doc_text(comment, memory));
}

TEST(clean_doc_text, of_one_line_is_the_line) {
  EXPECT_EQ(clean(" a word "), "a word");
  EXPECT_EQ(clean(""), "");
  EXPECT_EQ(clean("  "), "");
  EXPECT_EQ(clean("*****"), "");
  EXPECT_EQ(clean("* a *"), "a");
}

TEST(clean_doc_text, drops_stars_and_common_indentation) {
  EXPECT_EQ(clean("\n * one\n *   two\n * three\n "), "one\n  two\nthree");
  EXPECT_EQ(clean("\n   one\n     two\n "), "one\n  two");
  EXPECT_EQ(clean(" first\n * second\n "), "first\nsecond");
}

TEST(clean_doc_text, keeps_empty_lines_inside_only) {
  EXPECT_EQ(clean("\n *\n * one\n *\n * two\n *\n "), "one\n\ntwo");
}

TEST(clean_doc_text, takes_every_kind_of_line_end) {
  EXPECT_EQ(clean("\r\n * one\r\n * two\r\n "), "one\ntwo");
  EXPECT_EQ(clean("\r * one\r * two\r "), "one\ntwo");
}

TEST(clean_doc_text, drops_banners) {
  EXPECT_EQ(clean("***************\n * title\n ***************"), "title");
}

TEST(clean_doc_text, of_one_line_is_not_copied) {
  thriftlens::arena memory;
  const std::string comment = " a word ";
  EXPECT_EQ(idl::clean_doc_text(comment, memory).data(), comment.data() + 1);
  EXPECT_EQ(memory.reserved(), 0u);
}

}  // namespace
