// check: tells the user at compile time what is wrong with a binding, in one sentence each. Never leaves a
// reason to a template deeper down: every entry to the codec asks here first.
#pragma once

#include <thriftlens/codec/parts.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

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

// The reason why there is no Thrift type for T.
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

// A value, as far as the next struct or union.
template <class T>
constexpr void check_way() {
  constexpr value_kind kind = kind_of<T>;
  if constexpr (kind == value_kind::none) {
    refuse_type<T>();
  } else if constexpr (kind == value_kind::nullable) {
    static_assert(!is_nullable_value<pointed<T>>,
                  "thriftlens: an optional or pointer inside another one cannot be told apart on the wire");
    check_way<pointed<T>>();
  } else if constexpr (kind == value_kind::adapted) {
    check_way<adapted_wire<T>>();
  } else if constexpr (wire_type<T>() == ttype::map) {
    check_way<key_type<T>>();
    check_way<mapped_type<T>>();
  } else if constexpr (is_container(wire_type<T>())) {
    check_way<element_type<T>>();
  }
}

template <class T, std::size_t Index>
constexpr bool check_member() {
  using type = member_type<T, Index>;
  static_assert(!members<T>::template as_set<Index> || wire_type<type>() == ttype::list,
                "thriftlens: field: as_set is for members that are vectors, deques or arrays");
  static_assert(!std::is_const_v<type> && !std::is_reference_v<type>,
                "thriftlens: field: a const member or a reference cannot be decoded");
  check_way<type>();
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
  static_assert(member_count<T> <= max_members,
                "thriftlens: numbered or bind_by_name: more than 64 members; list them with fields<...>");
  if constexpr (!has_base<T>) check_members<T>();
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
  constexpr bool fits = list::given_ids() == 0 || list::given_ids() == list::count;
  static_assert(list::parts::valid, "thriftlens: union_<member>: the member is not a std::variant");
  static_assert(!list::parts::valid || fits,
                "thriftlens: union: one id for each alternative of the variant (none for std::monostate)");
  if constexpr (list::parts::valid && fits) {
    static_assert(union_ids_differ<T>(), "thriftlens: union: two members have the same id");
    for_each_index<0, list::count>([](auto member) {
      check_way<typename list::template type<member>>();
      return true;
    });
  }
}

// A struct or union, but nothing of those that it leads to.
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

// False: nothing can be said of its members.
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

// Functions that are named and never called: the compiler makes each of them once, whatever the number of
// ways that lead to it, and after the function that names it.
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

// The first ones at once: what is wrong with them is the first error.
template <class Ids, class... T>
constexpr bool check_first(type_list<T...>) {
  static_assert((check_alone<T, Ids>() && ...));
  (static_cast<void>(&check_of<T, Ids>::run), ...);
  return true;
}

}  // namespace detail

/// Checks T and everything in it, each type once. Always true: what is wrong stops the compiler.
template <class T, class Ids = by_binding>
constexpr bool check_value() {
  detail::check_way<T>();
  return detail::check_first<Ids>(value_parts<T>());
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
