#include <thriftlens/transport/persistent_headers.hpp>

#include "support/test.hpp"

namespace {

using form = tl::header_entry::form;

TEST(persistent_headers, apply_to_later_messages_that_do_not_override_them) {
  tl::detail::persistent_headers persistent;
  std::vector<tl::header_entry> first{{.key = "a", .value = "1", .kind = form::persistent},
                                      {.key = "b", .value = "2"}};
  EXPECT_EQ(persistent.merge(first, 100), "");
  EXPECT_EQ(first.size(), 2u);

  std::vector<tl::header_entry> later;
  EXPECT_EQ(persistent.merge(later, 100), "");
  ASSERT_EQ(later.size(), 1u);
  EXPECT_EQ(later[0].key, "a");
  EXPECT_EQ(later[0].value, "1");
  EXPECT_EQ(later[0].kind, form::persistent);

  std::vector<tl::header_entry> overriding{{.key = "a", .value = "3"}};
  EXPECT_EQ(persistent.merge(overriding, 100), "");
  ASSERT_EQ(overriding.size(), 1u);
  EXPECT_EQ(overriding[0].value, "3");
}

TEST(persistent_headers, are_bounded_by_number_and_size) {
  tl::detail::persistent_headers persistent;
  std::vector<std::string> keys;
  for (std::size_t i = 0; i <= tl::detail::persistent_headers::max_count; ++i)
    keys.push_back(std::to_string(i));
  std::vector<tl::header_entry> entries;
  for (const std::string& key : keys) entries.push_back({.key = key, .kind = form::persistent});
  EXPECT_EQ(persistent.merge(entries, 1000), "too many persistent headers");

  tl::detail::persistent_headers small;
  entries = {{.key = "key", .value = "value", .kind = form::persistent}};
  EXPECT_EQ(small.merge(entries, 8), "");
  EXPECT_EQ(small.merge(entries, 7), "the persistent headers exceed the limit");
}

}  // namespace
