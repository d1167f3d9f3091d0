#include <thriftlens/schema/name_tables.hpp>

#include "support/test.hpp"

namespace {
std::uint32_t find(const tl::schema_image& image, const tl::detail::image::name_table& table,
                   const std::vector<std::string_view>& names, std::string_view name) {
  return image.find_name(table, name, [&](std::uint32_t at) { return names[at - 100]; });
}
}  // namespace

TEST(build_names, finds_only_existing_names) {
  std::vector<std::string> owned;
  for (int i = 0; i < 5000; ++i) owned.push_back("field_name_" + std::to_string(i * 7));
  const std::vector<std::string_view> names(owned.begin(), owned.end());
  tl::schema_image image;
  tl::detail::pod_vector<tl::detail::named_value> scratch;
  const auto table = tl::detail::build_names(image.name_slots, names, 100, scratch);
  for (std::uint32_t i = 0; i < names.size(); ++i) EXPECT_EQ(find(image, table, names, names[i]), 100 + i);
  EXPECT_EQ(find(image, table, names, "field_name_1"), tl::detail::image::none);
  EXPECT_EQ(find(image, table, names, ""), tl::detail::image::none);
}

TEST(build_names, lets_the_first_of_equal_names_win) {
  const std::vector<std::string_view> names = {"a", "b", "a"};
  tl::schema_image image;
  tl::detail::pod_vector<tl::detail::named_value> scratch;
  const auto table = tl::detail::build_names(image.name_slots, names, 100, scratch);
  EXPECT_EQ(find(image, table, names, "a"), 100u);
  EXPECT_EQ(find(image, table, names, "b"), 101u);
}

TEST(build_names, of_nothing_finds_nothing) {
  tl::schema_image image;
  tl::detail::pod_vector<tl::detail::named_value> scratch;
  const auto table = tl::detail::build_names(image.name_slots, {}, 100, scratch);
  EXPECT_EQ(image.find_name(table, "a", [](std::uint32_t) { return std::string_view("a"); }),
            tl::detail::image::none);
}
