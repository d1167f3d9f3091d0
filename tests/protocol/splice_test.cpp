#include <thriftlens/protocol/splice.hpp>

#include "support/test.hpp"

namespace {

std::string joined(const tl::detail::splicer& pieces) {
  std::string all;
  for (tl::byte_view piece : pieces.pieces()) all += piece.text();
  return all;
}

TEST(splicer, copies_small_pieces_and_references_large_ones) {
  std::string small = "abc", large(100, 'L');
  tl::buffer own;
  tl::detail::splicer out(own, 100);
  out.copy(small);
  out.copy(large);
  out.own().append(std::string_view("new"));
  EXPECT_EQ(joined(out), "abc" + large + "new");
  EXPECT_EQ(own.text(), "abcnew");
  EXPECT_EQ(static_cast<const void*>(out.pieces()[1].data()), large.data());
}

TEST(splicer, replace_moves_following_bytes_and_references) {
  std::string large(100, 'L');
  for (std::size_t size : {0u, 1u, 2u, 5u}) {
    tl::buffer own;
    tl::detail::splicer out(own, 100);
    out.copy(large);
    std::size_t position = out.position();
    out.own().append(std::string_view("hd"));
    out.copy(large);
    out.own().append(std::string_view("tail"));
    std::string fresh(size, 'n');
    out.replace(position, 2, reinterpret_cast<const std::uint8_t*>(fresh.data()), size);
    EXPECT_EQ(joined(out), large + fresh + large + "tail");
  }
}

TEST(splicer, restart_removes_its_own_bytes_only) {
  tl::buffer own;
  own.append(std::string_view("before"));
  tl::detail::splicer out(own, 4);
  out.copy(std::string_view("large"));
  out.copy(std::string_view("s"));
  out.restart();
  EXPECT_EQ(own.text(), "before");
  EXPECT_TRUE(out.pieces().empty());
}

TEST(splicer, revertible_pieces_are_copied) {
  tl::buffer own;
  tl::detail::splicer out(own, 4);
  out.copy(std::string_view("large"));
  const std::size_t position = out.position();
  {
    const tl::detail::splicer::copying full(out);
    out.copy(std::string_view("also large"));
    EXPECT_EQ(own.text().substr(position), "also large");
    own.truncate(position);
  }
  out.copy(std::string_view("large again"));
  ASSERT_EQ(out.pieces().size(), 2u);
  EXPECT_EQ(out.pieces()[0].text(), "large");
  EXPECT_EQ(out.pieces()[1].text(), "large again");
}

TEST(gathered, size_and_join) {
  tl::buffer own;
  own.append(std::string_view("own"));
  std::string borrowed = "borrowed";
  tl::byte_view first = own;
  tl::gathered full(std::move(own), {first, borrowed});
  EXPECT_EQ(full.size(), 11u);
  EXPECT_EQ(full.join().str(), "ownborrowed");
}

template <class Gathered>
concept gives_pieces = requires(Gathered&& of) { std::forward<Gathered>(of).pieces(); };
static_assert(gives_pieces<const tl::gathered&> && !gives_pieces<tl::gathered>);
// A copy's pieces would point into the original's own bytes.
static_assert(!std::copy_constructible<tl::gathered> && std::movable<tl::gathered>);

TEST(splicer, allowing_more_keeps_an_output_without_a_limit_unlimited) {
  tl::buffer own;
  tl::detail::splicer out(own, tl::detail::splicer::never);
  out.allow(1);
  out.copy(std::string_view("more than one byte"));
  EXPECT_FALSE(out.exceeds());
  tl::detail::splicer bounded(own, tl::detail::splicer::never);
  bounded.bound(2);
  bounded.allow(1);
  bounded.copy(std::string_view("abc"));
  EXPECT_FALSE(bounded.exceeds());
  bounded.copy(std::string_view("d"));
  EXPECT_TRUE(bounded.exceeds());
}

}  // namespace
