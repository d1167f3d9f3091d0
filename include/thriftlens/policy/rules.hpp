// rules: the vt.* annotations of an IDL, compiled: restrictions of a field's values beyond its type.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

class pattern;

/// The rules of all fields that values of a type can have. Copies share them; valid while the schema lives.
///
/// Names as in CloudWeGo's validator. numbers: vt.const gt ge lt le in not_in; bool: const; enum: const in
/// not_in defined_only; string and binary: const min_size max_size pattern prefix suffix contains
/// not_contains in not_in; list and set: min_size max_size elem.*; map: min_size max_size key.* value.*;
/// struct: skip; any: not_nil. `in` and `not_in` may be repeated. Rules apply to present values; not_nil
/// requires one. Sizes of strings count bytes. Rules may annotate fields, typedefs and types as written, also
/// inside `list<…>`; all that apply to a value must hold.
class rules {
 public:
  enum class form : unsigned char {
    const_,
    gt,
    ge,
    lt,
    le,
    in,
    not_in,
    min_size,
    max_size,
    pattern,
    prefix,
    suffix,
    contains,
    not_contains,
    defined_only,
  };
  struct operand {
    std::int64_t number = 0;
    double real = 0;
    std::string_view text;
  };
  struct rule {
    form kind;
    std::vector<operand> operands;  ///< one, or more for in and not_in
    std::size_t pattern = 0;
  };
  static constexpr std::uint32_t none = 0xffffffffu;
  /// Of one value; elements, keys and values have sets of their own.
  struct rule_set {
    std::vector<rule> entries;
    std::uint32_t element = none, key = none, value = none;
    std::size_t taken_over = 0;  ///< the first entries are from the type as written, the rest from the field
    bool skip = false;
    bool not_nil = false;
    bool defined_only = false;
  };

  rules() noexcept = default;
  // No move operations: a moved-from object keeps its rules.
  rules(const rules&) noexcept = default;
  rules& operator=(const rules&) noexcept = default;
  ~rules() = default;
  /// Linear in the fields reachable from `of`. Error: bad_rule, unless `tolerant`, which ignores invalid
  /// rules (including references to other fields and functions).
  [[nodiscard]] static result<rules> try_compile(type of, bool tolerant = false);

  [[nodiscard]] bool empty() const noexcept;
  /// The set of a field node, or none.
  [[nodiscard]] std::uint32_t of_field(std::uint32_t field) const noexcept;
  [[nodiscard]] const rule_set& set(std::uint32_t index) const& noexcept THRIFTLENS_LIFETIMEBOUND;
  void set(std::uint32_t index) const&& = delete;
  [[nodiscard]] const pattern& expression(std::size_t index) const& noexcept THRIFTLENS_LIFETIMEBOUND;
  void expression(std::size_t index) const&& = delete;

  /// "vt.min_size" for a form.
  [[nodiscard]] static std::string_view name(form kind) noexcept;

 private:
  struct data;
  class compiler;
  std::shared_ptr<const data> data_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/policy/rules.ipp>
#endif
