#include <thriftlens/http/plan.hpp>

#include "http/sample.hpp"

namespace tl = thriftlens;

namespace {
tl::schema shop() {
  return tl::schema::parse(R"(
    struct Find { 1: required i64 id (api.path="id"), 2: User user }
    struct User { 1: string name (api.header="X-Name", api.query="n") }
    struct Found { 1: string name }
    exception Gone { 1: i32 code (api.http_code=""), 2: string why }
    service Shop {
      Found find(1: Find req) throws (1: Gone gone) (api.get="/find/:id")
      i32 add(1: i64 a (api.query="a"), 2: i64 b (api.query="b"))
    })");
}
template <class Protocol>
std::string read(const tl::http_plan& plan, tl::type of, const tl::http_request& request) {
  const tl::buffer made = plan.request<Protocol>(request);
  return tl::to_json<Protocol>(of, tl::byte_view(made)).str();
}
}  // namespace

TEST(http_plan, of_a_function_fills_its_arguments) {
  const tl::schema schema = shop();
  const tl::function_info find = schema.service("Shop").function("find");
  const tl::http_plan plan = tl::http_plan::compile(find);
  const tl::http_pair path[] = {{"id", "7"}};
  EXPECT_EQ(read<tl::binary>(plan, find.arguments(), {.path_params = path}), R"({"req":{"id":7}})");
  EXPECT_EQ(read<tl::compact>(plan, find.arguments(), {.path_params = path}), R"({"req":{"id":7}})");
  EXPECT_EQ(plan.routes(), (std::vector<tl::http_route>{{"GET", "/find/:id"}}));
  const tl::http_plan add = tl::http_plan::compile(schema.service("Shop").function("add"));
  EXPECT_EQ(read<tl::binary>(add, add.request_type(), {.url = "/?a=1&b=2"}), R"({"a":1,"b":2})");
  EXPECT_FALSE(add.response_type());
}
TEST(http_plan, of_a_function_maps_exceptions) {
  const tl::schema schema = shop();
  const tl::http_plan plan = tl::http_plan::compile(schema.service("Shop").function("find"));
  const tl::buffer gone = tl::from_json<tl::binary>(schema.type("Gone"), R"({"code":410,"why":"w"})");
  const tl::http_response made = plan.response<tl::binary>(gone, schema.type("Gone"));
  EXPECT_EQ(made.status, 410);
  EXPECT_EQ(made.body.text(), R"({"why":"w"})");
  EXPECT_EQ(plan.try_response<tl::binary>(gone, schema.type("User")).error().code(), tl::errc::wrong_type);
}
TEST(http_plan, lists_the_sources_of_fields) {
  const tl::schema schema = shop();
  const auto sources = tl::http_plan::compile(schema.type("Find")).sources();
  ASSERT_EQ(sources.size(), 2u);
  EXPECT_EQ(sources[0].field, "id");
  EXPECT_TRUE(sources[0].required);
  EXPECT_EQ(sources[1].field, "user.name");
  EXPECT_EQ(sources[1].places[1].key, "n");
}
TEST(http_plan, rejects_unsupported_types) {
  const tl::schema schema =
      tl::schema::parse(R"(enum E { A } struct Root { 1: E e, 2: i32 a (api.body="x", api.body="y") })");
  EXPECT_EQ(tl::http_plan::try_compile(schema.type("Root").field("e").type()).error().code(),
            tl::errc::wrong_type);
  EXPECT_EQ(tl::http_plan::try_compile(tl::type()).error().code(), tl::errc::wrong_type);
  EXPECT_EQ(tl::http_plan::try_compile(tl::function_info()).error().code(), tl::errc::unknown_name);
  const tl::http_plan plan = tl::http_plan::compile(schema.type("Root"));
  EXPECT_EQ(plan.faults().size(), 1u);
  EXPECT_EQ(plan.try_request<tl::binary>({}).error().code(), tl::errc::bad_rule);
  EXPECT_EQ(plan.try_response<tl::binary>({}).error().code(), tl::errc::bad_rule);
}
TEST(http_plan, sources_of_recursive_types_are_finite) {
  std::string idl = "struct Root { 1: i32 x (api.query=\"x\")";
  for (int i = 2; i < 40; ++i) idl += ", " + std::to_string(i) + ": Root r" + std::to_string(i);
  const tl::schema schema = tl::schema::parse(idl + " }");
  EXPECT_EQ(tl::http_plan::compile(schema.type("Root")).sources().size(), 1u);
  std::string wide = "struct T0 { 1: i32 x (api.query=\"x\") }";
  for (int i = 1; i < 12; ++i) {
    const std::string below = "T" + std::to_string(i - 1);
    wide += " struct T" + std::to_string(i) + " { 1: " + below + " a, 2: " + below + " b, 3: " + below +
            " c, 4: " + below + " d }";
  }
  const tl::schema many = tl::schema::parse(wide);
  EXPECT_LT(tl::http_plan::compile(many.type("T11")).sources().size(), 20001u);
}
