#include <thriftlens/idl/token.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;

namespace {

idl::token make(idl::token_kind kind, std::string_view text) {
  idl::token each;
  each.kind = kind;
  each.text = text;
  return each;
}

std::string described(const idl::token& unexpected) { return idl::compose("%", {idl::describe(unexpected)}); }

TEST(token, describes_itself_for_messages) {
  EXPECT_EQ(described(make(idl::token_kind::identifier, "struct")), "'struct'");
  EXPECT_EQ(described(make(idl::token_kind::close_brace, "}")), "'}'");
  EXPECT_EQ(described(make(idl::token_kind::integer, "-12")), "number -12");
  EXPECT_EQ(described(make(idl::token_kind::real, "1.5")), "number 1.5");
  EXPECT_EQ(described(make(idl::token_kind::string, "a b")), "string \"a b\"");
  EXPECT_EQ(described(make(idl::token_kind::end, "")), "end of file");
}

TEST(token, punctuation_is_its_own_character) {
  EXPECT_EQ(static_cast<char>(idl::token_kind::open_brace), '{');
  EXPECT_EQ(static_cast<char>(idl::token_kind::ampersand), '&');
}

}  // namespace
