#include <thriftlens/schema/schema.hpp>

#include <gmock/gmock.h>

#include <thread>
#include <utility>

namespace tl = thriftlens;
using testing::ElementsAre, testing::HasSubstr;

namespace {
tl::load_options with_base() {
  tl::load_options options;
  options.includes = {
      {"base.thrift",
       "include \"deep.thrift\"\nstruct User { 1: string name }\ntypedef i64 Id\nconst i32 LIMIT = 7"},
      {"deep.thrift", "enum Level { LOW = 1 }"}};
  return options;
}
}  // namespace

TEST(schema, finds_types_of_the_root_of_includes_and_base_types) {
  const tl::schema schema = tl::schema::parse(
      "include \"base.thrift\"\nstruct Order { 1: base.User user, 2: base.Id id }", with_base());
  EXPECT_EQ(schema.type("Order").name(), "Order");
  EXPECT_EQ(schema.type("base.User").name(), "base.User");
  EXPECT_EQ(schema.type("base.Id").kind(), tl::type_kind::i64);
  EXPECT_EQ(schema.type("deep.Level").name(), "deep.Level");
  EXPECT_EQ(schema.type("Order").find_field("user").type(), schema.type("base.User"));
  EXPECT_EQ(schema.type("double").kind(), tl::type_kind::double_);
  EXPECT_EQ(schema.type("byte").kind(), tl::type_kind::i8);
  EXPECT_THAT(schema.type_names(), ElementsAre("Order", "base.User", "base.Id", "deep.Level"));
}

TEST(schema, names_the_nearest_types_when_one_is_not_found) {
  const tl::schema schema =
      tl::schema::parse("include \"base.thrift\"\nstruct Order {} struct Other {}", with_base());
  const auto missing = schema.try_type("order");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), tl::errc::unknown_name);
  EXPECT_THAT(missing.error().what(), HasSubstr("no type named 'order'; did you mean 'Order'"));
  EXPECT_THAT(schema.try_type("User").error().what(), HasSubstr("'base.User'"));
  EXPECT_THAT(schema.try_type("base.Usr").error().what(), HasSubstr("'base.User'"));
  EXPECT_THROW(static_cast<void>(schema.type("zzzzzz")), tl::error);
  EXPECT_FALSE(schema.try_service("Order"));
  EXPECT_FALSE(schema.try_type(""));
}

TEST(schema, returns_constants_as_binary_in_a_namespace_of_their_own) {
  const tl::schema schema = tl::schema::parse(
      "include \"base.thrift\"\nunion Both { 1: i32 a }\nconst list<i32> Both = [1, 2]\nconst i32 LOCAL = "
      "base.LIMIT",
      with_base());
  EXPECT_EQ(schema.type("Both").kind(), tl::type_kind::union_);
  const tl::constant_info both = schema.constant("Both");
  EXPECT_EQ(both.type.kind(), tl::type_kind::list);
  EXPECT_EQ(both.value.text(), std::string_view("\x08\0\0\0\2\0\0\0\1\0\0\0\2", 13));
  EXPECT_EQ(schema.constant("LOCAL").value.text(), std::string_view("\0\0\0\7", 4));
  EXPECT_EQ(schema.constant("base.LIMIT").value.text(), std::string_view("\0\0\0\7", 4));
  EXPECT_FALSE(schema.try_constant("LOCALS"));
  const tl::schema twice = tl::schema::parse("const set<i8> ONCE = [1, 1, 2]");
  EXPECT_EQ(twice.constant("ONCE").value.text(), std::string_view("\x03\0\0\0\2\1\2", 7));
}

template <class Schema>
concept gives_types = requires(Schema&& from) {
  std::forward<Schema>(from).type("S");
  std::forward<Schema>(from).try_type("S");
};
template <class Schema>
concept gives_services = requires(Schema&& from) {
  std::forward<Schema>(from).service("S");
  std::forward<Schema>(from).try_constant("S");
};
static_assert(gives_types<const tl::schema&> && gives_services<tl::schema&>);
static_assert(!gives_types<tl::schema> && !gives_types<const tl::schema> && !gives_services<tl::schema>,
              "their handles would outlive it");

TEST(schema, finds_types_with_a_file_name_shared_by_two_files) {
  const tl::schema schema = tl::schema::parse(
      "include \"a/base.thrift\"\ninclude \"b/base.thrift\"\nstruct S { 1: base.A a, 2: base.B b }\nconst "
      "i32 X = base.N",
      {.includes = {{"a/base.thrift", "struct A {}\nservice Q {}"},
                    {"b/base.thrift", "struct B {}\nconst i32 N = 7\nservice R {}"}}});
  EXPECT_EQ(schema.type("base.A"), schema.type("S").find_field("a").type());
  EXPECT_EQ(schema.type("base.B"), schema.type("S").find_field("b").type());
  EXPECT_TRUE(schema.try_constant("base.N"));
  EXPECT_TRUE(schema.try_service("base.Q"));
  EXPECT_TRUE(schema.try_service("base.R"));
}

TEST(schema, errors_about_names_are_short) {
  const tl::schema schema = tl::schema::parse("struct S {}");
  const std::string_view bytes("a\0b\xff\n", 5);
  EXPECT_STREQ(schema.try_type(bytes).error().what(), "no type named 'a\\u0000b\xef\xbf\xbd\\n'");
  EXPECT_LT(std::string_view(schema.try_type(std::string(1'000'000, 'S')).error().what()).size(), 100u);
}

TEST(schema, reports_all_findings_of_bad_idl) {
  const auto bad =
      tl::schema::try_parse("struct A { 1: Missing m }\nstruct B { 1: Gone g }\n", {}, "bad.thrift");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), tl::errc::schema_invalid);
  EXPECT_EQ(bad.error().diagnostics().size(), 2u);
  EXPECT_THAT(bad.error().what(), HasSubstr("bad.thrift:1:15: error: "));
  EXPECT_THAT(bad.error().what(), HasSubstr("bad.thrift:2:15: error: "));
  EXPECT_FALSE(tl::schema::try_load("/nonexistent/x.thrift"));
}

TEST(schema, is_shared_by_copies_and_threads) {
  tl::type order;
  tl::schema kept = [] { return tl::schema::parse("struct Order { 1: i32 a, 2: string b }"); }();
  order = kept.type("Order");
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([copy = kept, &right] {
      for (int i = 0; i < 1000; ++i) right += copy.type("Order").find_field("b").id() == 2;
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(right, 4000);
  EXPECT_EQ(order.find_field("a").id(), 1);
}
