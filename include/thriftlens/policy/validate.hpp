// validate: checks wire bytes against their IDL, up to the last byte, and against its vt rules.
#pragma once

#include <thriftlens/core/choice.hpp>
#include <thriftlens/core/fault.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/policy/rules.hpp>
#include <thriftlens/view/view.hpp>

#include <cstddef>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Checks to make. First value = default.
struct validate_options {
  thriftlens::limits limits = {};
  std::size_t max_findings = 64;
  choice<on_unknown::keep, on_unknown::error> unknown = {};
  choice<on_invalid_utf8::error, on_invalid_utf8::keep> invalid_utf8 = {};
  enum class enum_check : unsigned char { known, any } enum_numbers = enum_check::known;
  enum class key_check : unsigned char {
    any,
    unique
  } keys = key_check::any;  ///< of maps, and elements of sets; by value
  enum class rule_check : unsigned char { error, ignore } rules = rule_check::error;  ///< the vt annotations
  enum class bad_rule_check : unsigned char { error, ignore } bad_rules = bad_rule_check::error;
  /// Required fields that are absent, as trim may have left them out. vt.not_nil is a rule and is not
  /// affected.
  choice<on_missing::error, on_missing::omit> missing_required = {};
  /// Structs that have fields, none of which the IDL knows: foreign_struct, at the first of them. They are
  /// probably of a different type, and decoding would silently lose their contents.
  enum class foreign_check : unsigned char { any, error } foreign = foreign_check::any;
};

namespace detail {
struct finding;
}

/// Whether all of `bytes` are one value of that wire type and, if `of` is set, of that type: structure, wire
/// types, required fields, duplicate fields, union members. The first fault, or ok. Linear.
template <protocol P>
[[nodiscard]] fault check_value(byte_view bytes, ttype wire, type of, const limits& bounds = {});

/// Checks values of one type; the rules of its fields are compiled once. Threads may share a copy. Valid
/// while the schema lives.
class validator {
 public:
  /// Error: bad_rule, unless options.bad_rules ignores invalid rules.
  [[nodiscard]] static result<validator> try_compile(type of, const validate_options& options = {});
  [[nodiscard]] static validator compile(type of, const validate_options& options = {}) {
    return try_compile(of, options).value();
  }

  /// The first fault of the bytes, or ok. Builds no message.
  template <protocol P>
  [[nodiscard]] fault first_fault(byte_view bytes) const;
  template <protocol P>
  [[nodiscard]] bool valid(byte_view bytes) const {
    return !first_fault<P>(bytes);
  }
  /// All findings, at most options.max_findings, in the order of the bytes (those about a struct itself after
  /// its fields), with message, path and offset. Finding a path costs as much as reading the bytes once more.
  template <protocol P>
  [[nodiscard]] std::vector<error> findings(byte_view bytes) const;

 private:
  validator(type of, const validate_options& options) noexcept : of_(of), options_(options) {}

  template <protocol P>
  [[nodiscard]] error words_of(byte_view bytes, detail::finding& of) const;

  template <protocol P>
  [[nodiscard]] fault walk(byte_view bytes, std::vector<detail::finding>* findings_out) const;

  type of_;
  validate_options options_;
  detail::rules rules_;
};

/// Checks a value through its view; offsets and paths count from that value. The root is all of its bytes:
/// bytes after the value are trailing_bytes. Compiles the rules at each call: use a validator for many
/// values.
template <protocol P>
[[nodiscard]] result<void> try_validate(const view<P>& of, validate_options options = {});
/// Raises the first finding.
template <protocol P>
void validate(const view<P>& of, const validate_options& options = {}) {
  try_validate(of, options).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/policy/validate.ipp>
#endif
