#include <thriftlens/idl/keyword.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;
using idl::keyword;

namespace {

TEST(keyword, every_word_of_the_table_is_found) {
  for (const idl::detail::keyword_row& row : idl::detail::keyword_rows) {
    EXPECT_EQ(idl::find_keyword(row.text), row.value) << row.text;
    EXPECT_EQ(idl::find_keyword(std::string(row.text) + "x"), keyword::none) << row.text;
    EXPECT_NE(idl::find_keyword(row.text.substr(1)), row.value) << row.text;
  }
}

TEST(keyword, other_words_are_not_keywords) {
  for (const char* text : {"", "a", "Struct", "STRUCT", "int", "class", "def", "i128", "float", "listing",
                           "a_name_much_longer_than_every_keyword_of_the_language"}) {
    EXPECT_EQ(idl::find_keyword(text), keyword::none) << text;
  }
}

TEST(keyword, reserved_words_cannot_name_a_declaration) {
  for (keyword word :
       {keyword::struct_, keyword::i32, keyword::map, keyword::required, keyword::throws, keyword::true_}) {
    EXPECT_TRUE(idl::reserved(word));
  }
  for (keyword word : {keyword::none, keyword::uuid, keyword::async, keyword::slist, keyword::xsd_all,
                       keyword::old_namespace}) {
    EXPECT_FALSE(idl::reserved(word));
  }
}

TEST(keyword, headers_and_definitions_begin_declarations) {
  for (keyword word :
       {keyword::include, keyword::namespace_, keyword::old_namespace, keyword::senum, keyword::service}) {
    EXPECT_TRUE(idl::begins_declaration(word));
  }
  for (keyword word : {keyword::none, keyword::void_, keyword::optional, keyword::uuid})
    EXPECT_FALSE(idl::begins_declaration(word));
}

}  // namespace
