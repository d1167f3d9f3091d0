#include <thriftlens/columns/arrow_blobs.hpp>

#include "support/test.hpp"

namespace {

void keep_schema(ArrowSchema*) {}
void keep_array(ArrowArray*) {}

struct sample {
  ArrowSchema schema = {};
  ArrowArray array = {};
  std::array<const void*, 4> buffers = {};

  sample(const char* format, std::int64_t length, std::int64_t count) {
    schema.format = format;
    schema.release = keep_schema;
    array.length = length;
    array.n_buffers = count;
    array.buffers = buffers.data();
    array.release = keep_array;
  }
  [[nodiscard]] std::string at(std::size_t index) const {
    const auto result = tl::arrow_blobs::try_make(schema, array);
    if (!result) return "refused";
    if (result->is_null(index)) return "null";
    const auto value = result->try_value(index);
    return value ? std::string(value->text()) : "broken";
  }
};

TEST(arrow_blobs, small_offsets_and_nulls) {
  const std::int32_t offsets[] = {0, 2, 2, 5};
  const std::uint8_t valid = 0b101;
  sample result("z", 3, 3);
  result.buffers = {&valid, offsets, "abcde"};
  result.array.null_count = -1;
  EXPECT_EQ(result.at(0), "ab");
  EXPECT_EQ(result.at(1), "null");
  EXPECT_EQ(result.at(2), "cde");
  result.array.offset = 2;
  result.array.length = 1;
  EXPECT_EQ(result.at(0), "cde");
}

TEST(arrow_blobs, large_and_fixed) {
  const std::int64_t offsets[] = {1, 3};
  sample large("Z", 1, 3);
  large.buffers = {nullptr, offsets, "abcde"};
  EXPECT_EQ(large.at(0), "bc");
  sample fixed("w:2", 2, 2);
  fixed.buffers = {nullptr, "abcd"};
  EXPECT_EQ(fixed.at(1), "cd");
}

TEST(arrow_blobs, views) {
  std::array<std::uint8_t, 32> views = {};
  const std::int32_t in_place = 2, elsewhere[] = {13, 0, 0, 1};
  std::memcpy(views.data(), &in_place, 4);
  std::memcpy(views.data() + 4, "hi", 2);
  std::memcpy(views.data() + 16, elsewhere, 16);
  const std::int64_t sizes[] = {14};
  sample result("vz", 2, 4);
  result.buffers = {nullptr, views.data(), "-thirteen byte", sizes};
  EXPECT_EQ(result.at(0), "hi");
  EXPECT_EQ(result.at(1), "thirteen byte");
  const std::int64_t shorter[] = {13};
  result.buffers[3] = shorter;
  EXPECT_EQ(result.at(1), "broken");
}

TEST(arrow_blobs, inconsistent_arrays_are_rejected) {
  const std::int32_t backwards[] = {3, 1};
  sample result("z", 1, 3);
  result.buffers = {nullptr, backwards, "abc"};
  EXPECT_EQ(result.at(0), "broken");
  EXPECT_EQ(sample("i", 0, 2).at(0), "refused");
  EXPECT_EQ(sample("w:0", 0, 2).at(0), "refused");
  EXPECT_EQ(sample("z", 1, 2).at(0), "refused");
  sample released("z", 0, 3);
  released.array.release = nullptr;
  EXPECT_EQ(released.at(0), "refused");
  sample no_validity("z", 1, 3);
  no_validity.buffers = {nullptr, backwards, "abc"};
  no_validity.array.null_count = 1;
  EXPECT_EQ(no_validity.at(0), "refused");
}

}  // namespace
