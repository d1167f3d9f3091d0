// Every combination of types: our bytes against those of Apache's generated code, both ways, in both
// protocols. Built by module.cmake if the Thrift compiler and Apache's library are installed.
#include "codec/matrix.hpp"
#include "support/test.hpp"

namespace {

class codec_matrix : public testing::TestWithParam<bool> {};

void compare(const matrix_test::our_side& ours, const matrix_test::side& apache, bool filled, bool compact) {
  const std::string expected = apache.write(filled, compact);
  EXPECT_EQ(ours.write(filled, compact), expected);
  EXPECT_EQ(ours.size(filled, compact), expected.size());
  EXPECT_EQ(ours.rewrite(expected, compact), expected);
  EXPECT_EQ(apache.rewrite(ours.write(filled, compact), compact), expected);
  if (ours.rewrite_over != nullptr) {
    EXPECT_EQ(ours.rewrite_over(expected, compact), expected);
  }
}

}  // namespace

TEST_P(codec_matrix, bytes_equal_apaches_and_round_trip) {
  const std::vector<matrix_test::side> apache = matrix_test::apache_sides();
  const std::vector<matrix_test::our_side> ours = matrix_test::our_sides();
  ASSERT_EQ(ours.size(), apache.size());
  ASSERT_GE(ours.size(), 15u);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    SCOPED_TRACE(std::string(ours[i].name));
    ASSERT_EQ(ours[i].name, apache[i].name);
    compare(ours[i], apache[i], true, GetParam());
    compare(ours[i], apache[i], false, GetParam());
  }
}
INSTANTIATE_TEST_SUITE_P(protocols, codec_matrix, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "compact" : "binary"; });
