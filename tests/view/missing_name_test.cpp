#include <thriftlens/view/missing_name.hpp>

#include "support/test.hpp"

#include <thread>

using thriftlens::detail::missing_names;

TEST(missing_name, is_found_until_it_is_evicted) {
  missing_names names;
  const std::uint32_t first = names.add("usr");
  EXPECT_EQ(names.find(first), "usr");
  for (std::uint32_t i = 1; i < missing_names::capacity; ++i)
    EXPECT_EQ(names.find(names.add("n" + std::to_string(i))), "n" + std::to_string(i));
  EXPECT_EQ(names.find(first), "usr");
  static_cast<void>(names.add("one more"));
  EXPECT_EQ(names.find(first), "");
  EXPECT_EQ(names.find(0), "");
}

TEST(missing_name, is_cut_between_characters) {
  missing_names names;
  const std::string wide = std::string(missing_names::longest - 1, 'x') + "é";
  EXPECT_EQ(names.find(names.add(wide)), std::string(missing_names::longest - 1, 'x'));
  EXPECT_EQ(names.find(names.add(std::string(missing_names::longest, 'x'))),
            std::string(missing_names::longest, 'x'));
  EXPECT_EQ(names.find(names.add("")), "");
}

TEST(missing_name, names_are_per_thread) {
  const std::uint32_t here = thriftlens::detail::thread_missing_names().add("mine");
  std::thread([here] {
    EXPECT_EQ(thriftlens::detail::thread_missing_names().find(here), "");
    static_cast<void>(thriftlens::detail::thread_missing_names().add("theirs"));
    EXPECT_EQ(thriftlens::detail::thread_missing_names().find(here), "");
  }).join();
  EXPECT_EQ(thriftlens::detail::thread_missing_names().find(here), "mine");
}
