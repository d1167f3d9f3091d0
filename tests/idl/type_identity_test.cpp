#include <thriftlens/idl/type_identity.hpp>

#include "idl_support.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

TEST(type_identity, resolves_typedefs_and_distinguishes_files) {
  idl::load_options options;
  options.includes["base.thrift"] = "struct A {} typedef A B enum E { X }";
  idl::program_set set = parsed(
      "include 'base.thrift' struct A {} typedef base.A B typedef list<B> L typedef i32 I "
      "struct S { 1: A a, 2: B b, 3: base.A c, 4: base.B d, 5: L e, 6: list<base.B> f, 7: set<base.B> g, 8: "
      "I h, 9: i32 i, 10: i64 j, "
      "11: map<I, L> k, 12: map<i32, list<base.A>> l, 13: map<i32, list<A>> m, 14: base.E n, 15: byte o, 16: "
      "i8 p }",
      options);
  idl::findings found(10);
  idl::scope names(set);
  const idl::skipped_names skipped;
  names.build(skipped, found);
  idl::type_resolver types(set, names, options, found);
  types.run();
  idl::type_identity identity(types);
  auto same = [&](std::size_t left, std::size_t right) {
    const auto fields = set.programs[0].structs[1].fields;
    return identity.same(fields[left - 1].type, fields[right - 1].type);
  };
  EXPECT_TRUE(same(1, 1) && same(2, 3) && same(2, 4) && same(5, 6) && same(8, 9) && same(11, 12) &&
              same(15, 16));
  EXPECT_FALSE(same(1, 2) || same(6, 7) || same(9, 10) || same(12, 13) || same(5, 11) || same(14, 9) ||
               same(14, 3));
}

}  // namespace
