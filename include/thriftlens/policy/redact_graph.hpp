// redact_graph: what becomes of each place in a value under the rules of a redaction.
// In: what redaction compiles. Out: nodes and edges that redact follows, with the reason of each.
// Never changes once it is compiled.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/siphash.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/policy/redact_action.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A field that the IDL does not know.
enum class redact_unknown : std::uint8_t { drop, keep, error };

/// What becomes of one value: it is replaced, or looked into, or stays.
struct redact_target {
  static constexpr std::uint32_t none = 0xffffffffu;

  std::uint32_t replacement = none;
  std::uint32_t node = none;
  std::uint32_t why =
      none;  ///< reason of the action chosen for this very value; none: that of a value around it

  [[nodiscard]] bool stays() const noexcept { return replacement == none && node == none; }
};

/// One kind of place: a struct, list, set or map under the rules that lead to it.
struct redact_node {
  struct field_edge {
    std::int16_t id;
    ttype wire;
    bool required;  ///< an error where it is missing
    redact_target to;
  };
  struct key_edge {
    map_key key;
    std::string_view text;  ///< as the path spells it
    redact_target to;
  };

  type of;
  std::vector<field_edge> fields;  ///< ids ascending; what is not here stays, unless the node is closed
  std::vector<key_edge> keyed;     ///< entries that paths mean by key, sorted
  redact_target value;             ///< elements; values of all other entries
  redact_target key;               ///< keys of a map
  ttype key_wire = ttype::stop;    ///< of a map, as the IDL has it
  ttype value_wire = ttype::stop;  ///< of elements and values
  std::uint32_t required = 0;      ///< fields that must be there
  bool closed = false;             ///< `fields` are all that the IDL knows; what is not there does not stay
  bool drops = false;              ///< elements or entries may go
  bool inert = false;              ///< contents_stay(), once all is compiled

  /// Nothing happens inside a container: its header alone is looked at.
  [[nodiscard]] bool contents_stay() const noexcept { return value.stays() && key.stays() && keyed.empty(); }
  template <class Node, class Visit>
  static void each_target(Node& of, Visit visit) {
    visit(of.value);
    visit(of.key);
    for (auto& each : of.fields) visit(each.to);
    for (auto& each : of.keyed) visit(each.to);
  }
};

/// A value that takes another's place: bytes, or made from the old one (hash, keep_last).
struct redact_replacement {
  redact_action::form kind;
  std::uint32_t last = 0;
  image::slice binary, compact;  // in bytes
};

/// Which rule asked for an action.
struct redact_reason {
  enum class form : std::uint8_t { path, field, written, declared };

  form rule;
  bool keeps;            ///< the action is keep
  std::uint32_t at;      ///< path: its number; field: of the image; written: its place; declared: the type
  std::uint32_t in = 0;  ///< field: the type it stands in
};

/// Compiled rules, as redaction shares them.
struct redact_graph {
  type from;
  redact_target root;
  redact_hash hash;
  redact_unknown unknown;
  std::string annotation;
  std::vector<path> paths;  // own the text of keys
  std::vector<redact_node> nodes;
  std::vector<redact_replacement> replacements;
  std::vector<std::string> actions;  // of the replacements, as text
  std::vector<redact_reason> reasons;
  buffer bytes;

  /// The nodes from which one that `acts` can be reached, themselves included. Linear in the edges.
  template <class Acts>
  [[nodiscard]] std::vector<bool> leading_to(Acts acts) const {
    std::vector<std::vector<std::uint32_t>> above(nodes.size());
    std::vector<bool> found(nodes.size());
    std::vector<std::uint32_t> todo;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      redact_node::each_target(nodes[i], [&](const redact_target& to) {
        if (to.node != redact_target::none) above[to.node].push_back(i);
      });
      if (!acts(nodes[i])) continue;
      found[i] = true;
      todo.push_back(i);
    }
    while (!todo.empty()) {
      const std::uint32_t at = todo.back();
      todo.pop_back();
      for (const std::uint32_t each : above[at]) {
        if (found[each]) continue;
        found[each] = true;
        todo.push_back(each);
      }
    }
    return found;
  }
};

/// True where the rules ask for something at an edge of the node.
[[nodiscard]] inline bool has_rule(const redact_node& of) {
  bool found = false;
  redact_node::each_target(of, [&](const redact_target& to) {
    found = found || to.replacement != redact_target::none || to.why != redact_target::none;
  });
  return found;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
