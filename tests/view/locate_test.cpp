#include <thriftlens/view/locate.hpp>

#include "edit/edit_model.hpp"
#include "support/cases.hpp"
#include "support/order.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {

template <class P>
struct locate_of : testing::Test {
  /// Fast and general lookup have the same result in all members.
  static errc both(std::string_view bytes, tl::type type, const tl::path& target) {
    typename P::reader in(bytes);
    tl::detail::wire_location root{in.here(), type.index(), type.wire()};
    tl::detail::located quick, slow;
    tl::detail::locate<P>(bytes, type.image(), root, target.steps(), quick);
    tl::detail::generic_locate<P>(bytes, type.image(), root, target.steps(), slow);
    EXPECT_EQ(quick.code, slow.code) << target.text();
    EXPECT_EQ(quick.location.at.at, slow.location.at.at) << target.text();
    EXPECT_EQ(quick.last, slow.last) << target.text();
    EXPECT_EQ(quick.location.at.depth_left, slow.location.at.depth_left) << target.text();
    if (quick.code == errc::ok) {
      EXPECT_EQ(quick.location.type, slow.location.type) << target.text();
      EXPECT_EQ(quick.location.wire, slow.location.wire) << target.text();
      EXPECT_EQ(quick.location.at.inline_bool, slow.location.at.inline_bool) << target.text();
    }
    return quick.code;
  }
};
TYPED_TEST_SUITE(locate_of, protocols);

const std::vector<std::string_view> sample_paths = paths_in(R"(
    $ $.id $.user.name $.items[0].sku $.items[-1].price $.items[1].part.sku $.items[3]
    $.by_sku{"k1"}.price $.by_sku{"none"} $.notes{300} $.notes{1} $.colors{BLUE} $.rates{2}
    $.flags{true} $.groups[0][1].id $.groups[1][0] $.payment.card $.numbers[-1]
    $.deep{"d"}[0]{7}.name $.by_user{x"00"} $.debug)");

TYPED_TEST(locate_of, fast_and_general_agree_on_complete_and_truncated_bytes) {
  const std::string& complete = order_bytes<TypeParam>();
  for (const std::string_view text : sample_paths) {
    tl::path target = tl::path::compile(order_type(), text);
    for (std::size_t size = 0; size <= complete.size(); ++size) {
      std::string cut = complete.substr(0, size);
      this->both(cut, order_type(), target);
    }
  }
}

TYPED_TEST(locate_of, fast_and_general_agree_on_mutated_bytes) {
  randomness random(7);
  for (int round = 0; round < thriftlens_test::cases(4000); ++round) {
    std::string bytes = order_bytes<TypeParam>();
    for (std::size_t changes = 1 + random.below(3); changes > 0; --changes)
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    for (const std::string_view text : sample_paths)
      this->both(bytes, order_type(), tl::path::compile(order_type(), text));
  }
}

TYPED_TEST(locate_of, long_containers_of_structs) {
  std::vector<tree> items;
  std::vector<tree_entry> entries;
  for (int i = 0; i < 200; ++i) {
    items.push_back(
        item("s" + std::to_string(i), i, i % 7 == 0 ? std::vector<tree>{text("t")} : std::vector<tree>{}));
    entries.emplace_back(text("k" + std::to_string(i)), items.back());
  }
  std::string bytes = encode<TypeParam>(
      structure({{3, list(ttype::struct_, items)}, {4, map(ttype::string, ttype::struct_, entries)}}));
  for (int i = 0; i < 200; i += 11) {
    EXPECT_EQ(this->both(bytes, order_type(),
                         tl::path::compile(order_type(), "$.items[" + std::to_string(i) + "].price")),
              errc::ok);
    EXPECT_EQ(this->both(bytes, order_type(),
                         tl::path::compile(order_type(), "$.by_sku{\"k" + std::to_string(i) + "\"}.sku")),
              errc::ok);
  }
  EXPECT_EQ(this->both(bytes, order_type(), tl::path::compile(order_type(), "$.by_sku{\"none\"}.sku")),
            errc::absent);
}

TYPED_TEST(locate_of, depth_limit_is_the_same) {
  tree nested = item("x", 1);
  std::string target;
  for (int i = 0; i < 80; ++i) {
    nested = structure({{4, nested}});
    target += ".part";
  }
  std::string bytes = encode<TypeParam>(nested);
  for (std::size_t steps : {10u, 62u, 63u, 64u, 65u, 80u}) {
    errc code = this->both(bytes, shop().type("Item"),
                           tl::path::compile(shop().type("Item"), "$" + target.substr(0, steps * 5)));
    EXPECT_EQ(code == errc::ok, steps <= 64) << steps;
  }
}

// Containers of numbers in the prefix template of a struct, with elements of 2, 4, 8 or 16 bytes.
TYPED_TEST(locate_of, after_containers_of_wide_numbers) {
  const tl::schema schema = tl::schema::parse(R"idl(
    struct Wide { 1: list<i64> longs, 2: list<i16> shorts, 3: set<double> reals, 4: list<i8> bytes, 5: list<i32> ints, 6: i32 number, 7: string text, 8: bool last }
    struct Maps { 1: map<i32, i64> m, 2: map<i8, bool> n, 3: i64 number }
  )idl");
  randomness random(11);
  const auto numbers = [](ttype element, std::size_t count, ttype container = ttype::list) {
    std::vector<tree> trees;
    for (std::size_t i = 0; i < count; ++i)
      trees.push_back(element == ttype::double_ ? real(static_cast<double>(i))
                                                : number(element, static_cast<std::int64_t>(i)));
    return list(element, std::move(trees), container);
  };
  for (const std::size_t count : {0u, 1u, 2u, 3u, 9u, 100u}) {
    const std::string wide = encode<TypeParam>(structure({{1, numbers(ttype::i64, count)},
                                                          {2, numbers(ttype::i16, count + 1)},
                                                          {3, numbers(ttype::double_, count, ttype::set)},
                                                          {4, numbers(ttype::i8, count)},
                                                          {5, numbers(ttype::i32, count)},
                                                          {6, i32(-6)},
                                                          {7, text("seven")},
                                                          {8, boolean(true)}}));
    const std::string maps = encode<TypeParam>(
        structure({{1, map(ttype::i32, ttype::i64, std::vector<tree_entry>(count, {i32(1), i64(2)}))},
                   {2, map(ttype::i8, ttype::bool_, std::vector<tree_entry>(count, {i8(1), boolean(true)}))},
                   {3, i64(3)}}));
    const struct {
      const std::string& bytes;
      const char* type;
      std::vector<const char*> ways;
    } trees[] = {
        {wide,
         "Wide",
         {"$.longs", "$.shorts[0]", "$.reals", "$.bytes[0]", "$.ints[-1]", "$.number", "$.text", "$.last"}},
        {maps, "Maps", {"$.m{1}", "$.n", "$.number"}}};
    for (const auto& item : trees) {
      const tl::type type = schema.type(item.type);
      for (const char* written : item.ways) {
        const tl::path target = tl::path::compile(type, written);
        const errc code = this->both(item.bytes, type, target);
        EXPECT_TRUE(code == errc::ok || (count == 0 && (code == errc::absent || code == errc::bad_index)))
            << written << ' ' << count;
        for (std::size_t size = 0; size < item.bytes.size(); size += count == 100 ? 37 : 1) {
          const std::string cut = item.bytes.substr(0, size);
          this->both(cut, type, target);
        }
        for (int round = 0; round < 100; ++round) {
          std::string changed = item.bytes;
          changed[random.below(changed.size())] = static_cast<char>(random.below(256));
          this->both(changed, type, target);
        }
      }
    }
  }
}

}  // namespace
