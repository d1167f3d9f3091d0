#include <thriftlens/schema/nearest.hpp>

#include <gtest/gtest.h>

namespace tl = thriftlens;

TEST(did_you_mean, names_up_to_three_nearest_names) {
  const std::vector<std::string> known = {"Order", "Orders", "base.Order", "OrderItem", "User"};
  EXPECT_EQ(tl::did_you_mean("order", known), "; did you mean 'Order' or 'base.Order' or 'Orders'?");
  EXPECT_EQ(tl::did_you_mean("Usr", known), "; did you mean 'User'?");
  EXPECT_EQ(tl::did_you_mean("completely_else", known), "");
  EXPECT_EQ(tl::did_you_mean("x", {}), "");
}

TEST(did_you_mean, costs_little_for_names_of_any_length) {
  const std::vector<std::string> known(10'000, std::string(100'000, 'a').substr(0, 60));
  EXPECT_EQ(tl::did_you_mean(std::string(1'000'000, 'a'), known), "");
}
