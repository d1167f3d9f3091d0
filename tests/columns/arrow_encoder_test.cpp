#include <thriftlens/columns/arrow_encoder.hpp>

#include "columns/samples.hpp"
#include "support/test.hpp"

using namespace std::string_literals;
using thriftlens_test::column_schema;

namespace {

ArrowSchema schema_of(const char* format, const char* name = nullptr) {
  ArrowSchema result{};
  result.format = format;
  result.name = name;
  result.release = [](ArrowSchema*) {};
  return result;
}
ArrowArray array_of(std::int64_t length, std::int64_t n_buffers, const void** buffers) {
  ArrowArray result{};
  result.length = length;
  result.n_buffers = n_buffers;
  result.buffers = buffers;
  result.release = [](ArrowArray*) {};
  return result;
}

/// A struct of one column, whose buffers are the test's.
class one_column {
 public:
  one_column(const char* name, const char* format) {
    schema_.name = name;
    schema_.format = format;
    outer_schema_.format = "+s";
    outer_.n_buffers = 1;
    outer_.buffers = &none_;
    for (ArrowSchema* item : {&schema_, &outer_schema_}) item->release = [](ArrowSchema*) {};
    for (ArrowArray* item : {&array_, &outer_}) item->release = [](ArrowArray*) {};
    outer_schema_.children = &schema_at_;
    outer_.children = &array_at_;
    outer_schema_.n_children = outer_.n_children = 1;
  }
  ArrowSchema& schema() { return schema_; }
  ArrowArray& array() { return array_; }
  /// Of rows of a type: the bytes, or the code and path of the error.
  std::string encoded(const char* type, std::int64_t rows) {
    outer_.length = array_.length = rows;
    const auto tree = tl::detail::arrow_source_tree::try_make(column_schema().type(type), outer_schema_,
                                                              outer_, tl::on_unknown::error, {});
    if (!tree) return std::string(to_string(tree.error().code())) + ' ' + tree.error().path();
    tl::buffer out;
    tl::detail::arrow_encoder<tl::binary> encoder(*tree, out, tl::on_missing::error,
                                                  tl::on_invalid_utf8::error, tl::limits{}.max_given());
    for (std::int64_t i = 0; i < rows; ++i) {
      if (encoder.row(static_cast<std::size_t>(i))) continue;
      const tl::error fault = encoder.failure();
      return std::string(to_string(fault.code())) + ' ' + fault.path();
    }
    return std::string(tl::byte_view(out).text());
  }

 private:
  ArrowSchema schema_{}, outer_schema_{};
  ArrowArray array_{}, outer_{};
  ArrowSchema* schema_at_ = &schema_;
  ArrowArray* array_at_ = &array_;
  const void* none_ = nullptr;
};

TEST(arrow_encoder, numbers_are_checked) {
  const std::int64_t values[] = {5, std::int64_t{1} << 31};
  const void* buffers[] = {nullptr, values};
  one_column from("a", "l");
  from.array().n_buffers = 2;
  from.array().buffers = buffers;
  EXPECT_EQ(from.encoded("Row", 1), "\x08\0\1\0\0\0\5\0"s);
  EXPECT_EQ(from.encoded("Row", 2), "value_range $.a");
  const std::uint8_t second = 1;
  buffers[0] = &second;
  from.array().null_count = -1;
  EXPECT_EQ(from.encoded("Row", 2), "\x08\0\1\0\0\0\5\0\0"s);
}

TEST(arrow_encoder, offsets_out_of_range_are_errors) {
  one_column from("l", "+l");
  ArrowSchema item = schema_of("l");
  const std::int64_t values[] = {1, 2};
  const void* item_buffers[] = {nullptr, values};
  ArrowArray items = array_of(2, 2, item_buffers);
  ArrowSchema* item_at = &item;
  ArrowArray* items_at = &items;
  from.schema().children = &item_at;
  from.array().children = &items_at;
  from.schema().n_children = from.array().n_children = 1;
  from.array().n_buffers = 2;
  const auto with = [&](std::int32_t begin, std::int32_t end) {
    const std::array<std::int32_t, 2> offsets = {begin, end};
    const void* buffers[] = {nullptr, offsets.data()};
    from.array().buffers = buffers;
    return from.encoded("Row", 1);
  };
  EXPECT_EQ(with(1, 2), "\x0f\0\2\x0a\0\0\0\1\0\0\0\0\0\0\0\2\0"s);
  EXPECT_EQ(with(0, 3), "wrong_type $.l");
  EXPECT_EQ(with(2, 1), "wrong_type $.l");
  EXPECT_EQ(with(-1, 1), "wrong_type $.l");
  EXPECT_EQ(with(0x7fffffff, 0x7fffffff), "wrong_type $.l");
}

TEST(arrow_encoder, indices_of_dictionaries_and_unions_are_checked) {
  one_column from("s", "c");
  const std::int32_t offsets[] = {0, 1, 2};
  const void* text_buffers[] = {nullptr, offsets, "ab"};
  ArrowSchema text = schema_of("u");
  ArrowArray text_array = array_of(2, 3, text_buffers);
  from.schema().dictionary = &text;
  from.array().dictionary = &text_array;
  from.array().n_buffers = 2;
  const auto with = [&](std::int8_t index) {
    const void* buffers[] = {nullptr, &index};
    from.array().buffers = buffers;
    return from.encoded("Row", 1);
  };
  EXPECT_EQ(with(1), "\x0b\0\x08\0\0\0\1b\0"s);
  EXPECT_EQ(with(2), "wrong_type $.s");
  EXPECT_EQ(with(-1), "wrong_type $.s");

  one_column chosen("u", "+ud:0,5");
  const std::int32_t numbers[] = {7};
  const void* number_buffers[] = {nullptr, numbers};
  ArrowSchema a = schema_of("i", "a"), none = schema_of("n");
  ArrowArray as = array_of(1, 2, number_buffers), nones = array_of(0, 0, nullptr);
  ArrowSchema* schemas[] = {&a, &none};
  ArrowArray* arrays[] = {&as, &nones};
  chosen.schema().children = schemas;
  chosen.array().children = arrays;
  chosen.schema().n_children = chosen.array().n_children = 2;
  chosen.array().n_buffers = 2;
  const auto of = [&](std::int8_t id, std::int32_t position) {
    const void* buffers[] = {&id, &position};
    chosen.array().buffers = buffers;
    return chosen.encoded("Row", 1);
  };
  EXPECT_EQ(of(0, 0), "\x0c\0\6\x08\0\1\0\0\0\7\0\0"s);
  EXPECT_EQ(of(5, 0), "\0"s);
  EXPECT_EQ(of(0, 1), "wrong_type $.u");
  EXPECT_EQ(of(0, -1), "wrong_type $.u");
  EXPECT_EQ(of(-1, 0), "wrong_type $.u");
}

}  // namespace
