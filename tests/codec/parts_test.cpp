#include <thriftlens/codec/parts.hpp>

#include "support/test.hpp"

#include <variant>

namespace codec = thriftlens::detail::codec;

namespace {
struct part_leaf {
  int number = 0;
};
using part_either = std::variant<part_leaf, std::string>;
struct part_tree {
  int number = 0;
  std::map<std::string, std::vector<part_tree>> kids;
  std::optional<part_leaf> one;
  std::unique_ptr<part_either> other;
  part_leaf same;
};
}  // namespace
template <>
struct tl::binding<part_leaf> : tl::numbered {};
template <>
struct tl::binding<part_tree> : tl::numbered {};

TEST(codec_parts, of_a_value_are_the_nearest_structs_and_unions) {
  static_assert(std::is_same_v<codec::value_parts<int>, codec::type_list<>>);
  static_assert(std::is_same_v<codec::value_parts<part_leaf>, codec::type_list<part_leaf>>);
  static_assert(
      std::is_same_v<codec::value_parts<std::vector<std::optional<part_tree>>>, codec::type_list<part_tree>>);
  static_assert(std::is_same_v<codec::value_parts<std::map<part_leaf, part_either>>,
                               codec::type_list<part_leaf, part_either>>);
  SUCCEED();
}

TEST(codec_parts, of_a_struct_or_union_are_those_of_its_members) {
  static_assert(std::is_same_v<codec::parts_of<part_leaf>, codec::type_list<>>);
  static_assert(std::is_same_v<codec::parts_of<part_either>, codec::type_list<part_leaf>>);
  static_assert(std::is_same_v<codec::parts_of<part_tree>,
                               codec::type_list<part_tree, part_leaf, part_either, part_leaf>>);
  SUCCEED();
}

TEST(codec_parts, know_whether_a_value_borrows_its_bytes) {
  static_assert(!codec::refers_to_bytes<part_tree>);
  static_assert(!codec::refers_to_bytes<std::vector<std::string>>);
  static_assert(codec::refers_to_bytes<std::map<std::string, std::vector<std::string_view>>>);
  static_assert(codec::refers_to_bytes<std::optional<tl::byte_view>>);
  SUCCEED();
}
