#include <thriftlens/columns/from_columns.hpp>

#include "columns/samples.hpp"
#include "support/test.hpp"

#include <gmock/gmock.h>

using namespace std::string_literals;
using testing::HasSubstr, thriftlens_test::all_of, thriftlens_test::batch, thriftlens_test::column_schema,
    thriftlens_test::five;

namespace {

// l = [1, 2], m = {"k": {x = 7}}, i = {y = "hi"}, e = B, u.b = "z", b = true, bin = "\xff", id
const std::string& full() {
  static const std::string bytes =
      "\x0f\0\2\x0a\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\x0d\0\3\x0b\x0c\0\0\0\1\0\0\0\1k\x08\0\1\0\0\0\7"
      "\0"
      "\x0c\0\4\x0b\0\2\0\0\0\2hi\0\x08\0\5\0\0\0\3\x0c\0\6\x0b\0\2\0\0\0\1z\0\2\0\7\1\x0b\0\x09\0\0\0\1\xff"
      "\x10\0\x0a\0\1\2\3\4\5\6\7\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\0"s;
  return bytes;
}
std::string byte_text(const tl::buffer& from) { return std::string(tl::byte_view(from).text()); }
std::vector<std::string> texts(const tl::record_column& from) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < from.size(); ++i)
    names.emplace_back(from.is_null(i) ? "null" : std::string(from[i].text()));
  return names;
}
std::vector<std::string> there_and_back(const tl::columns_options& options) {
  tl::columns rows = tl::columns::compile(all_of("Row"), options);
  for (const std::string* text : {&full(), &five()}) rows.append<tl::binary>(*text);
  const batch result(rows);
  return texts(tl::from_columns<tl::binary>(column_schema().type("Row"), result.schema(), result.array()));
}

TEST(from_columns, returns_the_bytes_of_the_columns) {
  const std::vector<std::string> expected = {full(), five()};
  EXPECT_EQ(there_and_back({}), expected);
  EXPECT_EQ(there_and_back({.types = {.enums = tl::enum_values::name, .unions = tl::column_unions::dense}}),
            expected);
  EXPECT_EQ(there_and_back({.types = {.nesting = tl::column_nesting::flat}}), expected);
}

TEST(from_columns, flat_columns_of_structs_in_structs) {
  const tl::schema schema =
      tl::schema::parse("struct C { 1: i32 x } struct B { 1: C c, 2: i32 y } struct A { 1: B b, 2: B d }");
  const tl::type of = schema.type("A");
  const std::vector<std::string> records = {"\x0c\0\1\x0c\0\1\x08\0\1\0\0\0\7\0\0\0"s,
                                            "\x0c\0\2\x08\0\2\0\0\0\x09\0\0"s};
  tl::columns rows =
      tl::columns::compile(tl::selection::all(of), {.types = {.nesting = tl::column_nesting::flat}});
  for (const std::string& record : records) rows.append<tl::binary>(record);
  const batch result(rows);
  EXPECT_EQ(result.text(),
            "{b.c.x=7 b.y=null d.c.x=null d.y=null}\n{b.c.x=null b.y=null d.c.x=null d.y=9}\n");
  EXPECT_EQ(texts(tl::from_columns<tl::binary>(of, result.schema(), result.array())), records);
}

TEST(from_columns, rows_in_compact) {
  tl::columns rows = tl::columns::compile(all_of("Row"));
  rows.append<tl::binary>(five());
  const batch result(rows);
  const auto records =
      tl::from_columns<tl::compact>(column_schema().type("Row"), result.schema(), result.array());
  EXPECT_EQ(texts(records), std::vector<std::string>{"\x15\x0a\0"s});
}

TEST(from_columns, rows_one_at_a_time) {
  tl::columns rows = tl::columns::compile(all_of("In"));
  rows.append<tl::binary>(five());
  rows.append_null();
  const batch result(rows);
  const auto from = tl::arrow_rows::make(column_schema().type("In"), result.schema(), result.array());
  EXPECT_EQ(from.size(), 2u);
  tl::buffer out;
  tl::arrow_rows::encoder<tl::binary> encoder(from, out);
  encoder.append(1);
  encoder.append(0);
  EXPECT_EQ(byte_text(out), "\0"s + five());
  EXPECT_EQ(encoder.try_append(2).error().code(), tl::errc::bad_index);
}

TEST(from_columns, errors_name_row_and_path_and_leave_the_buffer) {
  tl::columns rows =
      tl::columns::compile(all_of("Must"), {.leniency = {.missing_required = tl::on_missing::omit}});
  rows.append<tl::binary>(five());
  rows.append_null();
  rows.append<tl::binary>(five());
  const batch result(rows);
  const tl::type must = column_schema().type("Must");
  const auto failed = tl::try_from_columns<tl::binary>(must, result.schema(), result.array());
  ASSERT_EQ(errc_of(failed), tl::errc::missing_required);
  EXPECT_EQ(failed.error().path(), "$.x");
  EXPECT_THAT(failed.error().what(), HasSubstr("in row 1"));
  const auto from = tl::arrow_rows::make(must, result.schema(), result.array());
  tl::buffer out;
  tl::arrow_rows::encoder<tl::binary> encoder(from, out);
  encoder.append(0);
  EXPECT_FALSE(encoder.try_append(1));
  EXPECT_EQ(byte_text(out), five());
  encoder.append(2);
  EXPECT_EQ(byte_text(out), five() + five());
  const auto partial = tl::from_columns<tl::binary>(must, result.schema(), result.array(),
                                                    {.missing_required = tl::on_missing::omit});
  EXPECT_EQ(texts(partial), (std::vector<std::string>{five(), "\0"s, five()}));
}

TEST(from_columns, output_of_a_record_is_bounded) {
  tl::columns rows = tl::columns::compile(all_of("Row"));
  rows.append<tl::binary>(full());
  const batch result(rows);
  const auto failed = tl::try_from_columns<tl::binary>(column_schema().type("Row"), result.schema(),
                                                       result.array(), {.limits = {.output_size = 20}});
  EXPECT_EQ(failed.error().code(), tl::errc::output_limit);
}

TEST(from_columns, a_record_column_is_an_independent_arrow_array) {
  ArrowSchema schema;
  ArrowArray array, twice;
  {
    tl::columns rows = tl::columns::compile(all_of("In"));
    rows.append<tl::binary>(five());
    const batch result(rows);
    const auto records =
        tl::from_columns<tl::binary>(column_schema().type("In"), result.schema(), result.array());
    tl::record_column::export_schema(schema);
    records.export_array(array);
    records.export_array(twice);
  }
  array.release(&array);
  EXPECT_EQ(array.release, nullptr);
  const auto blobs = tl::arrow_blobs::try_make(schema, twice);
  ASSERT_TRUE(blobs);
  EXPECT_EQ(blobs->try_value(0)->text(), five());
  twice.release(&twice);
  schema.release(&schema);
}

}  // namespace
