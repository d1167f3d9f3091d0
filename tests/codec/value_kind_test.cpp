#include <thriftlens/codec/value_kind.hpp>

#include "support/test.hpp"

#include <deque>
#include <unordered_map>

using tl::ttype, tl::detail::codec::kind_of, tl::detail::codec::value_kind, tl::detail::codec::wire_type;

namespace {
enum class wide_kind : std::int64_t { a };
enum plain_enum { plain_b };
struct aggregate {
  int x;
};
class closed {
  closed();
};
}  // namespace

TEST(codec_value_kind, every_cpp_type_has_a_wire_type) {
  EXPECT_EQ(wire_type<bool>(), ttype::bool_);
  EXPECT_EQ(wire_type<char>(), ttype::i8);
  EXPECT_EQ(wire_type<std::byte>(), ttype::i8);
  EXPECT_EQ(wire_type<unsigned short>(), ttype::i16);
  EXPECT_EQ(wire_type<std::uint32_t>(), ttype::i32);
  EXPECT_EQ(wire_type<long long>(), ttype::i64);
  EXPECT_EQ(wire_type<double>(), ttype::double_);
  EXPECT_EQ(wire_type<plain_enum>(), ttype::i32);
  EXPECT_EQ(wire_type<std::string>(), ttype::string);
  EXPECT_EQ(wire_type<std::vector<std::uint8_t>>(), ttype::string);
  EXPECT_EQ(wire_type<std::vector<std::int8_t>>(), ttype::list);
  EXPECT_EQ((wire_type<std::array<std::uint8_t, 16>>()), ttype::uuid);
  EXPECT_EQ((wire_type<std::array<std::int8_t, 16>>()), ttype::list);
  EXPECT_EQ(wire_type<std::optional<std::unique_ptr<int>>>(), ttype::i32);
  EXPECT_EQ(wire_type<std::deque<int>>(), ttype::list);
  EXPECT_EQ(wire_type<std::set<int>>(), ttype::set);
  EXPECT_EQ((wire_type<std::unordered_map<int, int>>()), ttype::map);
  EXPECT_EQ((wire_type<std::vector<std::pair<int, int>>>()), ttype::map);
  EXPECT_EQ((wire_type<std::variant<int, bool>>()), ttype::struct_);
  EXPECT_EQ(wire_type<aggregate>(), ttype::struct_);
}

TEST(codec_value_kind, unsupported_types_have_none) {
  EXPECT_EQ(kind_of<float>, value_kind::none);
  EXPECT_EQ(kind_of<int*>, value_kind::none);
  EXPECT_EQ(kind_of<wide_kind>, value_kind::none);
  EXPECT_EQ(kind_of<wchar_t>, value_kind::none);
  EXPECT_EQ(kind_of<closed>, value_kind::none);
  EXPECT_EQ(wire_type<float>(), ttype::stop);
}

TEST(codec_value_kind, fixed_types_have_constant_width_and_accept_all_values) {
  static_assert(tl::detail::codec::is_fixed<bool> && tl::detail::codec::is_fixed<plain_enum> &&
                tl::detail::codec::is_fixed<std::array<std::byte, 16>>);
  enum class narrow : std::uint8_t { a };
  static_assert(!tl::detail::codec::is_fixed<narrow> && !tl::detail::codec::is_fixed<std::string> &&
                !tl::detail::codec::is_fixed<std::optional<int>>);
  SUCCEED();
}
