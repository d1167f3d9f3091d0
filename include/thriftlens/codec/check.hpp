// check: reports faults of a binding at compile time, in one sentence. All entry points of the codec check
// first.
#pragma once

#include <thriftlens/codec/parts.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// Aggregates need no binding: an IDL will name their fields.
struct by_name {};
/// Every struct has a binding.
struct by_binding {};

namespace detail {

template <class T>
[[nodiscard]] constexpr bool ids_differ() noexcept {
  constexpr const auto& ids = member_ids<T>;
  for (std::size_t i = 1; i < ids.size(); ++i)
    if (ids[i] == ids[i - 1]) return false;
  return true;
}

template <class T>
[[nodiscard]] constexpr bool union_ids_differ() noexcept {
  using list = union_members<T>;
  for (std::size_t i = 0; i < list::count; ++i)
    if (list::find(list::id(i)) != i) return false;
  return true;
}

template <class Fields, class T>
inline constexpr bool owned_by = false;
template <class... Fields, class T>
inline constexpr bool owned_by<std::tuple<Fields...>, T> =
    (std::is_base_of_v<typename Fields::owner, T> && ...);

// Why T has no Thrift type.
template <class T>
constexpr void refuse_type() {
  constexpr bool known = std::is_same_v<T, float> || std::is_pointer_v<T> || std::is_enum_v<T>;
  static_assert(!std::is_same_v<T, float>, "thriftlens: float has no Thrift type: use double");
  static_assert(!std::is_pointer_v<T>,
                "thriftlens: a raw pointer has no Thrift type: use std::unique_ptr, std::optional or "
                "std::string_view");
  static_assert(!std::is_enum_v<T>, "thriftlens: an enum of 64 bits does not fit Thrift's i32");
  static_assert(known,
                "thriftlens: no Thrift type for this C++ type: specialise thriftlens::binding, adapter or "
                "container for it");
}

// Checks a value up to the next struct or union.
template <class T>
constexpr void check_nested() {
  constexpr value_kind kind = kind_of<T>;
  if constexpr (kind == value_kind::none) {
    refuse_type<T>();
  } else if constexpr (kind == value_kind::nullable) {
    static_assert(!is_nullable_value<pointed<T>>,
                  "thriftlens: an optional or pointer inside another one has no encoding of its own");
    check_nested<pointed<T>>();
  } else if constexpr (kind == value_kind::adapted) {
    check_nested<adapted_wire<T>>();
  } else if constexpr (wire_type<T>() == ttype::map) {
    check_nested<key_type<T>>();
    check_nested<mapped_type<T>>();
  } else if constexpr (is_container(wire_type<T>())) {
    check_nested<element_type<T>>();
  }
}

template <class T, std::size_t Index>
constexpr bool check_member() {
  using type = member_type<T, Index>;
  static_assert(!members<T>::template as_set<Index> || wire_type<type>() == ttype::list,
                "thriftlens: field: as_set is for members that are vectors, deques or arrays");
  static_assert(!std::is_const_v<type> && !std::is_reference_v<type>,
                "thriftlens: field: a const member or a reference cannot be decoded");
  check_nested<type>();
  return true;
}
template <class T>
constexpr void check_members() {
  static_assert(!members<T>::keeps_twice, "thriftlens: binding: more than one keep_unknown");
  static_assert(ids_differ<T>(), "thriftlens: binding: two fields have the same id");
  for_each_member<T>([](auto index) { return check_member<T, index>(); });
}

// Aggregates whose members are numbered, or named by an IDL.
template <class T>
constexpr void check_aggregate() {
  static_assert(!has_base<T>,
                "thriftlens: numbered or bind_by_name: a base class; list the members with fields<...>");
  static_assert(!has_c_array<T>, "thriftlens: numbered or bind_by_name: a C array; use std::array");
  static_assert(has_c_array<T> || member_count<T> <= max_members,
                "thriftlens: numbered or bind_by_name: more than 64 members; list them with fields<...>");
  if constexpr (!has_base<T> && !has_c_array<T>) {
    static_assert(!has_bit_field<T>,
                  "thriftlens: numbered or bind_by_name: a bit-field; encode a struct without it");
    if constexpr (!has_bit_field<T>) check_members<T>();
  }
}

template <class T>
constexpr void check_bound() {
  if constexpr (requires { typename binding<T>::bound_fields; }) {
    static_assert(owned_by<typename binding<T>::bound_fields, T>,
                  "thriftlens: binding: a field names a member of another struct");
    check_members<T>();
  } else {
    static_assert(
        requires { typename binding<T>::bound_in_order; } && std::is_aggregate_v<T>,
        "thriftlens: binding: it derives from fields<...>, numbered (aggregates only), union_<...> or "
        "union_ids<...>");
    check_aggregate<T>();
  }
}

template <class T>
constexpr void check_union() {
  using list = union_members<T>;
  constexpr bool fits = list::explicit_id_count() == 0 || list::explicit_id_count() == list::count;
  static_assert(list::parts::valid, "thriftlens: union_<member>: the member is not a std::variant");
  static_assert(!list::parts::valid || fits,
                "thriftlens: union: one id per alternative of the variant (none for std::monostate)");
  if constexpr (list::parts::valid && fits) {
    static_assert(union_ids_differ<T>(), "thriftlens: union: two members have the same id");
    for_each_index<0, list::count>([](auto member) {
      check_nested<typename list::template type<member>>();
      return true;
    });
  }
}

// Checks a struct or union, without those that it contains.
template <class T, class Ids>
constexpr bool check_alone() {
  constexpr bool unbound = is_struct_value<T> && !bound<T>;
  static_assert(!unbound || std::is_same_v<Ids, by_name>,
                "thriftlens: a struct without a binding: specialise thriftlens::binding for it "
                "(fields<...>, or numbered for 1, 2, ...)");
  if constexpr (is_union_value<T>)
    check_union<T>();
  else if constexpr (!unbound)
    check_bound<T>();
  else if constexpr (std::is_same_v<Ids, by_name>)
    check_aggregate<T>();
  return true;
}

// False if its members cannot be checked.
template <class T>
[[nodiscard]] constexpr bool has_parts() noexcept {
  if constexpr (is_union_value<T>)
    return union_members<T>::parts::valid;
  else
    return requires { members<T>::count; };
}
template <class T, bool = has_parts<T>()>
struct checked_parts {
  using type = type_list<>;
};
template <class T>
struct checked_parts<T, true> {
  using type = parts_of<T>;
};

// Functions that are named but not called: the compiler instantiates them once, after the function that names
// them.
template <class T, class Ids, class Parts>
struct later_check;
template <class T, class Ids>
using check_of = later_check<T, Ids, typename checked_parts<T>::type>;
template <class T, class Ids, class... Part>
struct later_check<T, Ids, type_list<Part...>> {
  static void run() {
    static_assert(check_alone<T, Ids>());
    (static_cast<void>(&check_of<Part, Ids>::run), ...);
  }
};

// Checks the outermost types directly, so that their faults are the first errors.
template <class Ids, class... T>
constexpr bool check_first(type_list<T...>) {
  static_assert((check_alone<T, Ids>() && ...));
  (static_cast<void>(&check_of<T, Ids>::run), ...);
  return true;
}

}  // namespace detail

/// Checks T and all types in it once. Always true; faults are compile errors.
template <class T, class Ids = by_binding>
constexpr bool check_value() {
  detail::check_nested<T>();
  return detail::check_first<Ids>(value_parts<T>());
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
