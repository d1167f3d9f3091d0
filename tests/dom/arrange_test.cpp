#include <thriftlens/dom/arrange.hpp>

#include "support/test.hpp"

namespace dom = thriftlens::detail::dom;

namespace {

struct sample {
  explicit sample(std::vector<std::int16_t> ids, tl::ttype wire = tl::ttype::list) {
    in.wire = wire;
    of.grow(in, static_cast<std::uint32_t>(ids.size()));
    for (std::int16_t id : ids) {
      dom::slot& result = *::new (&in.items[in.count++]) dom::slot;
      result.id = id;
      result.wire = tl::ttype::i32;
    }
  }
  std::vector<std::int16_t> ids() const {
    std::vector<std::int16_t> result;
    for (std::uint32_t i = 0; i < in.count; ++i) result.push_back(in.items[i].id);
    return result;
  }
  dom::tree of;
  dom::level in;
};
using ids = std::vector<std::int16_t>;

TEST(arrange, sort_is_stable_and_marks_only_what_moved) {
  sample list({31, 12, 11, 32, 13});
  dom::sort_children(list.in, [&](std::uint32_t a, std::uint32_t b) {
    return list.in.items[a].id / 10 < list.in.items[b].id / 10;
  });
  EXPECT_EQ(list.ids(), (ids{12, 11, 13, 31, 32}));
  EXPECT_TRUE(list.in.changed);
  sample sorted({1, 2, 3});
  dom::sort_children(sorted.in, [&](std::uint32_t a, std::uint32_t b) {
    return sorted.in.items[a].id < sorted.in.items[b].id;
  });
  EXPECT_FALSE(sorted.in.changed);
  EXPECT_EQ(sorted.in.version, 0u);
}

TEST(arrange, entries_move_with_their_keys) {
  sample map({3, 30, 1, 10, 2, 20}, tl::ttype::map);
  dom::sort_children(
      map.in, [&](std::uint32_t a, std::uint32_t b) { return map.in.items[a].id < map.in.items[b].id; });
  EXPECT_EQ(map.ids(), (ids{1, 10, 2, 20, 3, 30}));
  EXPECT_EQ(dom::filter_children(map.in, [&](std::uint32_t at) { return map.in.items[at].id != 2; }), 1u);
  EXPECT_EQ(map.ids(), (ids{1, 10, 3, 30}));
}

TEST(arrange, filter_of_all_or_none) {
  sample list({1, 2, 3});
  EXPECT_EQ(dom::filter_children(list.in, [](std::uint32_t) { return true; }), 0u);
  EXPECT_FALSE(list.in.changed);
  EXPECT_EQ(dom::filter_children(list.in, [](std::uint32_t) { return false; }), 3u);
  EXPECT_EQ(list.in.count, 0u);
  EXPECT_TRUE(list.in.changed);
}

}  // namespace
