#include <thriftlens/protocol/canonical.hpp>

#include "dom/model.hpp"
#include "protocol/equal_keys.hpp"
#include "support/test.hpp"

namespace {

using namespace thriftlens_test;
using tl::ttype;

template <class P>
std::string canonical(const std::string& bytes, ttype wire, bool ordered = false) {
  typename P::reader in(bytes);
  tl::buffer out;
  EXPECT_TRUE(tl::detail::append_canonical<P>(in, out, wire, ordered));
  EXPECT_TRUE(in.at_end());
  return out.str();
}
model number(std::int64_t value) { return {.wire = ttype::i32, .number = value}; }

TEST(canonical, equal_values_have_equal_bytes_in_both_protocols) {
  chance random(4);
  for (int round = 0; round < 500; ++round) {
    const model value = random_model(random, dom_schema().type("Tree"), 4);
    ASSERT_EQ(canonical<tl::binary>(wire_bytes_of<tl::binary>(value), ttype::struct_),
              canonical<tl::compact>(wire_bytes_of<tl::compact>(value), ttype::struct_));
  }
}

TEST(canonical, the_order_of_fields_sets_and_maps_is_canonical) {
  model set{.wire = ttype::set, .element = ttype::i32}, turned = set;
  set.elements = {number(3), number(-1), number(2)};
  turned.elements = {number(2), number(3), number(-1)};
  EXPECT_EQ(canonical<tl::binary>(wire_bytes_of<tl::binary>(set), ttype::set),
            canonical<tl::compact>(wire_bytes_of<tl::compact>(turned), ttype::set));
  EXPECT_NE(canonical<tl::binary>(wire_bytes_of<tl::binary>(set), ttype::set, true),
            canonical<tl::binary>(wire_bytes_of<tl::binary>(turned), ttype::set, true));
  model first{.wire = ttype::struct_}, two = first;
  first.fields = {{std::int16_t{1}, set}, {std::int16_t{2}, number(5)}};
  two.fields = {{std::int16_t{2}, number(5)}, {std::int16_t{1}, turned}};
  EXPECT_EQ(canonical<tl::binary>(wire_bytes_of<tl::binary>(first), ttype::struct_),
            canonical<tl::binary>(wire_bytes_of<tl::binary>(two), ttype::struct_));
}

TEST(canonical, lists_keep_their_order_and_empty_containers_have_no_types) {
  model list{.wire = ttype::list, .element = ttype::i32}, turned = list;
  list.elements = {number(1), number(2)};
  turned.elements = {number(2), number(1)};
  EXPECT_NE(canonical<tl::binary>(wire_bytes_of<tl::binary>(list), ttype::list),
            canonical<tl::binary>(wire_bytes_of<tl::binary>(turned), ttype::list));
  const std::string strings("\x0b\0\0\0\0", 5), numbers("\x08\0\0\0\0", 5);
  EXPECT_EQ(canonical<tl::binary>(strings, ttype::list), canonical<tl::binary>(numbers, ttype::list));
}

// Any byte but 0 is a true bool.
TEST(canonical, keys_that_are_true_are_equal_whatever_their_byte) {
  const std::string one("\1", 1), two("\2", 1), zero("\0", 1);
  EXPECT_TRUE(equal_keys<tl::binary>(one, two, ttype::bool_));
  EXPECT_FALSE(equal_keys<tl::binary>(zero, two, ttype::bool_));
}

TEST(canonical, malformed_bytes_have_the_readers_error) {
  const std::string cut("\x0d\0\1\x08", 4);
  tl::binary::reader in(cut);
  tl::buffer out;
  EXPECT_FALSE(tl::detail::append_canonical<tl::binary>(in, out, ttype::struct_));
  EXPECT_EQ(in.fault().code, tl::errc::truncated);
}

}  // namespace
