// predicate: a condition on values of a type, asked of their bytes. Never builds a value; never reads past
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
  /// With write, an absent field that has a default in the IDL counts as that.
  on_absent defaults = on_absent::omit;
  /// Of the values that are asked: `depth` counts.
  thriftlens::limits limits = {};
};

namespace detail {

/// In the order that `and` takes the least of, `or` the greatest.
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

/// What a value is compared with; which member counts is said by the type of the path.
struct predicate_literal {
  std::int64_t integer = 0;  ///< of bool, too
  double real = 0;
  std::string text = {};  ///< of a uuid: its bytes
};

/// One step of a condition in postfix order.
struct predicate_step {
  static constexpr std::uint32_t none = 0xffffffffu;

  predicate_op op = predicate_op::both;
  type_kind kind = type_kind::void_;  ///< of the value that is asked
  truth by_default = truth::unknown;  ///< where the value is absent, and has_default
  bool has_default = false;           ///< absent is the IDL's default, if the struct is there
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

/// A compiled condition. A value: copying and moving share, threads may share a copy. Good while the schema
/// lives.
///
/// - `path = literal`, and `!=` (or `<>`), `<`, `<=`, `>`, `>=`; `path in (literal, …)`, `path not in (…)`
/// - `path is null`, `path is not null`, `exists path`; of a value of any type
/// - `and`, `or`, `not`, parentheses; in this order of binding: not, and, or; upper case or lower case
/// - paths to one value as in tl::path: `user.id`, `$.items[0].price`, `tags{"k"}`; one whose first name is a
///   word of this grammar begins with `$.`
/// - literals: `-5`, `1.5e3`, `"text"` or `'text'`, `true`, `false`, members of the field's enum (`PAID`,
///   `Status.PAID`, or the number); a uuid is its text
///
/// An absent value is null: comparing it is unknown, as in SQL, and what is unknown in the end is not met.
/// Texts, binaries and uuids are ordered by their bytes, false before true; NaN equals nothing.
class predicate {
 public:
  // Without moves of their own: what is moved from stays as it was.
  predicate(const predicate&) noexcept = default;
  predicate& operator=(const predicate&) noexcept = default;
  ~predicate() = default;

  /// Linear in the text. Errors, each with its offset in the text: path_syntax, no_such_field, wrong_type (of
  /// a path, or a value that cannot be compared so), value_type, value_range and unknown_enum_name (a literal
  /// that the value cannot be), depth_limit; bad_option for a default that lies in a default.
  [[nodiscard]] static result<predicate> try_compile(type from, std::string_view text,
                                                     const predicate_options& options = {});
  [[nodiscard]] static predicate compile(type from, std::string_view text,
                                         const predicate_options& options = {}) {
    return try_compile(from, text, options).value();
  }

  /// Whether a value of the type meets the condition. One pass to the last value that is named. Allocates
  /// only for more than 8 paths. Errors: those of reading a value that is named; the rest is not checked.
  template <protocol P>
  [[nodiscard]] result<bool> try_matches(const view<P>& value) const;
  template <protocol P>
  [[nodiscard]] bool matches(const view<P>& value) const {
    return try_matches(value).value();
  }
  /// Whether a value of which nothing is there meets it, as a null record.
  [[nodiscard]] bool matches_null() const noexcept {
    return run([](const step& each) { return null_truth(each); }) == detail::truth::yes;
  }

  [[nodiscard]] type from() const noexcept { return data_->paths.from(); }
  /// As it was written.
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
  /// Of each open bracket two sides wait at most.
  static constexpr std::size_t max_stack = 2 * max_depth + 4;

  explicit predicate(std::shared_ptr<const data> made) noexcept : data_(std::move(made)) {}

  /// The whole, where `ask(step)` is the truth of each that asks a value.
  template <class Ask>
  [[nodiscard]] truth run(Ask ask) const;
  [[nodiscard]] static truth null_truth(const step& of) noexcept {
    if (of.op == op::is_null) return truth::yes;
    return of.op == op::is_not_null ? truth::no : truth::unknown;
  }
  /// Of a value that is there.
  template <protocol P>
  [[nodiscard]] static result<truth> compare(std::span<const literal> with, const step& of,
                                             const view<P>& value);
  template <class T, protocol P>
  [[nodiscard]] static result<truth> compare_as(std::span<const literal> with, const step& of,
                                                const view<P>& value);
  template <protocol P>
  [[nodiscard]] result<truth> ask(const step& of, std::span<const view<P>> found) const;

  std::shared_ptr<const data> data_;
};

template <class Ask>
predicate::truth predicate::run(Ask ask) const {
  std::array<truth, max_stack> stack;
  std::size_t size = 0;
  for (const step& each : data_->steps) {
    switch (each.op) {
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
        stack[size++] = ask(each);
    }
  }
  return stack[0];
}

template <protocol P>
result<bool> predicate::try_matches(const view<P>& value) const {
  constexpr std::size_t few = 8;
  std::array<view<P>, few> room;
  std::vector<view<P>> large;
  const std::size_t count = data_->paths.size();
  if (count > few) large.resize(count);
  const std::span<view<P>> found(count > few ? large.data() : room.data(), count);
  get_many(value, data_->paths, found);
  error why;
  const truth whole = run([&](const step& each) {
    result<truth> known = ask<P>(each, found);
    if (known) return *known;
    why = known.error();
    return truth::unknown;
  });
  if (why.code() != errc::ok) return why;
  return whole == truth::yes;
}

template <protocol P>
result<predicate::truth> predicate::ask(const step& of, std::span<const view<P>> found) const {
  const view<P>& value = found[of.path];
  switch (value.presence()) {
    case presence::error:
      return value.error();
    case presence::absent: {
      const bool has_default = of.has_default && (of.outer == step::none || found[of.outer]);
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
  T found{};
  if (value.get(found) != errc::ok) return value.template try_as<T>().error();
  const auto meets = [&](const literal& each) { return detail::holds(of.op, detail::ordered(found, each)); };
  return std::any_of(with.begin(), with.end(), meets) ? truth::yes : truth::no;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/columns/predicate.ipp>
#endif
