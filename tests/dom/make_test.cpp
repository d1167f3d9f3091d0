#include <thriftlens/dom/make.hpp>

#include "dom/sample_document.hpp"

namespace {

using namespace thriftlens_test;
using tl::errc;
namespace dom = thriftlens::detail::dom;

template <class P>
class make : public sample_document<P> {
 protected:
  dom::tree& tree() { return *this->doc.root().tree(); }
};
TYPED_TEST_SUITE(make, both_protocols);

TYPED_TEST(make, scalars_take_the_wire_type_of_their_position) {
  dom::value_maker maker(this->tree());
  dom::slot slot;
  EXPECT_EQ(maker.make(slot, 5, {.wire = tl::ttype::i64}), errc::ok);
  EXPECT_EQ(slot.wire, tl::ttype::i64);
  EXPECT_EQ(maker.make(slot, 5, {.wire = tl::ttype::double_}), errc::ok);
  EXPECT_EQ(maker.make(slot, (std::int64_t{1} << 53) + 1, {.wire = tl::ttype::double_}), errc::value_range);
  EXPECT_EQ(maker.make(slot, 128, {.wire = tl::ttype::i8}), errc::value_range);
  EXPECT_EQ(maker.make(slot, -128, {.wire = tl::ttype::i8}), errc::ok);
  EXPECT_EQ(maker.make(slot, "text", {.wire = tl::ttype::i8}), errc::value_type);
  EXPECT_EQ(maker.make(slot, "BLUE", {dom_schema().type("Color").index()}), errc::ok);
  EXPECT_EQ(maker.make(slot, "PINK", {dom_schema().type("Color").index()}), errc::unknown_enum_name);
  EXPECT_EQ(maker.make(slot, tl::empty_value{}, {}), errc::value_type);
}

TYPED_TEST(make, empty_values_of_every_wire_type_are_well_formed) {
  dom::value_maker maker(this->tree());
  for (int wire = 0; wire < 17; ++wire) {
    const auto as = static_cast<tl::ttype>(wire);
    if (!tl::is_value_type(as)) continue;
    dom::slot slot;
    ASSERT_EQ(maker.make(slot, tl::empty_value{as}, {}), errc::ok) << wire;
    tl::buffer out;
    dom::tree_writer<TypeParam> writer(this->tree(), out);
    ASSERT_TRUE(writer.write_complete(slot)) << wire;
    typename TypeParam::reader in(out);
    EXPECT_TRUE(in.skip(as) && in.at_end()) << wire;
  }
}

TYPED_TEST(make, bytes_are_converted_between_protocols) {
  const std::string compact = wire_bytes_of<tl::compact>(this->sample());
  tl::buffer spare;
  tl::byte_view value(compact);
  ASSERT_EQ(dom::convert_bytes(value, tl::ttype::struct_, tl::compact::id, TypeParam::id, {}, spare),
            errc::ok);
  EXPECT_EQ(value.text(), this->bytes);
}

TYPED_TEST(make, only_values_of_one_tree_and_type_are_linked) {
  dom::tree& tree = this->tree();
  const tl::node root = this->doc.root(), leaf = root["leaf"];
  ASSERT_GT(leaf.size(), 0u);
  const tl::node_value value(leaf);
  dom::value_maker maker(tree);
  dom::slot slot;
  EXPECT_EQ(maker.make(slot, value.linked(), {leaf.type().index()}), errc::ok);
  EXPECT_EQ(slot.below, leaf.slot()->below);
  EXPECT_EQ(maker.make(slot, value.linked(), {root.type().index()}), errc::value_type);
  EXPECT_EQ(maker.make(slot, value.linked(), {}), errc::value_type);
}

}  // namespace
