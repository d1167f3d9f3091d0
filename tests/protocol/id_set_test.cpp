#include <thriftlens/protocol/id_set.hpp>

#include "support/test.hpp"
#include "support/tree.hpp"

using namespace thriftlens_test;

namespace {

template <class P>
struct id_set_of : testing::Test {
  /// The first duplicate id, or 0.
  static int first_doubled(const std::vector<std::int16_t>& ids) {
    tree value = structure({});
    for (std::int16_t id : ids) value.fields.emplace_back(id, boolean(true));
    std::string bytes = encode<P>(value);
    typename P::reader in(bytes);
    static_cast<void>(in.begin_struct());
    tl::detail::id_set<P> seen(in.here());
    tl::field_header header;
    for (;;) {
      const std::uint8_t* begin = in.at();
      if (!in.read_field(header) || header.type == ttype::stop) return 0;
      if (!seen.add(header.id, in, begin)) return header.id;
      if (!in.skip(header.type)) return -1;
    }
  }
};
TYPED_TEST_SUITE(id_set_of, protocols);

TYPED_TEST(id_set_of, ascending_and_mixed_ids_are_new) {
  EXPECT_EQ(this->first_doubled({1, 2, 3, 300}), 0);
  EXPECT_EQ(this->first_doubled({5, 1, 4, 2, -3, 32767, -32768, 0}), 0);
}

TYPED_TEST(id_set_of, finds_the_second_of_an_id_anywhere) {
  EXPECT_EQ(this->first_doubled({1, 1}), 1);
  EXPECT_EQ(this->first_doubled({1, 2, 3, 1}), 1);
  EXPECT_EQ(this->first_doubled({9, 1, 5, 5}), 5);
  EXPECT_EQ(this->first_doubled({-3, 7, -3}), -3);
}

TEST(id_bits, remember_each_id_until_it_is_cleared) {
  tl::detail::id_bits seen;
  seen.clear_near(7);
  EXPECT_TRUE(seen.empty());
  for (const int id : {0, -1, 7, 32767, -32768}) {
    EXPECT_TRUE(seen.add(static_cast<std::int16_t>(id))) << id;
    EXPECT_FALSE(seen.add(static_cast<std::int16_t>(id))) << id;
  }
  seen.clear_near(7);
  EXPECT_TRUE(seen.add(7));
  EXPECT_FALSE(seen.add(-1));
}

}  // namespace
