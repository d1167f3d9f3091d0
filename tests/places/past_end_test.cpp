// Iterators that are used at the end of their range: an assertion in debug builds, defined without.
#include <thriftlens/thriftlens.hpp>

#include "support/test.hpp"

namespace past_end_test {

const std::string bytes("\x0f\0\1\x08\0\0\0\1\0\0\0\7\0", 13);  // 1: list<i32> [7]
const tl::schema& idl() {
  static const tl::schema schema = tl::schema::parse("struct S { 1: list<i32> l }");
  return schema;
}

/// The end of a range, reached by iterating.
template <class Range>
auto end_of(Range& range) {
  auto at = range.begin();
  while (!(at == range.end())) ++at;
  return at;
}

TEST(past_end, of_the_elements_of_a_view) {
  const tl::view list = tl::view(bytes, idl().type("S"))["l"];
  auto range = list.elements();
  auto at = end_of(range);
#if !defined(NDEBUG)
  EXPECT_DEATH(static_cast<void>(*at), "range_");
  EXPECT_DEATH(++at, "range_");
#else
  EXPECT_FALSE(*at);
  ++at;
  EXPECT_TRUE(at == range.end());
#endif
}

TEST(past_end, of_the_elements_of_a_node) {
  tl::document document;
  document.load<tl::binary>(bytes, idl().type("S"));
  auto range = document["l"].elements();
  auto at = end_of(range);
#if !defined(NDEBUG)
  EXPECT_DEATH(static_cast<void>(*at), "is_item");
  EXPECT_DEATH(++at, "in_");
#else
  EXPECT_FALSE(*at);
  ++at;
  EXPECT_TRUE(at == range.end());
#endif
}

}  // namespace past_end_test
