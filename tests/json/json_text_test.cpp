#include <thriftlens/json/json_text.hpp>

#include <thriftlens/json/to_json.hpp>
#include <thriftlens/rpc/answer.hpp>
#include <thriftlens/rpc/call.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

#include <thriftlens/edit/edit.hpp>

template <class Protocol>
class json_text : public testing::Test {
 protected:
  tl::type every = thriftlens_test::sample_type("Every");
  tl::buffer bytes =
      tl::from_json<Protocol>(every, R"({"b":true,"points":[{"x":1},{"y":2}],"by_name":{"a":5}})");
};
TYPED_TEST_SUITE(json_text, protocols);

TYPED_TEST(json_text, is_read_as_the_type_at_the_path) {
  const tl::view<TypeParam> v(this->bytes, this->every);
  const tl::buffer out = tl::edit(v)
                             .set("$.points[0]", tl::json_text{R"({"x":7,"y":8})"})
                             .append("$.points", tl::json_text{R"({})"})
                             .set("$.by_name", tl::json_text{R"({"b":1,"c":2})"})
                             .set("$.b", tl::json_text{" false "})
                             .apply();
  EXPECT_EQ(tl::to_json<TypeParam>(this->every, out).str(),
            R"({"b":false,"points":[{"x":7,"y":8},{"y":2},{}],"by_name":{"b":1,"c":2}})");
}

TYPED_TEST(json_text, invalid_text_changes_nothing) {
  const tl::view<TypeParam> v(this->bytes, this->every);
  const auto refused = [&](const char* path, const char* text) {
    tl::buffer out;
    const auto status = tl::edit(v).set(path, tl::json_text{text}).try_append_to(out);
    EXPECT_EQ(out.size(), 0u);
    return status ? tl::errc::ok : status.error().code();
  };
  EXPECT_EQ(refused("$.points[0]", "[1]"), tl::errc::json_type);
  EXPECT_EQ(refused("$.points[0]", R"({"z":1})"), tl::errc::unknown_key);
  EXPECT_EQ(refused("$.b", "true false"), tl::errc::json_syntax);
  EXPECT_EQ(refused("$.b", ""), tl::errc::json_syntax);
  EXPECT_EQ(tl::edit(v).set("$.b", tl::json_text{"1.5"}).try_apply().error().path(), "$.b");
}

TYPED_TEST(json_text, errors_have_the_path_inside_it) {
  const tl::view<TypeParam> v(this->bytes, this->every);
  const auto refused = [&](const char* text) {
    return tl::edit(v).set("$.points[0]", tl::json_text{text}).try_apply().error();
  };
  EXPECT_STREQ(refused(R"({"x":1,"y":"no"})").what(),
               "expected i32, found string at $.points[0].y (byte 11, line 1 column 12)");
  EXPECT_STREQ(refused(R"({"nope":1})").what(),
               "no field 'nope' in Point at $.points[0] (byte 1, line 1 column 2)");
  EXPECT_EQ(refused(R"({"x":1,)").source(), tl::error_source::json);
}

TEST(json_text, is_the_arguments_of_a_call_and_the_result_of_a_reply) {
  const tl::schema schema =
      tl::schema::parse("struct I {1: i64 id} service S {I find(1: i64 id, 2: bool b)}");
  const tl::function_info find = schema.service("S").function("find");
  const tl::buffer call = tl::write_call<tl::binary>(find, tl::json_text{R"({"id":5,"b":true})"}, 3);
  const auto read = tl::read_call<tl::binary>(schema.service("S"), call);
  EXPECT_EQ(tl::to_json(read.arguments).str(), R"({"id":5,"b":true})");
  const tl::buffer answer = tl::write_reply<tl::binary>(find, tl::json_text{R"({"id":6})"}, 3);
  EXPECT_EQ(tl::to_json(tl::read_reply<tl::binary>(find, 3, answer).value).str(), R"({"id":6})");
  const auto failed = tl::try_write_call<tl::binary>(find, tl::json_text{R"({"id":"x"})"});
  EXPECT_EQ(failed.error().code(), tl::errc::json_type);
  EXPECT_EQ(failed.error().path(), "$.id");
}
