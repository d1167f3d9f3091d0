#include <thriftlens/idl/program.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;

namespace {

TEST(program_name, is_the_base_name_without_extension) {
  EXPECT_EQ(idl::program_name("shop.thrift"), "shop");
  EXPECT_EQ(idl::program_name("a/b/shop.thrift"), "shop");
  EXPECT_EQ(idl::program_name("../shop.thrift"), "shop");
  EXPECT_EQ(idl::program_name("a\\shop.thrift"), "shop");
  EXPECT_EQ(idl::program_name("mobile.suit.thrift"), "mobile.suit");
  EXPECT_EQ(idl::program_name("shop"), "shop");
  EXPECT_EQ(idl::program_name(".hidden"), ".hidden");
  EXPECT_EQ(idl::program_name(""), "");
}

TEST(program_set, nodes_die_with_the_arena) {
  EXPECT_TRUE(std::is_trivially_destructible_v<idl::field>);
  EXPECT_TRUE(std::is_trivially_destructible_v<idl::function>);
  EXPECT_TRUE(std::is_trivially_copyable_v<idl::program>);
  EXPECT_TRUE(std::is_trivially_copyable_v<idl::const_value>);
  EXPECT_TRUE(std::is_trivially_copyable_v<idl::type_ref>);
}

TEST(program_set, moving_keeps_views_valid) {
  idl::program_set set;
  set.programs.emplace_back().source = set.memory.copy(std::string_view("struct A {}"));
  const char* text = set.programs[0].source.data();
  idl::program_set moved = std::move(set);
  EXPECT_EQ(moved.programs[0].source.data(), text);
}

}  // namespace
