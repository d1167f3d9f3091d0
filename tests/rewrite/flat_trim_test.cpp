#include <thriftlens/rewrite/fast/flat_trim.hpp>

#include "support/test.hpp"

#include <thriftlens/edit/trim.hpp>
#include <thriftlens/schema/schema.hpp>

#include <bit>

namespace {

const tl::schema& idl() {
  static const tl::schema schema = tl::schema::parse(
      "struct Flat { 1: byte a 2: i64 b 3: string c 5: i16 d 6: string e 7: bool f }\n"
      "struct Row { 1: list<Flat> values 2: map<string, Flat> named }\n"
      "struct Mixed { 1: i32 a 2: list<string> b }");
  return schema;
}
template <class Writer>
void write_field(Writer& out, int id) {
  static const std::string text(57, 'y'), long_text(300, 'z');
  switch (id) {
    case 1:
      return out.write_field(tl::ttype::i8, 1), out.write_i8(-1);
    case 2:
      return out.write_field(tl::ttype::i64, 2), out.write_i64(-2);
    case 3:
      return out.write_field(tl::ttype::string, 3), out.write_bytes(text);
    case 5:
      return out.write_field(tl::ttype::i16, 5), out.write_i16(0x0305);
    case 6:
      return out.write_field(tl::ttype::string, 6), out.write_bytes(long_text);
    default:
      return out.write_field(tl::ttype::bool_, 7), out.write_bool(true);
  }
}
constexpr int ids[] = {1, 2, 3, 5, 6, 7};
/// A struct with those of the fields whose bits are set.
template <class P>
std::string flat(unsigned present) {
  tl::buffer bytes;
  typename P::writer out(bytes);
  static_cast<void>(out.begin_struct());
  for (unsigned i = 0; i < 6; ++i) {
    if ((present >> i & 1u) != 0) write_field(out, ids[i]);
  }
  out.write_stop();
  return bytes.str();
}
tl::selection select(unsigned fields) {
  std::string text = "{ ";
  for (unsigned i = 0; i < 6; ++i) {
    if ((fields >> i & 1u) != 0) text.append("#").append(std::to_string(ids[i])).append(" ");
  }
  return tl::selection::compile(idl().type("Flat"), text + "}");
}

template <class P>
struct flat_trim : testing::Test {};
TYPED_TEST_SUITE(flat_trim, protocols);

}  // namespace

TYPED_TEST(flat_trim, keeps_the_selected_fields_of_every_subset) {
  std::vector<std::uint8_t> storage(1024);
  for (unsigned fields = 1; fields < 64; ++fields) {
    const tl::selection selected = select(fields);
    const tl::detail::selection_node& node = selected.nodes()[selected.root()];
    ASSERT_EQ(node.flat.size(), 6u);
    for (unsigned present = 0; present < 64; ++present) {
      const std::string bytes = flat<TypeParam>(present), expected = flat<TypeParam>(present & fields);
      for (const std::size_t more : {0u, 1u, 6u, 100u}) {
        const std::string all = bytes + std::string(more, '\x0b');
        const tl::byte_view in(all);
        tl::detail::flat_trim<TypeParam> state{{in.begin(), storage.data()}};
        ASSERT_TRUE(state.run(node, in.end()));
        EXPECT_EQ(state.at, in.begin() + bytes.size());
        ASSERT_EQ(state.to, storage.data() + expected.size());
        EXPECT_EQ(std::memcmp(storage.data(), expected.data(), expected.size()), 0);
        EXPECT_EQ(state.dropped, static_cast<std::size_t>(std::popcount(present & ~fields)));
      }
    }
  }
}

TYPED_TEST(flat_trim, declines_truncated_bytes_and_other_fields) {
  const tl::selection selected = select(0x2a);
  const tl::detail::selection_node& node = selected.nodes()[selected.root()];
  std::vector<std::uint8_t> storage(1024);
  const auto accepts = [&](const std::string& bytes) {
    const std::string copy = bytes;  // sanitizers detect reads past its end
    const std::vector<std::uint8_t> exact(copy.begin(), copy.end());
    tl::detail::flat_trim<TypeParam> state{{exact.data(), storage.data()}};
    return state.run(node, exact.data() + exact.size());
  };
  const std::string bytes = flat<TypeParam>(63);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(accepts(bytes.substr(0, size))) << size;
  EXPECT_TRUE(accepts(bytes));
  const auto fields_of = [](std::string of) { return of.pop_back(), of; };
  EXPECT_FALSE(accepts(fields_of(flat<TypeParam>(2)) + flat<TypeParam>(1))) << "another order";
  EXPECT_FALSE(accepts(fields_of(flat<TypeParam>(1)) + flat<TypeParam>(1))) << "a field twice";
  std::string other = flat<TypeParam>(1);
  ++other[0];
  EXPECT_FALSE(accepts(other)) << "another type";
}

TYPED_TEST(flat_trim, structs_with_other_fields_are_not_flat) {
  const tl::selection selected = tl::selection::compile(idl().type("Mixed"), "{ a }");
  EXPECT_FALSE(tl::detail::flat_trim<TypeParam>::knows(selected.nodes()[selected.root()]));
}

// Rows that start complete, vary, and are complete again, compared with the general pass (fast paths do not
// support an output limit).
TYPED_TEST(flat_trim, rows_are_trimmed_as_by_the_general_pass) {
  const tl::selection selected =
      tl::selection::compile(idl().type("Row"), "{ values { b e } named { a c f } }");
  std::string structs;
  std::uint32_t count = 0;
  for (const unsigned present : {63u, 63u, 62u, 5u, 0u, 63u, 32u})
    structs += flat<TypeParam>(present), ++count;
  for (unsigned i = 0; i < 40; ++i) structs += flat<TypeParam>(63), ++count;
  tl::buffer bytes;
  typename TypeParam::writer out(bytes);
  static_cast<void>(out.begin_struct());
  out.write_field(tl::ttype::list, 1);
  out.write_list({tl::ttype::struct_, count});
  bytes.append(tl::byte_view(structs));
  out.write_field(tl::ttype::map, 2);
  out.write_map({tl::ttype::string, tl::ttype::struct_, 64});
  for (unsigned i = 0; i < 64; ++i) {
    const std::string key = "key " + std::to_string(i), value = flat<TypeParam>(i);
    out.write_bytes(key);
    bytes.append(tl::byte_view(value));
  }
  out.write_stop();
  const std::string message = bytes.str();
  for (std::size_t size = message.size() - 400; size <= message.size(); ++size) {
    const std::string part = message.substr(0, size);
    const tl::view<TypeParam> view(part, idl().type("Row"));
    const auto fast = tl::try_trim(view, selected);
    const auto general = tl::try_trim(view, selected, {.limits = {.output_size = 1 << 20}});
    ASSERT_EQ(fast.has_value(), general.has_value()) << size;
    if (fast)
      EXPECT_EQ(fast->str(), general->str());
    else
      EXPECT_STREQ(fast.error().what(), general.error().what());
  }
}
