#include "places/places.hpp"

#include <thriftlens/codec/decode.hpp>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <variant>

namespace places_bound {

enum class e : std::int32_t { one = 1, two = 2 };
struct leaf {
  std::int32_t n = 0;
  auto operator<=>(const leaf&) const = default;
};
struct need {
  std::int32_t r = 0;
};
using pick = std::variant<std::monostate, std::int32_t, std::int32_t>;
struct box {
  std::unique_ptr<box> next;
  std::vector<box> items;
  std::vector<box> some;
  std::map<bool, box> by_bool;
  std::map<std::int8_t, box> by_i8;
  std::map<std::int16_t, box> by_i16;
  std::map<std::int32_t, box> by_i32;
  std::map<std::int64_t, box> by_i64;
  std::map<double, box> by_double;
  std::map<std::string, box> by_string;
  std::map<std::vector<std::uint8_t>, box> by_binary;
  std::map<std::array<std::uint8_t, 16>, box> by_uuid;
  std::map<e, box> by_enum;
  std::map<std::vector<std::int32_t>, box> by_list;
  std::map<leaf, box> by_struct;
  std::int32_t n = 0;
  std::string s;
  std::vector<std::int32_t> numbers;
  std::map<std::string, std::int32_t> counts;
  bool flag = false;
  need inner;
  std::set<std::int32_t> unique;
  std::vector<std::string> words;
  pick picked;
};

}  // namespace places_bound

namespace tl = thriftlens;
using places_bound::box;

template <>
struct thriftlens::binding<places_bound::leaf> : tl::fields<tl::field<1, &places_bound::leaf::n>> {};
template <>
struct thriftlens::binding<places_bound::need>
    : tl::fields<tl::field<1, &places_bound::need::r, tl::required>> {};
template <>
struct thriftlens::binding<box>
    : tl::fields<tl::field<1, &box::next>, tl::field<2, &box::items>, tl::field<3, &box::some, tl::as_set>,
                 tl::field<4, &box::by_bool>, tl::field<5, &box::by_i8>, tl::field<6, &box::by_i16>,
                 tl::field<7, &box::by_i32>, tl::field<8, &box::by_i64>, tl::field<9, &box::by_double>,
                 tl::field<10, &box::by_string>, tl::field<11, &box::by_binary>, tl::field<12, &box::by_uuid>,
                 tl::field<13, &box::by_enum>, tl::field<14, &box::by_list>, tl::field<15, &box::by_struct>,
                 tl::field<30, &box::n>, tl::field<31, &box::s>, tl::field<32, &box::numbers>,
                 tl::field<33, &box::counts>, tl::field<34, &box::flag>,
                 tl::field<35, &box::inner, tl::named("need")>, tl::field<36, &box::unique>,
                 tl::field<37, &box::words>, tl::field<38, &box::picked, tl::named("pick")>> {};

namespace {

using namespace thriftlens_test::places;

template <class P>
struct codec_places : testing::Test {};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(codec_places, protocols);

TYPED_TEST(codec_places, decode) {
  expect_places<TypeParam>(
      "decode",
      [](const sample& of) {
        box output;
        const tl::result<void> status = tl::try_decode_into<TypeParam>(of.bytes, output);
        if (status) return tl::error();
        // A std::variant has no names for its members.
        if (!status.error().path().ends_with(".pick.#2")) return status.error();
        const std::string path = status.error().path().substr(0, status.error().path().size() - 2) + 'b';
        return tl::error(status.error().code(), status.error().what(), status.error().offset(), path);
      },
      sees_all);
}

}  // namespace
