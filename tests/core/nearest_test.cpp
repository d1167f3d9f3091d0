#include <thriftlens/core/nearest.hpp>

#include "support/test.hpp"

TEST(did_you_mean, names_up_to_three_nearest_names) {
  const std::vector<std::string> known = {"Order", "Orders", "base.Order", "OrderItem", "User"};
  EXPECT_EQ(tl::detail::did_you_mean("order", known), "; did you mean 'Order' or 'base.Order' or 'Orders'?");
  EXPECT_EQ(tl::detail::did_you_mean("Usr", known), "; did you mean 'User'?");
  EXPECT_EQ(tl::detail::did_you_mean("completely_else", known), "");
  EXPECT_EQ(tl::detail::did_you_mean("x", {}), "");
}

TEST(did_you_mean, handles_common_typos) {
  const auto meant = [](const char* wanted, const char* known) {
    return !tl::detail::did_you_mean(wanted, std::vector<std::string>{known}).empty();
  };
  for (auto [wanted, known] : std::vector<std::pair<const char*, const char*>>{{"nmae", "name"},
                                                                               {"RDE", "RED"},
                                                                               {"NAME", "name"},
                                                                               {"userName", "user_name"},
                                                                               {"usr", "user"},
                                                                               {"users", "user"},
                                                                               {"x", "y"},
                                                                               {"id", "Id"},
                                                                               {"User", "base.User"},
                                                                               {"bsae.User", "base.User"},
                                                                               {"other.User", "base.User"},
                                                                               {"base.User", "User"}}) {
    EXPECT_TRUE(meant(wanted, known)) << wanted << ' ' << known;
  }
  for (auto [wanted, known] : std::vector<std::pair<const char*, const char*>>{
           {"x", "yy"}, {"id", "no"}, {"", "a"}, {"name", "price"}, {"a_long_prefix.id", "base.no"}}) {
    EXPECT_FALSE(meant(wanted, known)) << wanted << ' ' << known;
  }
}

TEST(did_you_mean, costs_little_for_names_of_any_length_and_number) {
  const std::vector<std::string> known(20'000, std::string(60, 'a'));
  EXPECT_EQ(tl::detail::did_you_mean(std::string(1'000'000, 'a'), known), "");
  EXPECT_NE(tl::detail::did_you_mean(std::string(64, 'a'), known), "");
}

TEST(nearest_names, puts_the_prefix_before_the_name) {
  tl::detail::nearest_names near("Usr");
  near.offer("User", "base");
  near.offer("Use");
  EXPECT_EQ(near.text(), "; did you mean 'Use' or 'base.User'?");
}
