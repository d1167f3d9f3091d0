#include <thriftlens/codec/type_list.hpp>

#include "support/test.hpp"

namespace codec = thriftlens::detail::codec;
using listed_types = codec::type_list<int, char, int>;

TEST(codec_type_list, types_by_position) {
  static_assert(codec::type_count<codec::type_list<>> == 0);
  static_assert(codec::type_count<listed_types> == 3);
  static_assert(std::is_same_v<codec::type_at<1, listed_types>, char>);
  static_assert(std::is_same_v<codec::type_at<2, listed_types>, int>);
  SUCCEED();
}

TEST(codec_type_list, joined) {
  static_assert(std::is_same_v<decltype(codec::type_list<char>() + listed_types()),
                               codec::type_list<char, int, char, int>>);
  SUCCEED();
}
