// redaction: rules that say what must not be passed on, compiled once into a graph over the values of a type.
// In: a type; an annotation to look for, paths, actions. Out: what becomes of each place in a value.
// Never touches wire bytes; never takes a rule that reaches nothing, unless told to.
#pragma once

#include <thriftlens/core/choice.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/policy/redact_action.hpp>
#include <thriftlens/policy/redact_graph.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Rules for a redaction: an annotation, paths or both. Actions are written as redact_action says.
struct redact_options {
  /// Annotation whose values are redacted, such as "pii": of the field, else of its type as written there or
  /// of the typedefs it names, else of the struct or enum declared as its type; of elements, keys and values
  /// the latter two; of the whole value that of its declaration alone, not of a typedef it was asked for by.
  /// Empty: none.
  std::string annotation = {};
  /// What the annotation's values mean: {"email", "hash"}. A value that is not listed is read as an action …
  std::vector<std::pair<std::string, std::string>> values = {};
  /// … and any other means this: a value that nobody thought of is not passed on.
  std::string otherwise = "blank";
  /// Paths and their actions: {"$.user.name", "keep_last(1)"}. They lead through containers by `[*]`, `{*}`
  /// and keys that are no structs or containers, and mean elements and values: keys of a map go with the rule
  /// of the map. A path goes before annotations; of two paths to the same value the later one.
  std::vector<std::pair<std::string, std::string>> paths = {};
  /// Of hash, which needs one; all zero is none. Whoever knows the key can try values.
  redact_hash::key_bytes key = {};
  /// Fields that the IDL does not know. With keep, what no rule leads into is copied unread.
  choice<on_unknown::drop, on_unknown::keep, on_unknown::error> unknown = {};
  /// A rule that reaches nothing of this type: an annotation or one of `values` that nothing carries, a path
  /// to a field that is not there or into what is replaced as a whole, a key without hash. ignore: for one
  /// policy over many types.
  enum class missing_rules : std::uint8_t { error, ignore } missing = missing_rules::error;
  /// Required fields that the bytes do not hold, in structs that are looked into.
  choice<on_missing::error, on_missing::omit> missing_required = {};
};

/// Compiled rules. A value: copying and moving share, threads may share a copy. Good while the schema lives.
class redaction {
 public:
  // Without moves of their own: what is moved from stays as it was.
  redaction(const redaction&) noexcept = default;
  redaction& operator=(const redaction&) noexcept = default;
  ~redaction() = default;

  using replacement = detail::redact_replacement;

  /// Linear in the fields that the type reaches (recursive types once), times the combinations of paths that
  /// meet there, which are bounded. Errors: bad_rule (no rule; one that reaches nothing; actions, what an
  /// action cannot be applied to; drop of a required field: blank it; hash without a key), those of
  /// path::try_compile, wrong_type (a path with indices, slices or keys by their wire bytes),
  /// size_limit (too many combinations).
  [[nodiscard]] static result<redaction> try_compile(type of, const redact_options& options);
  [[nodiscard]] static redaction compile(type of, const redact_options& options) {
    return try_compile(of, options).value();
  }

  [[nodiscard]] type from() const noexcept { return data_->from; }
  [[nodiscard]] detail::redact_target root() const noexcept { return data_->root; }
  [[nodiscard]] std::span<const detail::redact_node> nodes() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return data_->nodes;
  }
  void nodes() const&& = delete;
  [[nodiscard]] const replacement& replaced(std::uint32_t at) const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return data_->replacements[at];
  }
  void replaced(std::uint32_t at) const&& = delete;
  template <protocol P>
  [[nodiscard]] byte_view bytes(const replacement& of) const noexcept {
    return data_->held(of, P::id);
  }
  /// What a rewrite follows.
  [[nodiscard]] const detail::rewrite_program& program() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return *data_;
  }
  void program() const&& = delete;
  [[nodiscard]] const redact_hash& hash() const& noexcept THRIFTLENS_LIFETIMEBOUND { return data_->hash; }
  void hash() const&& = delete;
  [[nodiscard]] on_unknown unknown() const noexcept { return data_->unknown; }

  /// What will be hidden: path, action and reason of each place, and of what a rule keeps. In the order of
  /// field ids; what occurs again, such as a recursive type, is `as $.first.path`; the last entry is that of
  /// unknown fields. Linear in the graph, but for the length of paths. Pin it in a test: an annotation that
  /// is lost shows.
  [[nodiscard]] std::vector<redact_entry> listing() const;

 private:
  class compiler;

  explicit redaction(std::shared_ptr<const detail::redact_graph> made) noexcept : data_(std::move(made)) {}

  std::shared_ptr<const detail::redact_graph> data_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/policy/redaction.ipp>
#endif
