// redact_options: the rules of a redaction as callers write them. Nothing is checked here.
#pragma once

#include <thriftlens/core/choice.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/siphash.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Rules for a redaction: an annotation, paths, types. Actions are written as redact_action says.
struct redact_options {
  /// Annotation whose values are redacted, such as "pii": of the field, of its type as written there, of the
  /// typedefs it names and of the struct or enum declared as its type; of elements, keys and values all but
  /// the first; of the whole value that of its declaration alone; of the result of a function that of the
  /// function. Of several, and of those of the values around it, the strictest holds: drop, blank, constant,
  /// hash, keep_last(n), keep. Empty: none.
  std::string annotation = {};
  /// What the annotation's values mean: {"email", "hash"}. A value that is not listed is read as an action …
  std::vector<std::pair<std::string, std::string>> values = {};
  /// … and any other means this: a value that nobody thought of is not passed on.
  std::string otherwise = "blank";
  /// Paths and their actions: {"$.user.name", "keep_last(1)"}. They lead through containers by `[*]`, `{*}`
  /// and keys that are no structs or containers, and mean elements and values: keys of a map go with the rule
  /// of the map. A path goes before other rules; of two paths to the same value the later one. What a path
  /// keeps stays whole, but for type rules; inside of what a path hashes or cuts, stricter annotations hold.
  std::vector<std::pair<std::string, std::string>> paths = {};
  /// Fields of a struct, or all values of a struct or enum, wherever they occur, and their actions:
  /// {"User.mail", "drop"}. Go before annotations; of a rule and that of a value around it the stricter
  /// holds.
  std::vector<std::pair<std::string, std::string>> types = {};
  /// Of hash, which needs one; all zero is none. Whoever knows the key can try values.
  redact_hash::key_bytes key = {};
  /// Fields that the IDL does not know. With keep, what no rule leads into is copied unread.
  choice<on_unknown::drop, on_unknown::keep, on_unknown::error> unknown = {};
  /// A rule that reaches nothing of this type: an annotation or one of `values` that nothing carries, a path
  /// to a field that is not there or into what is replaced as a whole, a type that does not occur, a key
  /// without hash. ignore: for one policy over many types.
  enum class missing_rules : std::uint8_t { error, ignore } missing = missing_rules::error;
  /// Required fields that the bytes do not hold, in structs that are looked into.
  choice<on_missing::error, on_missing::omit> missing_required = {};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
