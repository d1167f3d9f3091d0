// predicate: a condition on values of a type, evaluated on their bytes. Builds no values; reads at most up to
// the last value that the text names.
#pragma once

#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/view/plan.hpp>

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

struct predicate_options {
  /// With write, an absent field with a default in the IDL has that value.
  on_absent defaults = on_absent::omit;
  /// `depth` applies to the named values.
  thriftlens::limits limits = {};
};

namespace detail {

/// Ordered so that `and` is the minimum, `or` the maximum.
enum class truth : std::uint8_t { no, unknown, yes };

enum class predicate_op : std::uint8_t {
  both,
  either,
  negate,
  equal,
  unequal,
  less,
  at_most,
  greater,
  at_least,
  among,
  is_null,
  is_not_null
};

/// The right side of a comparison; the type of the path selects the member.
struct predicate_literal {
  std::int64_t integer = 0;  ///< also of bool
  double real = 0;
  std::string text = {};  ///< of a uuid: its bytes
};

/// One step of a condition in postfix order.
struct predicate_step {
  static constexpr std::uint32_t none = 0xffffffffu;

  predicate_op op = predicate_op::both;
  type_kind kind = type_kind::void_;  ///< of the compared value
  truth by_default = truth::unknown;  ///< if the value is absent, and has_default
  bool has_default = false;           ///< an absent value has the IDL's default, if the struct exists
  std::uint32_t path = none;          ///< in the plan
  std::uint32_t outer = none;         ///< with has_default: path to the struct, or none for the root
  std::uint32_t first = 0;            ///< literal
  std::uint32_t count = 0;            ///< literals
};

[[nodiscard]] inline bool holds(predicate_op op, std::partial_ordering order) noexcept {
  switch (op) {
    case predicate_op::unequal:
      return order != 0;
    case predicate_op::less:
      return order < 0;
    case predicate_op::at_most:
      return order <= 0;
    case predicate_op::greater:
      return order > 0;
    case predicate_op::at_least:
      return order >= 0;
    default:
      return order == 0;
  }
}

[[nodiscard]] inline std::partial_ordering ordered(std::int64_t value,
                                                   const predicate_literal& with) noexcept {
  return value <=> with.integer;
}
[[nodiscard]] inline std::partial_ordering ordered(bool value, const predicate_literal& with) noexcept {
  return std::int64_t{value} <=> with.integer;
}
[[nodiscard]] inline std::partial_ordering ordered(double value, const predicate_literal& with) noexcept {
  return value <=> with.real;
}
[[nodiscard]] inline std::partial_ordering ordered(std::string_view value,
                                                   const predicate_literal& with) noexcept {
  return value.compare(with.text) <=> 0;
}
[[nodiscard]] inline std::partial_ordering ordered(const uuid_bytes& value,
                                                   const predicate_literal& with) noexcept {
  return ordered(std::string_view(reinterpret_cast<const char*>(value.data()), value.size()), with);
}

}  // namespace detail

/// A compiled condition. Copies share it, also across threads. Valid while the schema lives.
///
/// - `path = literal`, and `!=` (or `<>`), `<`, `<=`, `>`, `>=`; `path in (literal, …)`, `path not in (…)`
/// - `path is null`, `path is not null`, `exists path`; of a value of any type
/// - `and`, `or`, `not`, parentheses; in this order of binding: not, and, or; upper case or lower case
/// - paths to one value as in tl::path: `user.id`, `$.items[0].price`, `tags{"k"}`; one whose first name is a
///   word of this grammar begins with `$.`
/// - literals: `-5`, `1.5e3`, `"text"` or `'text'`, `true`, `false`, members of the field's enum (`PAID`,
///   `Status.PAID`, or the number); a uuid is its text
///
/// An absent value is null: comparing it is unknown, as in SQL, and an unknown result does not match. Texts,
/// binaries and uuids are ordered by their bytes, false before true; NaN equals nothing.
class predicate {
 public:
  // No move operations: a moved-from object stays valid.
  predicate(const predicate&) noexcept = default;
  predicate& operator=(const predicate&) noexcept = default;
  ~predicate() = default;

  /// Linear in the text. Errors, with an offset in the text: path_syntax, no_such_field, wrong_type (of a
  /// path, or a value without this comparison), value_type, value_range and unknown_enum_name (an invalid
  /// literal), depth_limit; bad_option for a default inside a default.
  [[nodiscard]] static result<predicate> try_compile(type from, std::string_view text,
                                                     const predicate_options& options = {});
  [[nodiscard]] static predicate compile(type from, std::string_view text,
                                         const predicate_options& options = {}) {
    return try_compile(from, text, options).value();
  }

  /// Whether a value of the type meets the condition. One pass to the last named value. Allocates only for
  /// more than 8 paths. Errors: those of reading a named value; other values are not checked.
  template <protocol P>
  [[nodiscard]] result<bool> try_matches(const view<P>& value) const;
  template <protocol P>
  [[nodiscard]] bool matches(const view<P>& value) const {
    return try_matches(value).value();
  }
  /// Whether an empty value meets it, such as a null record.
  [[nodiscard]] bool matches_null() const noexcept {
    return run([](const step& test) { return null_truth(test); }) == detail::truth::yes;
  }

  [[nodiscard]] type from() const noexcept { return data_->paths.from(); }
  [[nodiscard]] std::string_view text() const& noexcept THRIFTLENS_LIFETIMEBOUND { return data_->text; }
  void text() const&& = delete;

 private:
  using step = detail::predicate_step;
  using op = detail::predicate_op;
  using truth = detail::truth;
  using literal = detail::predicate_literal;

  struct data {
    std::string text;
    plan paths;
    std::vector<step> steps;
    std::vector<literal> literals;
  };
  class compiler;

  static constexpr std::size_t max_depth = 64;
  /// Every open bracket holds at most two operands.
  static constexpr std::size_t max_stack = 2 * max_depth + 4;

  explicit predicate(std::shared_ptr<const data> compiled) noexcept : data_(std::move(compiled)) {}

  /// The result, where `ask(step)` evaluates one test.
  template <class Ask>
  [[nodiscard]] truth run(Ask ask) const;
  [[nodiscard]] static truth null_truth(const step& of) noexcept {
    if (of.op == op::is_null) return truth::yes;
    return of.op == op::is_not_null ? truth::no : truth::unknown;
  }
  template <protocol P>
  [[nodiscard]] static result<truth> compare(std::span<const literal> with, const step& of,
                                             const view<P>& value);
  template <class T, protocol P>
  [[nodiscard]] static result<truth> compare_as(std::span<const literal> with, const step& of,
                                                const view<P>& value);
  template <protocol P>
  [[nodiscard]] result<truth> ask(const step& of, std::span<const view<P>> values) const;

  std::shared_ptr<const data> data_;
};

template <class Ask>
predicate::truth predicate::run(Ask ask) const {
  std::array<truth, max_stack> stack;
  std::size_t size = 0;
  for (const step& instruction : data_->steps) {
    switch (instruction.op) {
      case op::both:
        --size;
        stack[size - 1] = (std::min)(stack[size - 1], stack[size]);
        break;
      case op::either:
        --size;
        stack[size - 1] = (std::max)(stack[size - 1], stack[size]);
        break;
      case op::negate:
        stack[size - 1] = static_cast<truth>(2 - static_cast<int>(stack[size - 1]));
        break;
      default:
        stack[size++] = ask(instruction);
    }
  }
  return stack[0];
}

template <protocol P>
result<bool> predicate::try_matches(const view<P>& value) const {
  constexpr std::size_t max_inline = 8;
  std::array<view<P>, max_inline> inline_values;
  std::vector<view<P>> large;
  const std::size_t count = data_->paths.size();
  if (count > max_inline) large.resize(count);
  const std::span<view<P>> values(count > max_inline ? large.data() : inline_values.data(), count);
  get_many(value, data_->paths, values);
  error failure;
  const truth matched = run([&](const step& test) {
    result<truth> known = ask<P>(test, values);
    if (known) return *known;
    failure = known.error();
    return truth::unknown;
  });
  if (failure.code() != errc::ok) return failure;
  return matched == truth::yes;
}

template <protocol P>
result<predicate::truth> predicate::ask(const step& of, std::span<const view<P>> values) const {
  const view<P>& value = values[of.path];
  switch (value.presence()) {
    case presence::error:
      return value.error();
    case presence::absent: {
      const bool has_default = of.has_default && (of.outer == step::none || values[of.outer]);
      return has_default ? of.by_default : null_truth(of);
    }
    default:
      return compare(std::span<const literal>(data_->literals).subspan(of.first, of.count), of, value);
  }
}

template <protocol P>
result<predicate::truth> predicate::compare(std::span<const literal> with, const step& of,
                                            const view<P>& value) {
  if (of.op == op::is_null) return truth::no;
  if (of.op == op::is_not_null) return truth::yes;
  switch (of.kind) {
    case type_kind::bool_:
      return compare_as<bool>(with, of, value);
    case type_kind::double_:
      return compare_as<double>(with, of, value);
    case type_kind::string:
    case type_kind::binary:
      return compare_as<std::string_view>(with, of, value);
    case type_kind::uuid:
      return compare_as<uuid_bytes>(with, of, value);
    default:
      return compare_as<std::int64_t>(with, of, value);
  }
}

template <class T, protocol P>
result<predicate::truth> predicate::compare_as(std::span<const literal> with, const step& of,
                                               const view<P>& value) {
  T actual{};
  if (value.get(actual) != errc::ok) return value.template try_as<T>().error();
  const auto meets = [&](const literal& operand) {
    return detail::holds(of.op, detail::ordered(actual, operand));
  };
  return std::any_of(with.begin(), with.end(), meets) ? truth::yes : truth::no;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/columns/predicate.ipp>
#endif
