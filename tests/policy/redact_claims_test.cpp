#include <thriftlens/policy/redact_claims.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>

namespace {

TEST(redact_claims, the_strictest_typedef_wins) {
  const tl::schema schema = tl::schema::parse(R"idl(
    typedef string Inner (pii = "drop")
    typedef Inner Outer (pii = "keep_last(4)")
    struct S { 1: Outer outer, 2: string plain, 3: string (pii = "keep") shown })idl");
  const tl::redact_options options{.annotation = "pii"};
  tl::detail::redact_claims claims(options);
  ASSERT_TRUE(claims.read_options());
  const tl::type type = schema.type("S");
  const tl::detail::redact_claim outer = claims.of_written(type.field("outer").written());
  ASSERT_TRUE(outer);
  EXPECT_EQ(claims[outer.action].to_string(), "drop");
  EXPECT_FALSE(claims.of_written(type.field("plain").written()));
  EXPECT_TRUE(claims.keeps(claims.of_written(type.field("shown").written()).action));
}

TEST(redact_claims, a_hash_needs_a_key) {
  const tl::redact_options options{.annotation = "pii"};
  tl::detail::redact_claims claims(options);
  ASSERT_TRUE(claims.read_options());
  EXPECT_FALSE(claims.add_option("$.mail", "hash"));
  EXPECT_TRUE(claims.uses_key());
  EXPECT_FALSE(claims.take_fault());
}

}  // namespace
