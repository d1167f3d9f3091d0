#include <thriftlens/core/small_vector.hpp>

#include "support/test.hpp"

namespace {

using texts = tl::detail::small_vector<std::shared_ptr<std::string>, 3>;

texts texts_of(int count) {
  texts full;
  for (int i = 0; i < count; ++i) full.push_back(std::make_shared<std::string>(std::to_string(i)));
  return full;
}
void expect(const texts& full, int count) {
  ASSERT_EQ(full.size(), static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) EXPECT_EQ(*full[static_cast<std::size_t>(i)], std::to_string(i));
}

}  // namespace

TEST(small_vector, keeps_order_inline_and_on_the_heap) {
  for (int count = 0; count < 9; ++count) {
    const texts full = texts_of(count);
    expect(full, count);
    EXPECT_EQ(full.span().size(), static_cast<std::size_t>(count));
  }
}

TEST(small_vector, copies_and_moves) {
  for (int count : {0, 1, 3, 4, 8}) {
    texts first = texts_of(count);
    texts copy = first;
    expect(copy, count);
    expect(first, count);
    texts moved = std::move(first);
    expect(moved, count);
    copy = texts_of(2);
    expect(copy, 2);
    copy = moved;
    expect(copy, count);
    copy = std::move(moved);
    expect(copy, count);
  }
}

TEST(small_vector, destroys_its_elements_once) {
  auto counted = std::make_shared<std::string>("x");
  for (int count : {1, 3, 5}) {
    texts full;
    for (int i = 0; i < count; ++i) full.push_back(counted);
    EXPECT_EQ(counted.use_count(), count + 1);
  }
  EXPECT_EQ(counted.use_count(), 1);
}
