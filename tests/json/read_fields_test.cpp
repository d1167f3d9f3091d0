#include <thriftlens/json/read/read_fields.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::sample_type;

namespace {

template <class Protocol>
std::string converted(const char* type, const char* json, const tl::from_json_options& options) {
  const tl::result<tl::buffer> outcome = tl::try_from_json<Protocol>(sample_type(type), json, options);
  return outcome ? outcome->str() : outcome.error().what();
}
void expect_same(const char* type, const char* json, const char* as, const tl::from_json_options& options) {
  EXPECT_EQ(converted<tl::binary>(type, json, options), converted<tl::binary>(type, as, {})) << json;
  EXPECT_EQ(converted<tl::compact>(type, json, options), converted<tl::compact>(type, as, {})) << json;
}

}  // namespace

TEST(json_field_writer, null_is_absent) {
  expect_same("Point", R"({"x":null,"y":2})", R"({"y":2})", {});
  expect_same("Pick", R"({"i":null,"s":"a"})", R"({"s":"a"})", {});
  tl::from_json_options defaults;
  defaults.defaults = tl::on_absent::write;
  expect_same("Defaults", R"({"a":null,"s":"z","l":[],"b":null})",
              R"({"s":"z","l":[],"a":7,"b":true,"p":{"x":1}})", defaults);
  EXPECT_NE(converted<tl::binary>("Strict", R"({"must":null,"also":""})", {}).find("$.must"),
            std::string::npos);
  // The null of a struct inside is not one of the struct around it.
  expect_same("Every", R"({"i32":null,"point":{"x":null},"b":true})", R"({"point":{},"b":true})", {});
}

TEST(json_field_writer, the_last_of_equal_keys_counts) {
  tl::from_json_options last;
  last.leniency.duplicates = tl::on_duplicate::last;
  expect_same("Every", R"({"b":true,"i8":1,"b":false,"i8":2})", R"({"b":false,"i8":2})", last);
  expect_same("Every", R"({"b":true,"s":"x","b":null})", R"({"s":"x"})", last);
  expect_same("Pick", R"({"b":true,"i":1,"b":null})", R"({"i":1})", last);
  expect_same("Far", R"({"a":1,"z":5,"b":true,"a":2})", R"({"z":5,"b":true,"a":2})", last);
}

TEST(json_field_writer, a_union_has_one_member) {
  const tl::result<tl::buffer> outcome =
      tl::try_from_json<tl::binary>(sample_type("Pick"), R"({"i":1,"s":"a"})");
  ASSERT_EQ(errc_of(outcome), tl::errc::union_members);
}
