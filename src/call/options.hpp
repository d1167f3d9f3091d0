// options: the keyword-only options of an operation as one table. Never says a word or a default twice:
// words belong to the enum, defaults to the aggregate.
#pragma once

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

/// The words of an enum, by the numbers of its values; those that options take are in spelling.hpp.
template <class Enum>
inline constexpr std::array<const char*, 0> words_of{};

template <class Enum>
struct spelled {
  Enum value;
  const char* word;
};
/// The words of all values; does not compile where one is not at its place.
template <class Enum, std::size_t Count>
consteval std::array<const char*, Count> words(const spelled<Enum> (&list)[Count]) {
  std::array<const char*, Count> all{};
  for (std::size_t i = 0; i < Count; ++i) {
    if (static_cast<std::size_t>(list[i].value) != i)
      throw "the words of an enum stand in the order of its values";
    all[i] = list[i].word;
  }
  return all;
}

namespace detail {

/// How an option's value is a number: that of an enum or an integer; the position among those that a
/// thriftlens::choice takes.
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

}  // namespace detail

/// Of those that an option takes.
template <auto Default, decltype(Default)... Others>
inline constexpr std::array<const char*, 1 + sizeof...(Others)>
    words_of<thriftlens::choice<Default, Others...>>{
        words_of<decltype(Default)>[static_cast<std::size_t>(Default)],
        words_of<decltype(Default)>[static_cast<std::size_t>(Others)]...};

/// One keyword-only option, whatever the call is that it sets a member of.
struct option {
  enum class form : std::uint8_t { word, number, object };
  /// The value of a word option that was left out and has no default.
  static constexpr std::uint64_t absent = ~std::uint64_t{0};

  const char* name = nullptr;
  form kind = form::word;
  bool is_required = false;
  bool takes_none = false;                  ///< None is as if it were left out
  bool is_per_call = false;                 ///< what is compiled for the other options does not depend on it
  std::span<const char* const> words = {};  ///< of a word: by number
  std::uint64_t lowest = 0, highest = 0;    ///< of a number
  std::uint64_t when_true = 1;              ///< what True means as a number
  const char* shown_default =
      nullptr;  ///< of an object, as help() shows it; of a number, where it is not the number
  std::uint64_t (*get)(const void* call) = nullptr;
  void (*set)(void* call, std::uint64_t value) = nullptr;
  bool (*take)(void* call, const char* name,
               PyObject* value) = nullptr;  ///< of an object; false with a Python error set
};

/// An option of calls of one type.
template <class Call>
struct option_of {
  option row;
};

namespace detail {

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
  const auto& held = Member::of(*static_cast<const typename Member::call*>(call));
  if constexpr (std::is_same_v<typename Member::type, Plain>)
    return numbering<Plain>::number_of(held);
  else
    return held ? numbering<Plain>::number_of(*held) : option::absent;
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

}  // namespace detail

/// A word for an enum member or a thriftlens::choice, or for an optional one that None leaves empty.
template <auto... Path>
[[nodiscard]] constexpr auto choice(const char* name) {
  using member = detail::member<Path...>;
  using plain = typename detail::without_optional<typename member::type>::type;
  static_assert(words_of<plain>.size() != 0, "the words of the enum are missing in spelling.hpp");
  option row{.name = name, .kind = option::form::word};
  row.takes_none = !std::is_same_v<typename member::type, plain>;
  row.words = words_of<plain>;
  row.get = detail::get<member, plain>;
  row.set = detail::set<member, plain>;
  return option_of<typename member::call>{row};
}
/// As choice, for an optional member that must be given.
template <auto... Path>
[[nodiscard]] constexpr auto required_choice(const char* name) {
  auto made = choice<Path...>(name);
  made.row.is_required = true;
  made.row.takes_none = false;
  return made;
}
/// A number within bounds.
template <auto... Path>
[[nodiscard]] constexpr auto number(const char* name, std::uint64_t lowest, std::uint64_t highest) {
  using member = detail::member<Path...>;
  option row{.name = name, .kind = option::form::number, .lowest = lowest, .highest = highest};
  row.get = detail::get<member, typename member::type>;
  row.set = detail::set<member, typename member::type>;
  return option_of<typename member::call>{row};
}
/// A number that is rather a flag: False is 0, True another.
template <auto... Path>
[[nodiscard]] constexpr auto flag_or_number(const char* name, std::uint64_t highest,
                                            std::uint64_t when_true) {
  auto made = number<Path...>(name, 0, highest);
  made.row.when_true = when_true;
  made.row.shown_default = "False";
  return made;
}
/// What `Take(member, name of the option, object)` makes of any object.
template <auto Take, auto... Path>
[[nodiscard]] constexpr auto converted(const char* name, const char* shown_default) {
  using member = detail::member<Path...>;
  option row{.name = name, .kind = option::form::object, .shown_default = shown_default};
  row.take = detail::take<member, Take>;
  return option_of<typename member::call>{row};
}
/// Any object, borrowed for the call; the member is null where it is left out.
template <auto... Path>
[[nodiscard]] constexpr auto any_object(const char* name, const char* shown_default = "None") {
  return converted<&detail::borrow, Path...>(name, shown_default);
}
/// An object that is not among what is compiled for the call.
template <auto... Path>
[[nodiscard]] constexpr auto per_call_object(const char* name) {
  auto made = any_object<Path...>(name);
  made.row.is_per_call = true;
  return made;
}

/// The options of calls of one type, in the documented order.
template <class Call, std::size_t Count>
struct option_table {
  std::array<option, Count> rows;
};
template <class Call, class... Rest>
[[nodiscard]] consteval option_table<Call, 1 + sizeof...(Rest)> table(option_of<Call> first, Rest... rest) {
  static_assert((std::is_same_v<Rest, option_of<Call>> && ...),
                "options of one table set members of one call");
  return {{first.row, rest.row...}};
}
/// A table, and more options of the same calls behind it.
template <class Call, std::size_t Count, class... Rest>
[[nodiscard]] consteval option_table<Call, Count + sizeof...(Rest)> table(
    const option_table<Call, Count>& first, Rest... rest) {
  static_assert((std::is_same_v<Rest, option_of<Call>> && ...),
                "options of one table set members of one call");
  option_table<Call, Count + sizeof...(Rest)> all{};
  std::size_t at = 0;
  for (const option& each : first.rows) all.rows[at++] = each;
  for (const option& each : {rest.row...}) all.rows[at++] = each;
  return all;
}
/// An option, and the table behind it.
template <class Call, std::size_t Count>
[[nodiscard]] consteval option_table<Call, Count + 1> table(option_of<Call> first,
                                                            const option_table<Call, Count>& rest) {
  option_table<Call, Count + 1> all{};
  all.rows[0] = first.row;
  for (std::size_t i = 0; i < Count; ++i) all.rows[i + 1] = rest.rows[i];
  return all;
}

}  // namespace thriftlens::python
