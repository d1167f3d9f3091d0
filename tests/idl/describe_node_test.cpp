#include <thriftlens/idl/describe_node.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;

namespace {

std::string text(const auto& node) { return idl::compose("%", {idl::describe(node)}); }

TEST(describe_node, names_types) {
  idl::type_ref type;
  type.name = "i32";
  EXPECT_EQ(text(type), "i32");
  type.shape = idl::type_ref::form::map;
  EXPECT_EQ(text(type), "a map");
  type.shape = idl::type_ref::form::name;
  type.name = "Color";
  EXPECT_EQ(text(type), "the struct 'Color'");
  type.target.kind = idl::declaration_kind::enum_;
  EXPECT_EQ(text(type), "the enum 'Color'");
}

TEST(describe_node, names_constants) {
  using form = idl::const_value::form;
  idl::const_value value;
  value.integer = 1;
  value.text = "a";
  const auto as = [&](form shape) {
    value.shape = shape;
    return text(value);
  };
  EXPECT_EQ(as(form::integer), "the integer 1");
  EXPECT_EQ(as(form::boolean), "true");
  EXPECT_EQ(as(form::real), "a number with a fraction or exponent");
  EXPECT_EQ(as(form::string), "the string 'a'");
  EXPECT_EQ(as(form::identifier), "the name 'a'");
  EXPECT_EQ(as(form::list), "a list");
  EXPECT_EQ(as(form::map), "a map");
  EXPECT_EQ(as(form::structure), "a constant of another type");
}

}  // namespace
