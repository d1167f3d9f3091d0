#include <thriftlens/policy/annotation_uses.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>

namespace {

using text_set = std::set<std::string>;

TEST(annotation_uses, finds_fields_typedefs_declarations_and_what_is_inside_containers) {
  const tl::schema schema = tl::schema::parse(R"idl(
    typedef string Mail (pii = "mail", a = "1")
    typedef list<Mail> Mails (b = "1")
    enum Sex { F = 1 (member = "x") } (pii = "sex", c = "1")
    struct Inner { 1: i32 n (pii = "n") } (d = "1")
    exception Other { 1: i32 n (unreached = "1") }
    struct Root {
      1: map<Sex, Mails> all, 2: list<set<Inner>> inner, 3: list<string (pii = "written")> w, 4: Root again, 5: string plain (e = "1")
    } (pii = "root")
  )idl");
  const tl::detail::annotation_uses uses(schema.type("Root"), "pii");
  EXPECT_EQ(uses.keys(), (text_set{"a", "b", "c", "d", "e", "pii"}));
  EXPECT_EQ(uses.values(), (text_set{"mail", "sex", "n", "written", "root"}));
  const tl::detail::annotation_uses none(schema.type("Other"), "pii");
  EXPECT_EQ(none.keys(), text_set{"unreached"});
  EXPECT_TRUE(none.values().empty());
}

TEST(annotation_uses, of_an_included_file_count) {
  const tl::schema schema =
      tl::schema::parse("include \"base.thrift\" struct S { 1: base.User user }",
                        {.includes = {{"base.thrift", "struct User { 1: string name (pii = \"x\") }"}}});
  EXPECT_EQ(tl::detail::annotation_uses(schema.type("S"), "pii").values(), text_set{"x"});
}

TEST(annotation_uses, of_recursive_types_are_finite) {
  const tl::schema schema = tl::schema::parse(
      R"(struct A { 1: B b, 2: list<A> more (k = "v") } struct B { 1: A a, 2: map<string, B> all })");
  EXPECT_EQ(tl::detail::annotation_uses(schema.type("B"), "k").values(), text_set{"v"});
}

}  // namespace
