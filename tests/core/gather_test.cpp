#include <thriftlens/core/gather.hpp>

#include "support/test.hpp"

TEST(gather_list, owned_and_borrowed_pieces_keep_their_order) {
  const std::string lent = "lent";
  tl::gather_list list;
  EXPECT_TRUE(list.empty());
  list.own().append(std::string_view("ab"));
  list.link(2, lent);
  list.link(2, lent);
  list.own().append(std::string_view("c"));
  EXPECT_EQ(list.size(), 11u);
  const auto pieces = list.pieces();
  ASSERT_EQ(pieces.size(), 4u);
  EXPECT_EQ(pieces[0].text(), "ab");
  EXPECT_EQ(pieces[1].data(), reinterpret_cast<const std::uint8_t*>(lent.data()));
  EXPECT_EQ(pieces[3].text(), "c");
  tl::buffer joined;
  list.append_to(joined);
  EXPECT_EQ(joined.text(), "ablentlentc");
}

TEST(gather_list, copies_share_nothing_and_a_moved_from_one_is_empty) {
  const std::string lent = "lent";
  tl::gather_list list;
  list.own().append(std::string_view("ab"));
  list.link(1, lent);
  tl::gather_list copy = list;
  const tl::gather_list moved = std::move(list);
  for (tl::gather_list* emptied : {&list}) {
    EXPECT_TRUE(emptied->empty());
    EXPECT_TRUE(emptied->pieces().empty());
    emptied->link(0, lent);
    EXPECT_EQ(emptied->size(), 4u);
  }
  copy.own().append(std::string_view("c"));
  EXPECT_EQ(copy.size(), 7u);
  EXPECT_EQ(moved.size(), 6u);
  tl::buffer joined;
  moved.append_to(joined);
  EXPECT_EQ(joined.text(), "alentb");
  copy = moved;
  copy = std::as_const(copy);
  EXPECT_EQ(copy.pieces().size(), 3u);
}

TEST(gather_list, truncate_and_clear_remove_pieces) {
  const std::string lent = "lent";
  tl::gather_list list;
  list.own().append(std::string_view("ab"));
  list.link(1, lent);
  list.link(2, lent);
  list.truncate(1, 1);
  EXPECT_EQ(list.size(), 5u);
  EXPECT_EQ(list.link_count(), 1u);
  list.clear();
  EXPECT_EQ(list.size(), 0u);
  EXPECT_TRUE(list.pieces().empty());
}

template <class List>
concept gives_pieces = requires(List&& of) { std::forward<List>(of).pieces(); };
static_assert(gives_pieces<const thriftlens::gather_list&> && !gives_pieces<thriftlens::gather_list>);
