// redact_graph: the compiled rules of a redaction for all positions in a value.
#pragma once

#include <thriftlens/path/path.hpp>
#include <thriftlens/rewrite/program.hpp>

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// The rule that caused an action.
struct redact_reason {
  enum class form : std::uint8_t { path, type_rule, field, written, declared, function };

  form rule;
  bool keeps;  ///< the action is keep
  /// path, type_rule: its index; field: index in the image; written: index of the written type; declared: the
  /// type; function: index of the function whose result it is.
  std::uint32_t at;
  std::uint32_t in = 0;  ///< field: the type that declares it

  friend auto operator<=>(const redact_reason&, const redact_reason&) = default;
};

/// The action of a rule on a value, and the rule.
struct redact_claim {
  static constexpr std::uint32_t none = 0xffffffffu;

  std::uint32_t action = none;
  redact_reason reason{};

  [[nodiscard]] explicit operator bool() const noexcept { return action != none; }
};

}  // namespace detail

/// The action of a redaction at one position.
struct redact_entry {
  std::string path;    ///< in path syntax; keys of a map are `{key *}`, unknown fields `#*`
  std::string action;  ///< in redact_action's text form, or `as $.user` if the same was listed there
  /// `path $.user`, `type User.name`, `field User.name (pii = "name")`, `its type (…)`, `struct User (…)`,
  /// `function Shop.get (…)`
  std::string reason;

  friend bool operator==(const redact_entry&, const redact_entry&) = default;
};

namespace detail {

/// Compiled rules, as redaction shares them.
struct redact_graph : rewrite_program {
  type from;
  std::string annotation;
  std::vector<path> paths;              ///< own the text of keys
  std::vector<std::string> type_rules;  ///< `User.name`, by number
  std::vector<std::string> actions;     ///< of the replacements, as text
  pod_vector<redact_reason> reasons;

  /// The nodes from which a node with `acts` can be reached, themselves included. Linear in the edges.
  template <class Acts>
  [[nodiscard]] THRIFTLENS_COLD std::vector<bool> leading_to(Acts acts) const {
    const std::vector<std::vector<std::uint32_t>> above = parents();
    std::vector<bool> reached(nodes.size());
    std::vector<std::uint32_t> todo;
    const auto add = [&](std::uint32_t at) {
      if (!reached[at]) todo.push_back(at);
      reached[at] = true;
    };
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      if (acts(nodes[i])) add(i);
    }
    while (!todo.empty()) {
      const std::uint32_t at = todo.back();
      todo.pop_back();
      for (const std::uint32_t parent : above[at]) add(parent);
    }
    return reached;
  }

 private:
  /// By node, the nodes with an edge to it.
  [[nodiscard]] THRIFTLENS_COLD std::vector<std::vector<std::uint32_t>> parents() const {
    std::vector<std::vector<std::uint32_t>> above(nodes.size());
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      redact_node::each_target(nodes[i], [&](const redact_target& to) {
        if (to.node != redact_target::none) above[to.node].push_back(i);
      });
    }
    return above;
  }
};

/// Whether a rule applies to an edge of the node.
[[nodiscard]] inline bool has_rule(const redact_node& of) {
  bool any = false;
  redact_node::each_target(of, [&](const redact_target& to) {
    any = any || to.replacement != redact_target::none || to.reason != redact_target::none;
  });
  return any;
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
