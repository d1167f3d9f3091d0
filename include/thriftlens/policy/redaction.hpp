// redaction: rules for confidential values, compiled once into a graph over the values of a type. Rejects
// rules without effect, unless the options allow them.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/policy/redact_graph.hpp>
#include <thriftlens/policy/redact_options.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Compiled rules. Copies share them, also across threads. Valid while the schema lives.
class redaction {
 public:
  // No move operations: a moved-from object stays valid.
  redaction(const redaction&) noexcept = default;
  redaction& operator=(const redaction&) noexcept = default;
  ~redaction() = default;

  using replacement = detail::redact_replacement;

  /// Linear in the fields that the type reaches (recursive types once), times the combinations of paths that
  /// meet there, which are bounded. Errors: missing_key (a rule hashes); bad_rule (no rule; one without
  /// effect; invalid actions, or actions that do not apply; drop of a required field: blank it; hash without
  /// a key), those of path::try_compile, unknown_name and no_such_field (type rules), wrong_type (a path with
  /// indices, slices or keys by their wire bytes), size_limit (too many combinations).
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
  /// The program that a rewrite runs.
  [[nodiscard]] const detail::rewrite_program& program() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return *data_;
  }
  void program() const&& = delete;
  [[nodiscard]] const redact_hash& hash() const& noexcept THRIFTLENS_LIFETIMEBOUND { return data_->hash; }
  void hash() const&& = delete;
  [[nodiscard]] on_unknown unknown() const noexcept { return data_->unknown; }

  /// The hidden values: path, action and reason of every position, including positions that a rule keeps. In
  /// the order of field ids; repeated parts, such as a recursive type, are `as $.first.path`; the last entry
  /// is that of unknown fields. Linear in the graph, except for the length of paths. Compare it in a test to
  /// notice a lost annotation.
  [[nodiscard]] std::vector<redact_entry> listing() const;

 private:
  explicit redaction(std::shared_ptr<const detail::redact_graph> graph) noexcept : data_(std::move(graph)) {}

  std::shared_ptr<const detail::redact_graph> data_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/policy/redaction.ipp>
#endif
