#include <thriftlens/columns/columns.hpp>

#include "columns/samples.hpp"
#include "support/test.hpp"

#include <gmock/gmock.h>

using namespace std::string_literals;
using testing::HasSubstr, thriftlens_test::all_of, thriftlens_test::batch, thriftlens_test::column_schema,
    thriftlens_test::five;

namespace {

std::string rows_of(const std::vector<std::string>& records, const tl::selection& selected,
                    const tl::columns_options& options = {}) {
  tl::columns rows = tl::columns::compile(selected, options);
  for (std::size_t i = 0; i < records.size(); ++i)
    rows.append<tl::binary>(records[i], static_cast<std::int64_t>(i));
  return batch(rows).text();
}
/// Of bytes that need not live on.
tl::result<void> add(tl::columns& rows, const std::string& record, std::int64_t number = 0,
                     std::int64_t offset = 0) {
  return rows.try_append<tl::binary>(record, number, offset);
}
tl::selection pick(const char* type, const char* text) {
  return tl::selection::compile(column_schema().type(type), text);
}

TEST(columns, absent_fields_are_null) {
  EXPECT_EQ(rows_of({five(), "\0"s}, pick("Row", "{ a i s }")),
            "{a=5 i=null s=null}\n{a=null i=null s=null}\n");
}

TEST(columns, containers_and_structs) {
  const std::string record =
      "\x0f\0\2\x0a\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2"s  // l = [1, 2]
      "\x0d\0\3\x0b\x0c\0\0\0\1\0\0\0\1k\x08\0\1\0\0\0\7\0"s   // m = {"k": {x = 7}}
      "\x0c\0\4\x0b\0\2\0\0\0\2hi\0"s                          // i = {y = "hi"}
      "\0"s;
  EXPECT_EQ(rows_of({record, five()}, pick("Row", "{ a l m i }")),
            "{a=null l=[1 2] m=[{key=\"k\" value={x=7 y=null}}] i={x=null y=\"hi\"}}\n{a=5 l=null m=null "
            "i=null}\n");
  EXPECT_EQ(rows_of({record}, pick("Row", "{ i }"), {.types = {.nesting = tl::column_nesting::flat}}),
            "{i.x=null i.y=\"hi\"}\n");
}

TEST(columns, nested_structs_become_flat_columns) {
  const tl::schema schema = tl::schema::parse(
      "struct C { 1: i32 x, 2: i32 y } union U { 1: C c } struct B { 1: C c, 2: list<C> l, 3: U u }\n"
      "struct A { 1: B b }");
  const tl::selection selected = tl::selection::all(schema.type("A"));
  const std::string text = "\x0c\0\1\x0c\0\1\x08\0\1\0\0\0\7\0\x0f\0\2\x0c\0\0\0\1\0\0\0"s, none = "\0"s;
  EXPECT_EQ(rows_of({text, none}, selected, {.types = {.nesting = tl::column_nesting::flat}}),
            "{b.c.x=7 b.c.y=null b.l=[{x=null y=null}] b.u.c.x=null b.u.c.y=null}\n"
            "{b.c.x=null b.c.y=null b.l=null b.u.c.x=null b.u.c.y=null}\n");
  EXPECT_EQ(rows_of({none}, selected,
                    {.types = {.unions = tl::column_unions::dense, .nesting = tl::column_nesting::flat}}),
            "{b.c.x=null b.c.y=null b.l=null b.u=:none}\n");
}

TEST(columns, enums_and_unions) {
  const std::string named = "\x08\0\5\0\0\0\3\x0c\0\6\x08\0\1\0\0\0\2\0\0"s,
                    unnamed = "\x08\0\5\0\0\0\x11\0"s;
  EXPECT_EQ(rows_of({named, unnamed}, pick("Row", "{ e u }")), "{e=3 u={a=2 b=null}}\n{e=17 u=null}\n");
  EXPECT_EQ(rows_of({named, unnamed}, pick("Row", "{ e u }"),
                    {.types = {.enums = tl::enum_values::name, .unions = tl::column_unions::dense}}),
            "{e=\"B\" u=a:2}\n{e=\"17\" u=:none}\n");
}

TEST(columns, lists_of_structs_have_one_row_per_element) {
  const tl::schema schema = tl::schema::parse("struct P { 1: i32 x } struct L { 1: list<P> all }");
  tl::columns rows = tl::columns::compile(tl::selection::all(schema.type("L").field("all").type()));
  EXPECT_TRUE(add(rows, "\x0c\0\0\0\2\x08\0\1\0\0\0\1\0\0"s));
  EXPECT_EQ(batch(rows).text(), "{x=1}\n{x=null}\n");
}

TEST(columns, an_invalid_record_adds_no_row) {
  // Truncated inside the map's value, with further columns after it.
  const std::string broken =
      "\x0f\0\2\x0a\0\0\0\1\0\0\0\0\0\0\0\1\x0c\0\6\x08\0\1\0\0\0\2\0\x0d\0\3\x0b\x0c\0\0\0\1\0\0\0\1k\x08\0\1\0\0"s;
  const tl::selection selected = pick("Row", "{ a l m u b }");
  for (const tl::column_unions unions : {tl::column_unions::structure, tl::column_unions::dense}) {
    tl::columns rows = tl::columns::compile(selected, {.types = {.unions = unions}});
    rows.append<tl::binary>(five());
    const tl::result<void> status = rows.try_append<tl::binary>(broken);
    ASSERT_EQ(errc_of(status), tl::errc::truncated);
    EXPECT_EQ(status.error().path(), "$.m{\"k\"}.x");
    rows.append<tl::binary>(five());
    const std::string none = unions == tl::column_unions::dense ? ":none" : "null";
    const std::string row = "{a=5 l=null m=null u=" + none + " b=null}\n";
    EXPECT_EQ(batch(rows).text(), row + row);
  }
}

TEST(columns, errors_become_nulls_with_reasons_or_no_rows) {
  const tl::columns_options null = {.on_error = tl::on_record_error::null,
                                    .extras = {.record = "n", .offset = "at", .reason = "why"}};
  tl::columns rows = tl::columns::compile(pick("Row", "{ a }"), null);
  rows.append<tl::binary>(five(), 7, 100);
  EXPECT_TRUE(add(rows, "\x08\0\1\0"s, 8, 108));
  EXPECT_EQ(rows.rejected().size(), 1u);
  EXPECT_EQ(rows.rejected()[0].record, 8);
  EXPECT_THAT(batch(rows).text(),
              HasSubstr("{a=5 n=7 at=100 why=null}\n{a=null n=8 at=108 why=\"the data ends"));
  tl::columns fewer = tl::columns::compile(pick("Row", "{ a }"), {.on_error = tl::on_record_error::skip});
  EXPECT_TRUE(add(fewer, "\x08"s, 1));
  fewer.append<tl::binary>(five(), 2);
  EXPECT_EQ(batch(fewer).text(), "{a=5}\n");
  EXPECT_EQ(fewer.rejected()[0].reason.code(), tl::errc::truncated);
}

template <class P>
void expect_unknown(const std::string& unknown, const std::string& record) {
  const tl::columns_options options = {.on_error = tl::on_record_error::null,
                                       .extras = {.unknown_fields = "rest"}};
  tl::columns rows = tl::columns::compile(pick("Row", "{ a }"), options);
  rows.append<P>(record);
  const std::string nothing("\0", 1);
  rows.append<P>(nothing);
  rows.append<P>(std::string_view(record).substr(0, record.size() - 1));
  rows.append_null();
  const std::string null = "{a=null rest=null}\n";
  EXPECT_EQ(batch(rows).text(), "{a=5 rest=\"" + unknown + "\"}\n" + null + null + null);
}

TEST(columns, unknown_fields_are_a_separate_struct) {
  // A bool and a string before a = 5, and a struct after it; nothing for the struct that the IDL declares.
  const std::string text = "\x02\0\x15\1\x0b\0\x14\0\0\0\2hi"s, two = "\x0c\0\x1e\x08\0\1\0\0\0\7\0"s;
  expect_unknown<tl::binary>(text + two + '\0', text + "\x08\0\1\0\0\0\5"s + two + '\0');
  // Headers are rewritten if the previous field is dropped: #11 was 1 + 10.
  expect_unknown<tl::compact>("\xb1\x16\x0e\0"s, "\x15\x0a\xa1\x16\x0e\0"s);
  EXPECT_EQ(
      tl::columns::try_compile(pick("Row", "{ a }"), {.extras = {.unknown_fields = "a"}}).error().code(),
      tl::errc::bad_option);
}

TEST(columns, required_fields_and_defaults) {
  tl::columns must = tl::columns::compile(all_of("Must"));
  const tl::result<void> status = add(must, "\0"s);
  ASSERT_EQ(errc_of(status), tl::errc::missing_required);
  EXPECT_EQ(status.error().path(), "$.x");
  EXPECT_EQ(
      rows_of({"\0"s}, all_of("Must"),
              {.defaults = tl::on_absent::write, .leniency = {.missing_required = tl::on_missing::omit}}),
      "{x=null y=9}\n");
}

TEST(columns, contradicting_wire_types_are_errors) {
  tl::columns rows = tl::columns::compile(all_of("Row"));
  const auto code = [&](const std::string& bytes) {
    return rows.try_append<tl::binary>(bytes).error().code();
  };
  EXPECT_EQ(code("\x0a\0\1\0\0\0\0\0\0\0\0\0"s), tl::errc::type_mismatch);
  EXPECT_EQ(code(five() + "x"), tl::errc::trailing_bytes);
  EXPECT_EQ(code("\x08\0\1\0\0\0\1\x08\0\1\0\0\0\1\0"s), tl::errc::duplicate_field);
  EXPECT_EQ(code("\x0b\0\x08\0\0\0\1\xff\0"s), tl::errc::invalid_utf8);
  EXPECT_EQ(code("\x0c\0\6\x08\0\1\0\0\0\1\x0b\0\2\0\0\0\0\0\0"s), tl::errc::union_members);
  EXPECT_EQ(code("\x0d\0\3\x0b\x0c\0\0\0\2\0\0\0\1k\0\0\0\0\1k\0\0"s), tl::errc::duplicate_key);
  EXPECT_EQ(rows.rows(), 0u);
}

TEST(columns, a_condition_selects_rows) {
  const std::string six = "\x08\0\1\0\0\0\6\x0b\0\x08\0\0\0\1\xff\0"s;  // its string is empty
  const tl::predicate where = tl::predicate::compile(column_schema().type("Row"), "a = 5 or b is not null");
  tl::columns rows = tl::columns::compile(pick("Row", "{ a s }"), where, {.extras = {.record = "n"}});
  rows.append<tl::binary>(six, 1);
  rows.append<tl::binary>(five(), 2);
  rows.append_null(3);
  EXPECT_EQ(rows.rows(), 1u);
  const tl::result<void> broken = add(rows, "\x08\0\1\0"s, 4);
  ASSERT_EQ(errc_of(broken), tl::errc::truncated);
  EXPECT_EQ(broken.error().path(), "$.a");
  EXPECT_EQ(batch(rows).text(), "{a=5 s=null n=2}\n");
  const auto other = tl::columns::try_compile(all_of("In"), where);
  EXPECT_EQ(other.error().code(), tl::errc::wrong_type);
  EXPECT_EQ(rows.where()->text(), where.text());
}

TEST(columns, a_condition_on_elements_of_a_list) {
  const tl::schema schema = tl::schema::parse("struct P { 1: i32 x } struct L { 1: list<P> all }");
  const tl::type list = schema.type("L").field("all").type();
  tl::columns rows =
      tl::columns::compile(tl::selection::all(list), tl::predicate::compile(list.element(), "x > 1"));
  const std::string three = "\x0c\0\0\0\3\x08\0\1\0\0\0\1\0\x08\0\1\0\0\0\2\0\0"s;
  EXPECT_TRUE(add(rows, three));
  const tl::result<void> broken = add(rows, "\x0c\0\0\0\2\x08\0\1\0\0\0\1\0\x08\0\1\0\0"s);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().path(), "$[1].x");
  EXPECT_FALSE(add(rows, "\x0c\0\0\0\1\x08\0\1\0\0\0\1\x09"s));
  EXPECT_EQ(batch(rows).text(), "{x=2}\n");
}

TEST(columns, output_is_bounded) {
  const tl::schema wide =
      tl::schema::parse("struct W { 1: i64 a 2: i64 b 3: i64 c 4: i64 d } struct L { 1: list<W> w }");
  tl::columns rows =
      tl::columns::compile(tl::selection::all(wide.type("L")), {.limits = {.output_size = 1000}});
  const std::string many = "\x0f\0\1\x0c\0\0\0\x64"s + std::string(100, '\0') + '\0';
  EXPECT_EQ(add(rows, many).error().code(), tl::errc::output_limit);
}

TEST(columns, forks_share_a_plan_and_no_rows) {
  tl::columns first = tl::columns::compile(pick("Row", "{ a }"));
  first.append<tl::binary>(five());
  tl::columns two = first.fork();
  two.append_null();
  EXPECT_EQ(batch(first).text(), "{a=5}\n");
  EXPECT_EQ(batch(two).text(), "{a=null}\n");
  EXPECT_EQ(first.rows(), 0u);
}

TEST(columns, expected_rows_change_memory_alone) {
  std::string record = "\x0b\0\x08\0\0\1\0"s + std::string(256, 'x') + "\0"s;
  tl::columns rows = tl::columns::compile(pick("Row", "{ a s }"));
  rows.expect(100, 1000);  // nothing is known yet
  for (int i = 0; i < 8; ++i) rows.append<tl::binary>(record);
  rows.expect(1000, record.size() * 1000);
  rows.expect(4, 0);
  rows.expect(1000000, 1);  // more than the bytes allow
  for (int i = 0; i < 8; ++i) rows.append<tl::binary>(record);
  const batch result(rows);
  EXPECT_EQ(result.array().length, 16);
  const std::string row = "{a=null s=\"" + std::string(256, 'x') + "\"}\n";
  std::string joined;
  for (int i = 0; i < 16; ++i) joined += row;
  EXPECT_EQ(result.text(), joined);
}

}  // namespace
