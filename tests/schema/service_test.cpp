#include <thriftlens/schema/service.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>

#include <sstream>
#include <unordered_set>

namespace {
const tl::schema& with_services() {
  static const tl::schema schema =
      tl::schema::parse(R"(
    include "base.thrift"
    exception Bad { 1: string why }
    exception Worse { 1: i32 code }
    service Shop extends base.Health {
      i32 add(1: i32 left, 2: required i32 right = 5) throws (1: Bad bad, 2: Worse worse) (api.post = "/add")
      oneway void log(1: string line)
      void nothing()
    } (owner = "team")
  )",
                        {.includes = {{"base.thrift", "service Health { string ping() }"}}});
  return schema;
}
}  // namespace

TEST(service_info, lists_functions_and_finds_inherited_ones) {
  const tl::service_info shop = with_services().service("Shop");
  EXPECT_EQ(shop.name(), "Shop");
  EXPECT_EQ(shop.functions().size(), 3u);
  EXPECT_EQ(shop.base().name(), "base.Health");
  EXPECT_FALSE(shop.base().base());
  EXPECT_EQ(shop.find_function("ping").returns().kind(), tl::type_kind::string);
  EXPECT_FALSE(shop.find_function("pong"));
  EXPECT_EQ(shop.annotations().find("owner"), "team");
  EXPECT_EQ(with_services().service("base.Health").functions().size(), 1u);
}

TEST(function_info, has_arguments_and_result_as_structs) {
  const tl::function_info add = with_services().service("Shop").find_function("add");
  EXPECT_FALSE(add.oneway());
  EXPECT_EQ(add.annotations().find("api.post"), "/add");
  const tl::type arguments = add.arguments();
  ASSERT_EQ(arguments.fields().size(), 2u);
  EXPECT_EQ(arguments.find_field(std::int16_t{1}).name(), "left");
  EXPECT_TRUE(arguments.find_field("right").required());
  EXPECT_EQ(arguments.find_field("right").default_binary().text(), std::string_view("\0\0\0\5", 4));
  const tl::type result = add.result();
  ASSERT_EQ(result.fields().size(), 3u);
  EXPECT_EQ(result.find_field("success").id(), 0);
  EXPECT_EQ(result.find_field("success").type().kind(), tl::type_kind::i32);
  EXPECT_EQ(result.find_field("worse").type().name(), "Worse");
  EXPECT_EQ(result.find_field("bad").requiredness(), tl::field_requiredness::optional);
}

TEST(function_info, knows_oneway_and_void) {
  const tl::function_info log = with_services().service("Shop").find_function("log");
  EXPECT_TRUE(log.oneway());
  EXPECT_EQ(log.returns().kind(), tl::type_kind::void_);
  EXPECT_TRUE(log.result().fields().empty());
  EXPECT_TRUE(with_services().service("Shop").find_function("nothing").arguments().fields().empty());
}

TEST(service_info, and_functions_are_keys_of_unordered_containers) {
  const tl::service_info shop = with_services().service("Shop");
  EXPECT_EQ(shop, with_services().service("Shop"));
  EXPECT_NE(shop, shop.base());
  EXPECT_EQ((std::unordered_set<tl::service_info>{shop, shop.base(), shop}.size()), 2u);
  EXPECT_EQ(shop.find_function("ping"), shop.base().find_function("ping"));
  std::unordered_set<tl::function_info> functions(shop.functions().begin(), shop.functions().end());
  functions.insert(shop.find_function("add"));
  EXPECT_EQ(functions.size(), 3u);
}

TEST(service_info, and_functions_are_printed_by_name) {
  std::ostringstream out;
  const tl::service_info shop = with_services().service("Shop");
  out << shop << ' ' << shop.base() << ' ' << shop.base().base() << ' ' << shop.find_function("add");
  EXPECT_EQ(out.str(), "Shop base.Health (none) add");
}
