// redact_options: the rules of a redaction as callers write them, unchecked.
#pragma once

#include <thriftlens/core/choice.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/siphash.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Rules for a redaction: an annotation, paths, types. Actions are in redact_action's text form.
struct redact_options {
  /// Annotation whose values are redacted, such as "pii": of the field, of its type as written there, of the
  /// typedefs it names and of the struct or enum declared as its type; for elements, keys and values all but
  /// the first; for the root value only that of its declaration; for the result of a function that of the
  /// function. Of several, and of those of enclosing values, the strictest holds: drop, blank, constant,
  /// hash, keep_last(n), keep. Empty: none.
  std::string annotation = {};
  /// The actions of annotation values: {"email", "hash"}. A value that is not listed is parsed as an action …
  std::vector<std::pair<std::string, std::string>> values = {};
  /// … and any other value has this action: unforeseen values are not passed on.
  std::string default_action = "blank";
  /// Paths and their actions: {"$.user.name", "keep_last(1)"}. They may contain `[*]`, `{*}` and keys that
  /// are not structs or containers, and name elements and values: keys of a map follow the rule of the map. A
  /// path overrides other rules; of two paths to the same value the later one holds. Inside a value that a
  /// path keeps, only type rules apply; inside values that a path hashes or cuts, stricter annotations apply.
  std::vector<std::pair<std::string, std::string>> paths = {};
  /// Fields of a struct, or all values of a struct or enum, wherever they occur, and their actions:
  /// {"User.mail", "drop"}. Override annotations; of a rule and that of an enclosing value the stricter
  /// holds.
  std::vector<std::pair<std::string, std::string>> types = {};
  /// Key of hash, which requires one; all zero: no key. Anyone with the key can verify guessed values.
  redact_hash::secret_key key = {};
  /// Fields that the IDL does not know. With keep, values without rules are copied unread.
  choice<on_unknown::drop, on_unknown::keep, on_unknown::error> unknown = {};
  /// A rule without effect on this type: an annotation or one of `values` that does not occur, a path to a
  /// field that does not exist or into a replaced value, a type that does not occur, a key without hash.
  /// ignore: for one policy over many types.
  enum class unmatched_rules : std::uint8_t { error, ignore } unmatched = unmatched_rules::error;
  /// Required fields that are absent, in structs that are read.
  choice<on_missing::error, on_missing::omit> missing_required = {};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
