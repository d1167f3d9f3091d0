#include <thriftlens/columns/predicate.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>

#include <gmock/gmock.h>

#include <sstream>

using namespace std::string_literals;
using testing::HasSubstr;

namespace {

const tl::schema& asked_schema() {
  static const tl::schema result = tl::schema::parse(
      "enum Status { NEW = 1, PAID = 2 } struct User { 1: i64 id = 7, 2: string name, 3: double rate }\n"
      "struct Order { 1: i32 id, 2: User user, 3: Status status = Status.NEW, 4: bool open, 5: list<i16> "
      "sizes,\n"
      "  6: map<string, i32> tags, 7: uuid key, 8: i8 small, 9: binary raw, 10: i32 or }\n"
      "union Either { 1: i32 a = 5, 2: string b } struct Deep { 1: User user = {'id': 3}, 2: Either either "
      "}");
  return result;
}
tl::type order() { return asked_schema().type("Order"); }

// id = 5, user = {id = 9, name = "Ann"}, open = true, sizes = [3, 4], tags = {"k": 1}
const std::string& sample_order() {
  static const std::string bytes =
      "\x08\0\1\0\0\0\5\x0c\0\2\x0a\0\1\0\0\0\0\0\0\0\x09\x0b\0\2\0\0\0\3Ann\0\2\0\4\1"
      "\x0f\0\5\6\0\0\0\2\0\3\0\4\x0d\0\6\x0b\x08\0\0\0\1\0\0\0\1k\0\0\0\1\0"s;
  return bytes;
}
bool meets(const char* text, const std::string& bytes = sample_order(),
           const tl::predicate_options& options = {}) {
  return tl::predicate::compile(order(), text, options).matches(tl::view<tl::binary>(bytes, order()));
}
std::string refusal(const char* text, const char* type = "Order", const tl::predicate_options& options = {}) {
  const auto result = tl::predicate::try_compile(asked_schema().type(type), text, options);
  if (result) return "compiled";
  return std::string(to_string(result.error().code())) + ": " + result.error().what();
}

// Conditions with semicolons between them.
std::vector<std::string> conditions(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string condition; std::getline(in >> std::ws, condition, ';');) all.push_back(condition);
  return all;
}

TEST(predicate, comparisons) {
  for (const std::string& condition : conditions(R"(
        id = 5; id == 5; id != 4; id <> 4; id < 6; id <= 5; id > -1; id >= 5; $.id = 5; #1=5;
        user.id = 9; user.name = 'Ann'; user.name < "B"; open = true; open != FALSE; sizes[0] = 3;
        sizes[-1] = 4; tags{"k"} = 1; id in (1, 5); id not in (1, 2); user.name in ('x', 'Ann'))"))
    EXPECT_TRUE(meets(condition.c_str())) << condition;
  for (const char* condition : {"id = 4", "id != 5", "id < 5", "user.name > 'Ann'", "open = false",
                                "id in (1)", "id not in (5)", "sizes[0] > 3"})
    EXPECT_FALSE(meets(condition)) << condition;
}

TEST(predicate, comparing_absent_values_is_unknown) {
  for (const char* condition :
       {"status = NEW", "status != NEW", "not status = NEW", "user.rate < 5", "sizes[9] = 1",
        "tags{\"x\"} = 1", "status in (NEW)", "status not in (NEW)", "id = 4 or status = NEW",
        "not (id = 5 and status = NEW)", "status is not null", "exists status"})
    EXPECT_FALSE(meets(condition)) << condition;
  for (const char* condition :
       {"status is null", "sizes[9] is null", "user is not null", "exists user.name", "exists(tags)",
        "not exists key", "id = 5 or status = NEW", "not (id = 4 and status = NEW)", "tags{\"x\"} is null"})
    EXPECT_TRUE(meets(condition)) << condition;
}

TEST(predicate, binding_and_brackets) {
  EXPECT_TRUE(meets("id = 5 or id = 4 and id = 3"));
  EXPECT_FALSE(meets("(id = 5 or id = 4) and id = 3"));
  EXPECT_TRUE(meets("not id = 4 and id = 5"));
  EXPECT_FALSE(meets("NOT (id = 5 OR id = 4)"));
  EXPECT_TRUE(meets("not not id = 5"));
  EXPECT_TRUE(meets("$.or is null and id=5"));
}

TEST(predicate, literals_of_all_types) {
  const std::string bytes =
      "\x0c\0\2\x04\0\3\x3f\xf8\0\0\0\0\0\0\0\x08\0\3\0\0\0\2"s
      "\x10\0\7\0\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff\3\0\x08\xfe\x0b\0\x09\0\0\0\2\0\xff\0"s;
  for (const char* condition :
       {"user.rate = 1.5", "user.rate > 1", "user.rate < 1e3", "status = PAID", "status = 'PAID'",
        "status = 2", "status = Status.PAID", "status > NEW", "key = '00112233-4455-6677-8899-AABBCCDDEEFF'",
        "small = -2", "small < 127", "raw = '\\u0000\\xff'", "status in (NEW, PAID)"})
    EXPECT_TRUE(meets(condition, bytes)) << condition;
}

TEST(predicate, nan_is_equal_to_nothing) {
  const std::string bytes = "\x0c\0\2\x04\0\3\x7f\xf8\0\0\0\0\0\0\0\0"s;
  EXPECT_FALSE(meets("user.rate = 1", bytes));
  EXPECT_FALSE(meets("user.rate < 1 or user.rate >= 1", bytes));
  EXPECT_TRUE(meets("user.rate != 1", bytes));
}

TEST(predicate, compact_and_null_records) {
  const tl::predicate where = tl::predicate::compile(order(), "id = 5 and status is null");
  const std::string five = "\x15\x0a\0"s, six = "\x15\x0c\0"s;
  EXPECT_TRUE(where.matches(tl::view<tl::compact>(five, order())));
  EXPECT_FALSE(where.matches(tl::view<tl::compact>(six, order())));
  EXPECT_FALSE(where.matches_null());
  EXPECT_TRUE(tl::predicate::compile(order(), "id is null").matches_null());
  EXPECT_EQ(where.text(), "id = 5 and status is null");
  EXPECT_EQ(where.from(), order());
}

TEST(predicate, defaults_on_request) {
  const tl::predicate_options write{.defaults = tl::on_absent::write};
  EXPECT_TRUE(meets("status = NEW and status is not null", sample_order(), write));
  EXPECT_FALSE(meets("user.id = 7", sample_order(), write));
  EXPECT_TRUE(meets("user.id = 7", "\x0c\0\2\0\0"s, write));
  EXPECT_FALSE(meets("user.id = 7", "\0"s, write));
  EXPECT_TRUE(meets("user.id is null", "\0"s, write));
  EXPECT_EQ(refusal("user.id = 1", "Deep", write).substr(0, 10), "bad_option");
  EXPECT_EQ(refusal("either.a = 5", "Deep", write), "compiled");
}

TEST(predicate, invalid_comparisons) {
  EXPECT_EQ(refusal("idd = 5"),
            "no_such_field: no field 'idd' in Order; did you mean 'id'? (byte 0 of the condition)");
  EXPECT_EQ(refusal("id = 5 and user.nmae = 'x'"),
            "no_such_field: no field 'nmae' in User; did you mean 'name'? (byte 15 of the condition)");
  EXPECT_EQ(refusal("status = PIAD"),
            "unknown_enum_name: no member 'PIAD' in Status; did you mean 'PAID'? (byte 9 of the condition)");
  EXPECT_EQ(refusal("id = 'x'"),
            "value_type: expected an integer to compare with i32 (byte 5 of the condition)");
  for (const char* condition : {"id = 2.5", "id = 1e3", "id = x", "user.name = 5", "open = 1",
                                "user.rate = 'x'", "key = 'no uuid'", "user.name = Ann", "id in ()"})
    EXPECT_THAT(refusal(condition), HasSubstr("value_type: expected")) << condition;
  for (const char* condition :
       {"small = 128", "id = 3000000000", "id = 99999999999999999999", "small in (1, -129)"})
    EXPECT_THAT(refusal(condition), HasSubstr("value_range")) << condition;
  for (const char* condition : {"user = 5", "sizes = 1", "open < true", "sizes[*] = 1", "tags{*} = 1",
                                "tags{key 0} = 'k'", "id.x = 5"})
    EXPECT_THAT(refusal(condition), HasSubstr("wrong_type")) << condition;
}

TEST(predicate, syntax_errors) {
  for (const std::string& condition : conditions(R"(
        id; id =; id = 5 and; (id = 5; id = 5); id is; id is not 5; id in 5; id in (5; id not 5; exists;
        exists(id; user.name = 'x; id = null; status = null; 5 = id; id = 5 id = 4; not; sizes[ = 1;
        tags{"k = 1; id ~ 5; user. = 1)"))
    EXPECT_THAT(refusal(condition.c_str()), HasSubstr("path_syntax")) << condition;
  for (const char* blank : {"", " "}) EXPECT_THAT(refusal(blank), HasSubstr("path_syntax"));
  EXPECT_THAT(refusal((std::string(100, '(') + "id = 5" + std::string(100, ')')).c_str()),
              HasSubstr("depth_limit"));
  EXPECT_THAT(refusal((std::string(63, '(') + "id = 5" + std::string(63, ')')).c_str()), "compiled");
  std::string deep = "id = 1";
  for (int i = 0; i < 62; ++i) deep = "id = 2 or id = 3 and (" + deep + ')';
  EXPECT_FALSE(meets(deep.c_str()));
  EXPECT_EQ(tl::predicate::try_compile(tl::type(), "id = 5").error().code(), tl::errc::wrong_type);
}

TEST(predicate, malformed_bytes_are_an_error) {
  const tl::predicate where = tl::predicate::compile(order(), "user.id = 9");
  const auto request = [&](const std::string& bytes) {
    return where.try_matches(tl::view<tl::binary>(bytes, order()));
  };
  const auto cut = request(sample_order().substr(0, 15));
  ASSERT_EQ(errc_of(cut), tl::errc::truncated);
  EXPECT_EQ(cut.error().path(), "$.user.id");
  EXPECT_EQ(request("\x08\0\2\0\0\0\1\0"s).error().code(), tl::errc::type_mismatch);
  EXPECT_TRUE(*request(sample_order().substr(0, 24)));  // the rest is not read
}

TEST(predicate, many_paths) {
  std::string text = "id = 5";
  for (int i = 0; i < 20; ++i) text += " and sizes[" + std::to_string(i + 5) + "] is null";
  EXPECT_TRUE(meets(text.c_str()));
}

}  // namespace
