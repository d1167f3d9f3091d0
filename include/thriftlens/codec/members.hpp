// members: uniform access to bindings: the fields of a struct by id, the alternatives of a union.
#pragma once

#include <thriftlens/codec/aggregate.hpp>
#include <thriftlens/codec/binding.hpp>
#include <thriftlens/codec/type_list.hpp>
#include <thriftlens/codec/value_kind.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

namespace detail {

template <class T>
inline constexpr bool is_keep_unknown = false;
template <auto Member>
inline constexpr bool is_keep_unknown<keep_unknown<Member>> = true;

// Splits the fields into known ones and those for unknown fields.
template <class... Fields>
[[nodiscard]] constexpr auto known_of(std::tuple<Fields...>*) noexcept {
  if constexpr ((is_keep_unknown<Fields> || ...))
    return (type_list<>() + ... +
            std::conditional_t<is_keep_unknown<Fields>, type_list<>, type_list<Fields>>());
  else
    return type_list<Fields...>();
}
template <class... Fields>
[[nodiscard]] constexpr auto keepers_of(std::tuple<Fields...>*) noexcept {
  return (type_list<>() + ... +
          std::conditional_t<is_keep_unknown<Fields>, type_list<Fields>, type_list<>>());
}

// Positions of the fields in ascending order of their ids.
template <std::size_t Count>
[[nodiscard]] constexpr std::array<std::size_t, Count> order_by_id(
    const std::array<int, Count>& ids) noexcept {
  std::array<std::size_t, Count> order{};
  for (std::size_t i = 0; i < Count; ++i) {
    std::size_t at = i;
    for (; at != 0 && ids[i] < ids[order[at - 1]]; --at) order[at] = order[at - 1];
    order[at] = i;
  }
  return order;
}

template <class Known>
inline constexpr std::array<std::size_t, 0> field_order = {};
template <class... Fields>
  requires(sizeof...(Fields) != 0)
inline constexpr auto field_order<type_list<Fields...>> =
    order_by_id(std::array<int, sizeof...(Fields)>{Fields::id...});

}  // namespace detail

/// Fields of a struct T by index, ids ascending.
template <class T>
struct members;

/// Bound by tl::fields.
template <class T>
  requires requires { typename binding<T>::bound_fields; }
struct members<T> {
  using bound_fields = typename binding<T>::bound_fields;
  using known = decltype(detail::known_of(static_cast<bound_fields*>(nullptr)));
  using keepers = decltype(detail::keepers_of(static_cast<bound_fields*>(nullptr)));
  static constexpr std::size_t count = type_count<known>;
  static constexpr bool keeps_unknown = type_count<keepers> != 0;
  static constexpr bool keeps_twice = type_count<keepers> > 1;

  template <std::size_t Index>
  using field_at = type_at<detail::field_order<known>[Index], known>;
  template <std::size_t Index>
  using type = typename field_at<Index>::type;

  template <std::size_t Index>
  static constexpr std::int16_t id = static_cast<std::int16_t>(field_at<Index>::id);
  template <std::size_t Index>
  static constexpr bool required = field_at<Index>::is_required;
  template <std::size_t Index>
  static constexpr bool omits_default = field_at<Index>::omits_default;
  template <std::size_t Index>
  static constexpr bool has_default = field_at<Index>::has_default;
  template <std::size_t Index>
  static constexpr bool as_set = field_at<Index>::is_set;
  template <std::size_t Index>
  [[nodiscard]] static constexpr std::string_view name() noexcept {
    return field_at<Index>::name();
  }
  template <std::size_t Index>
  static constexpr name_source name_from = field_at<Index>::name_from();
  template <std::size_t Index, class Object>
  [[nodiscard]] THRIFTLENS_INLINE static constexpr auto& get(Object& object) noexcept {
    return object.*field_at<Index>::member;
  }
  template <std::size_t Index>
  [[nodiscard]] static type<Index> default_value() {
    if constexpr (has_default<Index>)
      return field_at<Index>::default_value();
    else
      return type<Index>();
  }
  template <class Object>
  [[nodiscard]] static constexpr auto& unknown(Object& object) noexcept {
    return type_at<0, keepers>::get(object);
  }
};

/// Bound by tl::numbered, or an aggregate with ids by bind_by_name at run time.
template <class T>
  requires(!requires { typename binding<T>::bound_fields; } && std::is_aggregate_v<T>)
struct members<T> {
  static constexpr std::size_t count = member_count<T> <= max_members ? member_count<T> : 0;
  static constexpr bool keeps_unknown = false;
  static constexpr bool keeps_twice = false;
  using references = decltype(tie_members(std::declval<T&>()));

  template <std::size_t Index>
  using type = std::remove_reference_t<std::tuple_element_t<Index, references>>;
  template <std::size_t Index>
  static constexpr std::int16_t id = static_cast<std::int16_t>(Index + 1);
  template <std::size_t Index>
  static constexpr bool required = false;
  template <std::size_t Index>
  static constexpr bool omits_default = false;
  template <std::size_t Index>
  static constexpr bool has_default = false;
  template <std::size_t Index>
  static constexpr bool as_set = false;
  template <std::size_t Index>
  [[nodiscard]] static constexpr std::string_view name() noexcept {
    return aggregate_member_name<T, Index>;
  }
  template <std::size_t Index>
  static constexpr name_source name_from = {aggregate_member_name<T, Index>};
  template <std::size_t Index, class Object>
  [[nodiscard]] THRIFTLENS_INLINE static constexpr auto& get(Object& object) noexcept {
    return std::get<Index>(tie_members(object));
  }
  template <std::size_t Index>
  [[nodiscard]] static type<Index> default_value() {
    return type<Index>();
  }
};

/// Type of the member of that index.
template <class T, std::size_t Index>
using member_type = typename members<T>::template type<Index>;

/// The wire type of the field of that index.
template <class T, std::size_t Index>
inline constexpr ttype member_wire =
    members<T>::template as_set<Index> ? ttype::set : wire_type<member_type<T, Index>>();

/// 0, 1, … for the fields of T in order of ids.
template <class T>
using member_indices = std::make_index_sequence<members<T>::count>;

/// Calls `visit(index)` for Begin, …, End - 1 until it returns false. `index` is an integral_constant.
template <std::size_t Begin, std::size_t End, class Visitor>
THRIFTLENS_INLINE constexpr bool for_each_index(Visitor&& visit) {
  return [&]<std::size_t... Offset>(std::index_sequence<Offset...>) THRIFTLENS_INLINE_LAMBDA {
    return (visit(std::integral_constant<std::size_t, Begin + Offset>{}) && ...);
  }(std::make_index_sequence<End - Begin>{});
}
/// Like for_each_index, for the fields of T in order of ids.
template <class T, class Visitor>
THRIFTLENS_INLINE constexpr bool for_each_member(Visitor&& visit) {
  return for_each_index<0, members<T>::count>(visit);
}

/// The name of the field of that index, for error text.
template <class T>
[[nodiscard]] std::string_view member_name_at(std::size_t index) noexcept {
  static constexpr auto names = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::array<name_source, sizeof...(Index) + 1>{members<T>::template name_from<Index>...,
                                                         name_source()};
  }(member_indices<T>());
  return name_of(names[index]);
}

/// The ids of all fields, ascending.
template <class T>
inline constexpr auto member_ids = []<std::size_t... Index>(std::index_sequence<Index...>) {
  return std::array<std::int16_t, sizeof...(Index)>{members<T>::template id<Index>...};
}(member_indices<T>());

// ---- unions

namespace detail {

template <class T>
struct variant_of {
  using type = T;
};
template <class T>
  requires requires { typename binding<T>::bound_union; }
struct variant_of<T> {
  using type = typename binding<T>::bound_union;
};

template <class T>
struct variant_parts {
  static constexpr bool valid = false;
  static constexpr bool may_be_empty = false;
  static constexpr std::size_t size = 0;
};
template <class... Types>
struct variant_parts<std::variant<Types...>> {
  static constexpr bool valid = true;
  static constexpr bool may_be_empty =
      std::is_same_v<std::variant_alternative_t<0, std::variant<Types...>>, std::monostate>;
  static constexpr std::size_t size = sizeof...(Types);
};

}  // namespace detail

/// A union type T: a std::variant, or a struct bound by tl::union_.
template <class T>
struct union_members {
  using variant = typename detail::variant_of<T>::type;
  using parts = detail::variant_parts<variant>;
  /// A leading monostate represents an empty union.
  static constexpr std::size_t first = parts::may_be_empty ? 1 : 0;
  static constexpr std::size_t count = parts::size - first;

  template <std::size_t Member>
  using type = std::variant_alternative_t<Member + first, variant>;

  [[nodiscard]] static constexpr std::size_t explicit_id_count() noexcept {
    if constexpr (requires { binding<T>::id_count; })
      return binding<T>::id_count;
    else
      return 0;
  }
  /// Id of the member of that number, from 0, as declared.
  [[nodiscard]] static constexpr std::int16_t id(std::size_t member) noexcept {
    if constexpr (explicit_id_count() != 0)
      return static_cast<std::int16_t>(binding<T>::ids[member]);
    else
      return static_cast<std::int16_t>(member + 1);
  }
  /// The member with that id, or count.
  [[nodiscard]] static constexpr std::size_t find(std::int16_t requested) noexcept {
    for (std::size_t member = 0; member < count; ++member)
      if (id(member) == requested) return member;
    return count;
  }
  template <class Object>
  [[nodiscard]] THRIFTLENS_INLINE static constexpr auto& get(Object& object) noexcept {
    if constexpr (std::is_same_v<T, variant>)
      return object;
    else
      return binding<T>::get(object);
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
