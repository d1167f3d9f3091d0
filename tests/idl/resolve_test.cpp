#include <thriftlens/idl/resolve.hpp>

#include "idl_support.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;
using lines = std::vector<std::string>;

namespace {

TEST(resolve, resolves_all_identifiers_and_names) {
  auto set = parsed("enum E { A } const E e = A struct S { 1: E a = e, 2: list<E> b = [e, E.A] }");
  for (const idl::field& each : set.programs[0].structs[0].fields) {
    EXPECT_EQ(show(*each.default_value).find("identifier"), std::string::npos);
  }
  EXPECT_EQ(set.programs[0].structs[0].fields[0].type.target.kind, idl::declaration_kind::enum_);
}

TEST(resolve, reports_errors_of_every_kind_at_once) {
  EXPECT_EQ(errors_of("struct A { 1: Missing a, 2: i8 b = 1000 }\nconst i32 c = LOST\ntypedef T T\nservice S "
                      "extends X {}"),
            (lines{"1:15 undefined-type", "1:36 const-range", "2:15 undefined-const", "3:9 typedef-cycle",
                   "4:19 undefined-service"}));
}

TEST(resolve, does_not_report_values_of_unknown_types) {
  EXPECT_EQ(errors_of("struct A { 1: Missing a = 5 }\nconst Missing b = {'x': LOST}"),
            (lines{"1:15 undefined-type", "2:7 undefined-type"}));
}

}  // namespace
