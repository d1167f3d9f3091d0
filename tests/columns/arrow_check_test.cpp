#include <thriftlens/columns/arrow_check.hpp>

#include "columns/samples.hpp"
#include "support/test.hpp"

#include <thriftlens/columns/arrow_owner.hpp>

using thriftlens_test::all_of, thriftlens_test::batch, tl::detail::try_check_array;

namespace {

/// An array with buffers that the tests damage.
struct damaged_array {
  ArrowSchema schema{};
  ArrowArray array{};
  std::vector<std::uint8_t> validity, values, data;
  std::vector<std::int32_t> offsets;

  explicit damaged_array(const char* format) {
    schema.format = format;
    schema.name = "";
    schema.flags = ARROW_FLAG_NULLABLE;
    schema.release = [](ArrowSchema* of) { of->release = nullptr; };
  }
  damaged_array(const damaged_array&) = delete;
  damaged_array& operator=(const damaged_array&) = delete;
  ~damaged_array() {
    if (array.release != nullptr) array.release(&array);
  }
  void own(std::int64_t length, std::int64_t nulls) {
    auto owner = std::make_unique<tl::detail::arrow_array_owner>();
    owner->format = schema.format;
    owner->add_buffer(validity.empty() ? nullptr : validity.data(), validity.size());
    if (!offsets.empty()) owner->add_buffer(offsets.data(), offsets.size() * sizeof offsets[0]);
    if (offsets.empty() || !data.empty() || *schema.format != '+')
      owner->add_buffer(offsets.empty() ? values.data() : data.data(),
                        offsets.empty() ? values.size() : data.size());
    array.length = length;
    array.null_count = nulls;
    tl::detail::give_owner(array, std::move(owner));
  }
  [[nodiscard]] std::string fault() const {
    const auto checked = try_check_array(schema, array);
    return checked ? "good" : std::string(checked.error().detail());
  }
};

TEST(arrow_check, accepts_what_columns_export) {
  for (const auto enums : {tl::enum_values::number, tl::enum_values::name, tl::enum_values::string}) {
    tl::columns rows =
        tl::columns::compile(all_of("Row"), {.types = {.enums = enums, .unions = tl::column_unions::dense}});
    rows.append<tl::binary>(thriftlens_test::five());
    rows.append_null();
    const batch result(rows);
    EXPECT_TRUE(try_check_array(result.schema(), result.array()));
  }
}

TEST(arrow_check, sizes_of_buffers) {
  for (const auto& [format, width] :
       {std::pair("c", 1u), {"s", 2u}, {"i", 4u}, {"l", 8u}, {"g", 8u}, {"w:16", 16u}}) {
    damaged_array of(format);
    of.values.resize(3 * width);
    of.own(3, 0);
    EXPECT_EQ(of.fault(), "good") << format;
    of.array.length = 4;
    EXPECT_EQ(of.fault(), "the buffers of the Arrow array are too short for its length") << format;
    of.array.length = 2;
    of.array.offset = 2;
    EXPECT_EQ(of.fault(), "the buffers of the Arrow array are too short for its length") << format;
    of.array.offset = INT64_MAX;
    EXPECT_NE(of.fault(), "good") << format;
    of.array.offset = -1;
    EXPECT_NE(of.fault(), "good") << format;
  }
}

TEST(arrow_check, null_counts) {
  damaged_array of("c");
  of.values.resize(9);
  of.validity = {0xfe, 0x01};
  of.own(9, 1);
  EXPECT_EQ(of.fault(), "good");
  of.array.null_count = -1;
  EXPECT_EQ(of.fault(), "good");
  of.array.null_count = 0;
  EXPECT_EQ(of.fault(), "expected 0 nulls, found 1");
  of.array.null_count = 1;
  of.schema.flags = 0;
  EXPECT_EQ(of.fault(), "a column that is not nullable has nulls");
}

TEST(arrow_check, offsets) {
  for (const char* const format : {"u", "z"}) {
    damaged_array of(format);
    of.offsets = {0, 1, 3};
    of.data = {'a', 'b', 'c'};
    of.own(2, 0);
    EXPECT_EQ(of.fault(), "good");
    of.offsets = {0, 2, 1};
    EXPECT_EQ(of.fault(), "the offsets are not ascending");
    of.offsets = {-1, 1, 2};
    EXPECT_EQ(of.fault(), "the offsets are not ascending");
    of.offsets = {0, 1, 4};
    EXPECT_EQ(of.fault(), "the offsets are past the end of the data");
  }
}

TEST(arrow_check, utf8) {
  damaged_array of("u");
  of.offsets = {0, 2, 4};
  of.data = {0xc3, 0xa9, 'a', 'b'};
  of.validity = {0x03};
  of.own(2, 0);
  EXPECT_EQ(of.fault(), "good");
  of.offsets = {0, 1, 4};  // a character that two strings share
  EXPECT_EQ(of.fault(), "a column of strings has invalid UTF-8");
  of.offsets = {0, 2, 4};
  of.data[3] = 0xff;
  EXPECT_EQ(of.fault(), "a column of strings has invalid UTF-8");
  of.validity[0] = 0x01;  // bytes of a null are not text
  of.array.null_count = 1;
  EXPECT_EQ(of.fault(), "good");
}

TEST(arrow_check, children_and_dictionaries) {
  tl::columns rows = tl::columns::compile(all_of("Row"), {.types = {.enums = tl::enum_values::name}});
  rows.append<tl::binary>(thriftlens_test::five());
  const batch result(rows);
  ArrowArray array = result.array();
  ArrowSchema schema = result.schema();
  EXPECT_TRUE(try_check_array(schema, array));
  array.length = 2;
  EXPECT_EQ(try_check_array(schema, array).error().path(), "$.a");
  array.length = 1;
  array.n_children = 9;
  EXPECT_FALSE(try_check_array(schema, array));
  schema.n_children = 9;
  EXPECT_TRUE(try_check_array(schema, array));
  array.children = nullptr;
  EXPECT_FALSE(try_check_array(schema, array));
  ArrowArray names = *result.array().children[4];
  names.dictionary = nullptr;
  EXPECT_FALSE(try_check_array(*result.schema().children[4], names));
  names.release = [](ArrowArray*) {};
  EXPECT_FALSE(try_check_array(*result.schema().children[4], names));
}

}  // namespace
