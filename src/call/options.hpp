// options: tables of the keyword-only options of an operation. Spellings are those of the enum, defaults
// those of the aggregate.
#pragma once

#include "call/enumerator_names.hpp"
#include "support/object.hpp"

#include <thriftlens/core/choice.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace thriftlens::python {

/// The spellings of an enum's values in Python, by their numbers: the names of the enumerators.
template <class Enum>
inline constexpr auto spellings = internal::words_of_enum<Enum>();
template <>
inline constexpr std::array<const char*, 2> spellings<bool>{"off", "on"};

namespace internal {

/// Maps option values to numbers: the number of an enum value, or the index in a thriftlens::choice.
template <class T>
struct numbering {
  static constexpr std::uint64_t number_of(T value) noexcept { return static_cast<std::uint64_t>(value); }
  static constexpr T value_of(std::uint64_t number) noexcept { return static_cast<T>(number); }
};
template <auto Default, decltype(Default)... Others>
struct numbering<thriftlens::choice<Default, Others...>> {
  using taken = thriftlens::choice<Default, Others...>;
  static constexpr std::uint64_t number_of(taken value) noexcept {
    std::uint64_t at = 0;
    while (taken::values[at] != value) ++at;
    return at;
  }
  static constexpr taken value_of(std::uint64_t number) noexcept { return taken::values[number]; }
};

}  // namespace internal

/// The spellings that a thriftlens::choice accepts.
template <auto Default, decltype(Default)... Others>
inline constexpr std::array<const char*, 1 + sizeof...(Others)>
    spellings<thriftlens::choice<Default, Others...>>{
        spellings<decltype(Default)>[static_cast<std::size_t>(Default)],
        spellings<decltype(Default)>[static_cast<std::size_t>(Others)]...};

/// A keyword-only option that sets a member of a call.
struct option {
  enum class form : std::uint8_t { choice, number, object };
  /// The value of an omitted choice without a default.
  static constexpr std::uint64_t absent = ~std::uint64_t{0};

  struct choice_list {
    std::span<const char* const> names = {};  ///< spellings by number
    bool takes_none = false;                  ///< None means omitted
  };
  struct number_range {
    std::uint64_t lowest = 0, highest = 0;
    std::uint64_t when_true = 1;  ///< the number that True means
  };
  /// The member of a call.
  struct accessors {
    std::uint64_t (*get)(const void* call) = nullptr;
    void (*set)(void* call, std::uint64_t value) = nullptr;
    /// Of an object; false with a Python error set.
    bool (*take)(void* call, const char* name, PyObject* value) = nullptr;
  };

  const char* name = nullptr;
  form kind = form::choice;
  bool is_required = false;
  bool is_per_call = false;  ///< compiled calls do not depend on it
  choice_list choices = {};
  number_range range = {};
  const char* shown_default = nullptr;  ///< of an object, in help(); of a number, unless the number itself
  accessors member = {};
};

/// An option of calls of that type.
template <class Call>
struct option_of {
  option row;
};

namespace internal {

template <class Object, class Member>
Object object_of(Member Object::*);

/// A member of a member of a call.
template <auto First, auto... Rest>
struct member {
  using call = decltype(object_of(First));
  template <class Object>
  [[nodiscard]] static constexpr auto& of(Object& object) noexcept {
    if constexpr (sizeof...(Rest) == 0)
      return object.*First;
    else
      return member<Rest...>::of(object.*First);
  }
  using type = std::remove_cvref_t<decltype(of(std::declval<call&>()))>;
};

template <class T>
struct without_optional {
  using type = T;
};
template <class T>
struct without_optional<std::optional<T>> {
  using type = T;
};

template <class Member, class Plain>
std::uint64_t get(const void* call) {
  const auto& value = Member::of(*static_cast<const typename Member::call*>(call));
  if constexpr (std::is_same_v<typename Member::type, Plain>)
    return numbering<Plain>::number_of(value);
  else
    return value ? numbering<Plain>::number_of(*value) : option::absent;
}
template <class Member, class Plain>
void set(void* call, std::uint64_t value) {
  Member::of(*static_cast<typename Member::call*>(call)) = numbering<Plain>::value_of(value);
}
template <class Member, auto Take>
bool take(void* call, const char* name, PyObject* value) {
  return Take(Member::of(*static_cast<typename Member::call*>(call)), name, value);
}

inline bool borrow(PyObject*& to, const char*, PyObject* value) {
  to = value;
  return true;
}

}  // namespace internal

/// A choice of an enum or thriftlens::choice, or of an optional one, which None leaves empty.
template <auto... Path>
[[nodiscard]] constexpr auto choice(const char* name) {
  using member = internal::member<Path...>;
  using plain = typename internal::without_optional<typename member::type>::type;
  option row{.name = name, .kind = option::form::choice};
  row.choices.takes_none = !std::is_same_v<typename member::type, plain>;
  row.choices.names = spellings<plain>;
  row.member.get = internal::get<member, plain>;
  row.member.set = internal::set<member, plain>;
  return option_of<typename member::call>{row};
}
/// Like choice, but the option is required.
template <auto... Path>
[[nodiscard]] constexpr auto required_choice(const char* name) {
  auto option = choice<Path...>(name);
  option.row.is_required = true;
  option.row.choices.takes_none = false;
  return option;
}
/// A number within bounds.
template <auto... Path>
[[nodiscard]] constexpr auto number(const char* name, std::uint64_t lowest, std::uint64_t highest) {
  using member = internal::member<Path...>;
  option row{.name = name, .kind = option::form::number, .range = {lowest, highest}};
  row.member.get = internal::get<member, typename member::type>;
  row.member.set = internal::set<member, typename member::type>;
  return option_of<typename member::call>{row};
}
/// A number that also takes False (0) and True.
template <auto... Path>
[[nodiscard]] constexpr auto flag_or_number(const char* name, std::uint64_t highest,
                                            std::uint64_t when_true) {
  auto option = number<Path...>(name, 0, highest);
  option.row.range.when_true = when_true;
  option.row.shown_default = "False";
  return option;
}
/// Any object, converted by `Take(member, option name, object)`.
template <auto Take, auto... Path>
[[nodiscard]] constexpr auto converted(const char* name, const char* shown_default) {
  using member = internal::member<Path...>;
  option row{.name = name, .kind = option::form::object, .shown_default = shown_default};
  row.member.take = internal::take<member, Take>;
  return option_of<typename member::call>{row};
}
/// Any object, borrowed for the call; null if omitted.
template <auto... Path>
[[nodiscard]] constexpr auto any_object(const char* name, const char* shown_default = "None") {
  return converted<&internal::borrow, Path...>(name, shown_default);
}
/// An object that is not part of the compiled call.
template <auto... Path>
[[nodiscard]] constexpr auto per_call_object(const char* name) {
  auto option = any_object<Path...>(name);
  option.row.is_per_call = true;
  return option;
}

/// Options in documented order.
template <class Call, std::size_t Count>
struct option_table {
  using call_type = Call;
  std::array<option, Count> rows;
};
template <class Call, class... Rest>
[[nodiscard]] consteval option_table<Call, 1 + sizeof...(Rest)> table(option_of<Call> first, Rest... rest) {
  static_assert((std::is_same_v<Rest, option_of<Call>> && ...),
                "options of one table set members of one call");
  return {{first.row, rest.row...}};
}
/// Appends options to a table.
template <class Call, std::size_t Count, class... Rest>
[[nodiscard]] consteval option_table<Call, Count + sizeof...(Rest)> table(
    const option_table<Call, Count>& first, Rest... rest) {
  static_assert((std::is_same_v<Rest, option_of<Call>> && ...),
                "options of one table set members of one call");
  option_table<Call, Count + sizeof...(Rest)> joined{};
  std::size_t at = 0;
  for (const option& row : first.rows) joined.rows[at++] = row;
  for (const option& row : {rest.row...}) joined.rows[at++] = row;
  return joined;
}
/// Prepends an option to a table.
template <class Call, std::size_t Count>
[[nodiscard]] consteval option_table<Call, Count + 1> table(option_of<Call> first,
                                                            const option_table<Call, Count>& rest) {
  option_table<Call, Count + 1> joined{};
  joined.rows[0] = first.row;
  for (std::size_t i = 0; i < Count; ++i) joined.rows[i + 1] = rest.rows[i];
  return joined;
}

}  // namespace thriftlens::python
