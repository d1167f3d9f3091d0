// open_structs: C++ structs with bindings for the types of the shared sample vectors.
#pragma once

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>
#include <thriftlens/codec/size.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace open_structs {

template <class T>
using opt = std::optional<T>;
template <class K, class V>
using pairs = std::vector<std::pair<K, V>>;
using bytes = std::vector<std::uint8_t>;
using names = std::vector<std::string>;

/// A set that keeps the order and the repetitions of the wire.
template <class T>
struct item_set {
  std::vector<T> items;
};

enum class color : std::int32_t { red = 0, green = 1, blue = 5 };

struct point {
  std::int32_t x = 0;
  std::int32_t y = 0;
};
struct empty {};
struct scalars {
  bool f_bool = false;
  std::int8_t f_i8 = 0;
  std::int16_t f_i16 = 0;
  std::int32_t f_i32 = 0;
  std::int64_t f_i64 = 0;
  double f_double = 0;
  std::string f_string;
  bytes f_binary;
  color f_enum = color::red;
  std::int64_t f_uid = 0;
  thriftlens::unknown_fields rest;
};
struct opt_scalars {
  opt<bool> o_bool;
  opt<std::int8_t> o_i8;
  opt<std::int16_t> o_i16;
  opt<std::int32_t> o_i32;
  opt<std::int64_t> o_i64;
  opt<double> o_double;
  opt<std::string> o_string;
  opt<bytes> o_binary;
  opt<color> o_enum;
  opt<point> o_point;
};
struct req_scalars {
  bool r_bool = false;
  std::int8_t r_i8 = 0;
  std::int16_t r_i16 = 0;
  std::int32_t r_i32 = 0;
  std::int64_t r_i64 = 0;
  double r_double = 0;
  std::string r_string;
  bytes r_binary;
  color r_enum = color::red;
  point r_point;
};
struct mixed {
  std::int32_t req = 0;
  opt<std::int32_t> opt_;
  opt<std::int32_t> dfl;
  std::string req_d = "rd";
  opt<std::string> opt_d;
  opt<std::int64_t> dfl_d;
  opt<std::vector<std::int32_t>> lst_d;
  opt<pairs<std::string, std::int32_t>> map_d;
  opt<double> dbl_d;
  opt<bool> bool_d;
};
struct lists {
  opt<std::vector<bool>> l0;
  opt<std::vector<std::int8_t>> l1;
  opt<std::vector<std::int16_t>> l2;
  opt<std::vector<std::int32_t>> l3;
  opt<std::vector<std::int64_t>> l4;
  opt<std::vector<double>> l5;
  opt<names> l6;
  opt<std::vector<bytes>> l7;
  opt<std::vector<color>> l8;
  opt<std::vector<point>> l9;
  opt<std::vector<empty>> l10;
  opt<std::vector<std::vector<std::int32_t>>> l11;
  opt<std::vector<item_set<std::string>>> l12;
  opt<std::vector<pairs<std::string, std::int64_t>>> l13;
  opt<std::vector<names>> l14;
};
struct sets {
  opt<std::vector<bool>> s0;
  opt<std::vector<std::int8_t>> s1;
  opt<std::vector<std::int16_t>> s2;
  opt<std::vector<std::int32_t>> s3;
  opt<std::vector<std::int64_t>> s4;
  opt<std::vector<double>> s5;
  opt<names> s6;
  opt<std::vector<bytes>> s7;
  opt<std::vector<color>> s8;
  opt<std::vector<std::int64_t>> s9;
};
struct map_keys {
  opt<pairs<bool, std::string>> k0;
  opt<pairs<std::int8_t, std::string>> k1;
  opt<pairs<std::int16_t, std::string>> k2;
  opt<pairs<std::int32_t, std::string>> k3;
  opt<pairs<std::int64_t, std::string>> k4;
  opt<pairs<double, std::string>> k5;
  opt<pairs<std::string, std::string>> k6;
  opt<pairs<bytes, std::string>> k7;
  opt<pairs<color, std::string>> k8;
  opt<pairs<std::int64_t, std::string>> k9;
};
struct map_vals {
  opt<pairs<std::string, bool>> v0;
  opt<pairs<std::string, std::int8_t>> v1;
  opt<pairs<std::string, std::int16_t>> v2;
  opt<pairs<std::string, std::int32_t>> v3;
  opt<pairs<std::string, std::int64_t>> v4;
  opt<pairs<std::string, double>> v5;
  opt<pairs<std::string, std::string>> v6;
  opt<pairs<std::string, bytes>> v7;
  opt<pairs<std::string, color>> v8;
  opt<pairs<std::string, point>> v9;
  opt<pairs<std::string, names>> v10;
  opt<pairs<std::string, pairs<std::int32_t, std::string>>> v11;
};
struct struct_keys {
  opt<pairs<point, std::string>> ps;
  opt<pairs<std::vector<std::int32_t>, std::string>> ls;
  opt<item_set<point>> ss;
};
using uuid = std::array<std::uint8_t, 16>;
struct uuids {
  opt<uuid> u;
  opt<std::vector<uuid>> lu;
  opt<pairs<uuid, std::string>> mu;
  opt<item_set<uuid>> su;
  opt<pairs<std::string, uuid>> mv;
  opt<std::int32_t> tail;
};
struct nested {
  opt<std::vector<std::vector<std::vector<std::int16_t>>>> a;
  opt<pairs<std::string, pairs<std::int32_t, std::vector<scalars>>>> b;
  opt<std::vector<pairs<std::string, names>>> c;
  opt<std::vector<pairs<std::string, item_set<std::int64_t>>>> d;
  opt<scalars> e;
  opt<pairs<std::int64_t, mixed>> f;
};
struct tree {
  std::int32_t v = 0;
  std::unique_ptr<std::vector<tree>> kids;
  std::unique_ptr<pairs<std::string, tree>> named;
};
struct uni {
  std::variant<std::monostate, std::int32_t, std::string, scalars, std::vector<std::int32_t>, bool, bytes>
      value;
};
struct uni_holder {
  opt<uni> u;
  opt<std::vector<uni>> us;
  opt<pairs<std::string, uni>> um;
};
struct oops {
  std::int32_t code = 0;
  std::string msg;
  opt<pairs<std::string, std::string>> details;
};
struct sparse {
  opt<std::int32_t> a;
  opt<bool> b;
  opt<std::string> c;
  opt<bool> d;
  opt<std::int64_t> e;
  opt<std::int32_t> f;
  opt<std::int8_t> g;
  opt<point> h;
  opt<bool> i;
  opt<std::vector<std::int32_t>> j;
};
/// Five of 300 fields; the others are stored as unknown fields.
struct wide {
  opt<std::string> w1;
  opt<bool> w2;
  opt<std::int64_t> w3;
  opt<double> w4;
  opt<std::int32_t> w5;
  thriftlens::unknown_fields rest;
};

}  // namespace open_structs

namespace thriftlens::inline THRIFTLENS_ABI {

template <class T>
struct container<open_structs::item_set<T>> {
  static constexpr ttype wire = ttype::set;
  using value_type = T;
  static std::size_t size(const open_structs::item_set<T>& of) { return of.items.size(); }
  static bool for_each(const open_structs::item_set<T>& of, auto&& visit) {
    for (const T& item : of.items)
      if (!visit(item)) return false;
    return true;
  }
  static void clear(open_structs::item_set<T>& of) { of.items.clear(); }
  static bool add(open_structs::item_set<T>& to, T&& value) {
    return to.items.push_back(std::move(value)), true;
  }
};

template <>
struct binding<open_structs::point> : numbered {};
template <>
struct binding<open_structs::empty> : numbered {};
template <>
struct binding<open_structs::scalars>
    : fields<field<1, &open_structs::scalars::f_bool>, field<2, &open_structs::scalars::f_i8>,
             field<3, &open_structs::scalars::f_i16>, field<4, &open_structs::scalars::f_i32>,
             field<5, &open_structs::scalars::f_i64>, field<6, &open_structs::scalars::f_double>,
             field<7, &open_structs::scalars::f_string>, field<8, &open_structs::scalars::f_binary>,
             field<9, &open_structs::scalars::f_enum>, field<10, &open_structs::scalars::f_uid>,
             keep_unknown<&open_structs::scalars::rest>> {};
template <>
struct binding<open_structs::opt_scalars> : numbered {};
template <>
struct binding<open_structs::req_scalars> : fields<field<1, &open_structs::req_scalars::r_bool, required>,
                                                   field<2, &open_structs::req_scalars::r_i8, required>,
                                                   field<3, &open_structs::req_scalars::r_i16, required>,
                                                   field<4, &open_structs::req_scalars::r_i32, required>,
                                                   field<5, &open_structs::req_scalars::r_i64, required>,
                                                   field<6, &open_structs::req_scalars::r_double, required>,
                                                   field<7, &open_structs::req_scalars::r_string, required>,
                                                   field<8, &open_structs::req_scalars::r_binary, required>,
                                                   field<9, &open_structs::req_scalars::r_enum, required>,
                                                   field<10, &open_structs::req_scalars::r_point, required>> {
};
template <>
struct binding<open_structs::mixed>
    : fields<field<1, &open_structs::mixed::req, required>, field<2, &open_structs::mixed::opt_>,
             field<3, &open_structs::mixed::dfl>, field<4, &open_structs::mixed::req_d, required>,
             field<5, &open_structs::mixed::opt_d>, field<6, &open_structs::mixed::dfl_d>,
             field<7, &open_structs::mixed::lst_d>, field<8, &open_structs::mixed::map_d>,
             field<9, &open_structs::mixed::dbl_d>, field<10, &open_structs::mixed::bool_d>> {};
template <>
struct binding<open_structs::lists> : numbered {};
template <>
struct binding<open_structs::sets>
    : fields<field<1, &open_structs::sets::s0, as_set>, field<2, &open_structs::sets::s1, as_set>,
             field<3, &open_structs::sets::s2, as_set>, field<4, &open_structs::sets::s3, as_set>,
             field<5, &open_structs::sets::s4, as_set>, field<6, &open_structs::sets::s5, as_set>,
             field<7, &open_structs::sets::s6, as_set>, field<8, &open_structs::sets::s7, as_set>,
             field<9, &open_structs::sets::s8, as_set>, field<10, &open_structs::sets::s9, as_set>> {};
template <>
struct binding<open_structs::map_keys> : numbered {};
template <>
struct binding<open_structs::map_vals> : numbered {};
template <>
struct binding<open_structs::struct_keys> : numbered {};
template <>
struct binding<open_structs::uuids> : numbered {};
template <>
struct binding<open_structs::nested> : numbered {};
template <>
struct binding<open_structs::tree> : numbered {};
template <>
struct binding<open_structs::uni> : union_<&open_structs::uni::value, 1, 2, 3, 4, 5, 6> {};
template <>
struct binding<open_structs::uni_holder> : numbered {};
template <>
struct binding<open_structs::oops> : numbered {};
template <>
struct binding<open_structs::sparse>
    : fields<field<1, &open_structs::sparse::a>, field<15, &open_structs::sparse::b>,
             field<16, &open_structs::sparse::c>, field<17, &open_structs::sparse::d>,
             field<33, &open_structs::sparse::e>, field<127, &open_structs::sparse::f>,
             field<128, &open_structs::sparse::g>, field<1000, &open_structs::sparse::h>,
             field<32766, &open_structs::sparse::i>, field<32767, &open_structs::sparse::j>> {};
template <>
struct binding<open_structs::wide>
    : fields<field<1, &open_structs::wide::w1>, field<2, &open_structs::wide::w2>,
             field<3, &open_structs::wide::w3>, field<4, &open_structs::wide::w4>,
             field<5, &open_structs::wide::w5>, keep_unknown<&open_structs::wide::rest>> {};

}  // namespace thriftlens::inline THRIFTLENS_ABI

namespace open_structs {

/// Calls `visit(type identity)` for the struct of that IDL name; false for names that are not bound here.
template <class Visitor>
bool with_struct(std::string_view name, Visitor&& visit) {
  bool actual = false;
  auto offer = [&]<class T>(std::string_view known, std::type_identity<T> type) {
    if (known == name) actual = true, visit(type);
  };
  offer("Point", std::type_identity<point>());
  offer("Empty", std::type_identity<empty>());
  offer("Scalars", std::type_identity<scalars>());
  offer("OptScalars", std::type_identity<opt_scalars>());
  offer("ReqScalars", std::type_identity<req_scalars>());
  offer("Mixed", std::type_identity<mixed>());
  offer("Lists", std::type_identity<lists>());
  offer("Sets", std::type_identity<sets>());
  offer("MapKeys", std::type_identity<map_keys>());
  offer("MapVals", std::type_identity<map_vals>());
  offer("StructKeys", std::type_identity<struct_keys>());
  offer("Uuids", std::type_identity<uuids>());
  offer("Nested", std::type_identity<nested>());
  offer("Tree", std::type_identity<tree>());
  offer("Uni", std::type_identity<uni>());
  offer("UniHolder", std::type_identity<uni_holder>());
  offer("Oops", std::type_identity<oops>());
  offer("Sparse", std::type_identity<sparse>());
  offer("Wide", std::type_identity<wide>());
  return actual;
}

}  // namespace open_structs
