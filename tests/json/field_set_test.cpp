#include <thriftlens/json/field_set.hpp>

#include "support/test.hpp"

TEST(field_set, insert_returns_whether_it_is_new_for_small_and_large_structs) {
  tl::detail::field_set::pool text;
  for (std::size_t fields : {1u, 63u, 64u, 65u, 300u, 4096u}) {
    tl::detail::field_set seen(fields, text);
    for (std::size_t i = 0; i < fields; ++i) {
      EXPECT_FALSE(seen.has(i));
      EXPECT_TRUE(seen.add(i));
      EXPECT_TRUE(seen.has(i));
      EXPECT_FALSE(seen.add(i));
      EXPECT_EQ(seen.count(), i + 1);
    }
    seen.remove(fields - 1);
    EXPECT_FALSE(seen.has(fields - 1));
  }
  EXPECT_TRUE(text.empty());
}

TEST(field_set, adds_a_run) {
  tl::detail::field_set::pool text;
  for (std::size_t fields : {1u, 64u, 65u, 300u})
    for (std::size_t first : {std::size_t{0}, fields / 2, fields - 1})
      for (std::size_t last : {first, first + 1, fields}) {
        tl::detail::field_set seen(fields, text);
        seen.add_new(first, last);
        for (std::size_t i = 0; i < fields; ++i)
          EXPECT_EQ(seen.has(i), first <= i && i < last) << fields << ' ' << first << ' ' << last;
      }
}

TEST(field_set, nests) {
  tl::detail::field_set::pool text;
  tl::detail::field_set outer(100, text);
  EXPECT_TRUE(outer.add(99));
  {
    tl::detail::field_set inner(200, text);
    EXPECT_TRUE(inner.add(99));
    EXPECT_TRUE(inner.add(199));
  }
  EXPECT_FALSE(outer.add(99));
  tl::detail::field_set second(200, text);
  EXPECT_FALSE(second.has(199));
}
