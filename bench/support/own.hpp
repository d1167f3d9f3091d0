// own: the structs that a user of the codec would write for idl/bench.thrift, in the ways a user may
// choose. Never generated: these lines are all that the codec needs.
#pragma once

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench::own {

/// Owning types, like those of generated code.
struct standard {
  using text = std::string;
  template <class Key, class Value>
  using map = std::map<Key, Value>;
};
/// Borrows from the bytes; maps keep their wire order.
struct views {
  using text = std::string_view;
  template <class Key, class Value>
  using map = std::vector<std::pair<Key, Value>>;
};

template <class T>
using plain = T;
template <class T>
using maybe = std::optional<T>;

template <class Family, template <class> class Field>
struct simple {
  Field<std::int8_t> byte_field{};
  Field<std::int64_t> i64_field{};
  Field<double> double_field{};
  Field<std::int32_t> i32_field{};
  Field<typename Family::text> string_field{};
  Field<typename Family::text> binary_field{};
};

template <class Family, template <class> class Field>
struct nesting {
  using text = typename Family::text;
  using inner = simple<Family, Field>;
  template <class Key, class Value>
  using map = typename Family::template map<Key, Value>;

  Field<text> string{};
  Field<std::vector<inner>> list_simple{};
  Field<double> double_{};
  Field<std::int32_t> i32{};
  Field<std::vector<std::int32_t>> list_i32{};
  Field<std::int64_t> i64{};
  Field<map<text, text>> map_string_string{};
  Field<inner> simple_struct{};
  Field<map<std::int32_t, std::int64_t>> map_i32_i64{};
  Field<std::vector<text>> list_string{};
  Field<text> binary{};
  Field<map<std::int64_t, text>> map_i64_string{};
  Field<std::vector<std::int64_t>> list_i64{};
  Field<std::int8_t> byte{};
  Field<map<text, inner>> map_string_simple{};
};

}  // namespace bench::own

template <class Family, template <class> class Field>
struct thriftlens::binding<bench::own::simple<Family, Field>>
    : thriftlens::fields<thriftlens::field<1, &bench::own::simple<Family, Field>::byte_field>,
                         thriftlens::field<2, &bench::own::simple<Family, Field>::i64_field>,
                         thriftlens::field<3, &bench::own::simple<Family, Field>::double_field>,
                         thriftlens::field<4, &bench::own::simple<Family, Field>::i32_field>,
                         thriftlens::field<5, &bench::own::simple<Family, Field>::string_field>,
                         thriftlens::field<6, &bench::own::simple<Family, Field>::binary_field>> {};

template <class Family, template <class> class Field>
struct thriftlens::binding<bench::own::nesting<Family, Field>>
    : thriftlens::fields<thriftlens::field<1, &bench::own::nesting<Family, Field>::string>,
                         thriftlens::field<2, &bench::own::nesting<Family, Field>::list_simple>,
                         thriftlens::field<3, &bench::own::nesting<Family, Field>::double_>,
                         thriftlens::field<4, &bench::own::nesting<Family, Field>::i32>,
                         thriftlens::field<5, &bench::own::nesting<Family, Field>::list_i32>,
                         thriftlens::field<6, &bench::own::nesting<Family, Field>::i64>,
                         thriftlens::field<7, &bench::own::nesting<Family, Field>::map_string_string>,
                         thriftlens::field<8, &bench::own::nesting<Family, Field>::simple_struct>,
                         thriftlens::field<9, &bench::own::nesting<Family, Field>::map_i32_i64>,
                         thriftlens::field<10, &bench::own::nesting<Family, Field>::list_string>,
                         thriftlens::field<11, &bench::own::nesting<Family, Field>::binary>,
                         thriftlens::field<12, &bench::own::nesting<Family, Field>::map_i64_string>,
                         thriftlens::field<13, &bench::own::nesting<Family, Field>::list_i64>,
                         thriftlens::field<14, &bench::own::nesting<Family, Field>::byte>,
                         thriftlens::field<15, &bench::own::nesting<Family, Field>::map_string_simple>> {};
