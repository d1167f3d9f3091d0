// Redactions in a user-defined protocol equal those in Binary.
#include "protocol/toy.hpp"
#include "support/test.hpp"
#include "support/tree.hpp"

#include <thriftlens/policy/redact.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/schema/schema.hpp>

using namespace thriftlens_test;
using tl::ttype;

// Blanks and constants are stored in the library's own protocols.
TEST(toy_policy, redaction_equals_redaction_of_binary) {
  const tl::schema schema = tl::schema::parse(
      "struct In { 1: required i64 n, 2: required bool b } "
      "struct S { 1: bool b, 2: string s, 3: In in, 4: list<i32> l, 5: map<string, In> m, 6: double d }");
  const tree in = structure({{1, i64(300)}, {2, boolean(true)}});
  const std::string binary =
      encode<tl::binary>(structure({{1, boolean(true)},
                                    {2, text("secret")},
                                    {3, in},
                                    {4, list(ttype::i32, {i32(5), i32(70000)})},
                                    {5, map(ttype::string, ttype::struct_, {{text("k"), in}})},
                                    {6, real(1.5)}}));
  const tl::buffer other = tl::convert<tl::binary, toy>(tl::byte_view(binary));
  for (const char* path : {"$.b", "$.s", "$.in", "$.in.b", "$.l", "$.l[*]", "$.m", "$.m{*}", "$.d"}) {
    const tl::redaction blank = tl::redaction::compile(schema.type("S"), {.paths = {{path, "blank"}}});
    const tl::buffer expected = tl::redact(tl::view<tl::binary>(binary, schema.type("S")), blank);
    const tl::buffer made = tl::redact(tl::view<toy>(other, schema.type("S")), blank);
    EXPECT_EQ((tl::convert<toy, tl::binary>(made).str()), expected.str()) << path;
  }
  const tl::redaction given = tl::redaction::compile(
      schema.type("S"),
      {.paths = {{"$.s", "constant(gone)"}, {"$.in.n", "constant(-7)"}, {"$.b", "constant(false)"}}});
  const tl::buffer expected = tl::redact(tl::view<tl::binary>(binary, schema.type("S")), given);
  const tl::buffer made = tl::redact(tl::view<toy>(other, schema.type("S")), given);
  EXPECT_EQ((tl::convert<toy, tl::binary>(made).str()), expected.str());
}
