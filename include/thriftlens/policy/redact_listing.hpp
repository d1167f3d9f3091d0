// redact_listing: compiled rules as a list that a person reads and a test pins.
// In: the graph of a redaction. Out: path, action and reason of what does not stay, and of what a rule keeps.
// Never endless: what was listed once is named by its first path.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/policy/redact_graph.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What a redaction does at one place.
struct redact_entry {
  std::string path;    ///< as paths have it; keys of a map are `{key *}`, unknown fields `#*`
  std::string action;  ///< as redact_action has it, or `as $.user` where the same was listed there
  std::string why;  ///< `path $.user`, `field User.name (pii = "name")`, `its type (…)`, `struct User (…)`

  friend bool operator==(const redact_entry&, const redact_entry&) = default;
};

namespace detail {

/// Walks the graph, fields by id, into each node once.
class redact_lister {
 public:
  explicit redact_lister(const redact_graph& graph)
      : graph_(graph),
        first_path_(graph.nodes.size()),
        tells_(graph.leading_to([&](const redact_node& of) { return has_rule(of) || hides_unknown(of); })) {}

  [[nodiscard]] std::vector<redact_entry> run() {
    todo_.push_back({graph_.root, "$", {}});
    while (!todo_.empty()) {
      place next = std::move(todo_.back());
      todo_.pop_back();
      visit(std::move(next));
    }
    if (graph_.unknown == redact_unknown::drop) entries_.push_back({"#*", "drop", "not in the IDL"});
    if (graph_.unknown == redact_unknown::error) entries_.push_back({"#*", "error", "not in the IDL"});
    return std::move(entries_);
  }

 private:
  static constexpr std::uint32_t none = redact_target::none;
  struct place {
    redact_target to;
    std::string path;
    std::string why;  // of what is around it, where that goes inside
  };

  /// Inside of what is hashed or cut, where unknown fields are kept elsewhere.
  [[nodiscard]] bool hides_unknown(const redact_node& of) const noexcept {
    return graph_.unknown == redact_unknown::keep && of.of.is_struct() && of.closed;
  }
  void visit(place at) {
    const bool ruled = at.to.why != none;
    if (ruled) at.why = reason(graph_.reasons[at.to.why]);
    if (at.to.replacement != none) {
      entries_.push_back({std::move(at.path), graph_.actions[at.to.replacement], std::move(at.why)});
      return;
    }
    if (ruled && graph_.reasons[at.to.why].keeps) {
      entries_.push_back({at.path, "keep", std::move(at.why)});
      at.why.clear();
    }
    if (at.to.node != none && tells_[at.to.node]) enter(std::move(at));
  }
  void enter(place at) {
    const redact_node& node = graph_.nodes[at.to.node];
    std::optional<std::string>& first = first_path_[at.to.node];
    if (first) {
      if (at.why.empty()) at.why = node.of.name();
      entries_.push_back({std::move(at.path), "as " + *first, std::move(at.why)});
      return;
    }
    first = at.path;
    const std::size_t begin = todo_.size();
    inside(node, at);
    std::reverse(todo_.begin() + static_cast<std::ptrdiff_t>(begin), todo_.end());
    if (hides_unknown(node)) entries_.push_back({at.path + ".#*", "drop", at.why});
  }
  void inside(const redact_node& node, const place& at) {
    for (const redact_node::field_edge& each : node.fields) {
      add(each.to, at, '.' + std::string(node.of.field(each.id).name()));
    }
    if (node.of.is_struct()) return;
    const bool is_map = node.of.kind() == type_kind::map;
    if (is_map) add(node.key, at, "{key *}");
    for (const redact_node::key_edge& each : node.keyed) add(each.to, at, std::string(each.text));
    add(node.value, at, is_map ? "{*}" : "[*]");
  }
  void add(const redact_target& to, const place& at, const std::string& step) {
    if (to.stays() && to.why == none) return;
    todo_.push_back({to, at.path + step, at.why});
  }

  [[nodiscard]] std::string reason(const redact_reason& of) const {
    const schema_image* image = graph_.from.image();
    switch (of.rule) {
      case redact_reason::form::path:
        return "path " + std::string(graph_.paths[of.at].text());
      case redact_reason::form::field: {
        const field_info field(image, of.at);
        const std::string name = type(image, of.in).name() + '.' + std::string(field.name());
        return "field " + name + annotation(field.annotations());
      }
      case redact_reason::form::written:
        return "its type" + annotation({image, image->written_types[of.at].annotations});
      default: {
        const type declared(image, of.at);
        const std::string kind(to_string(declared.kind()));
        return kind + ' ' + declared.name() + annotation(declared.annotations());
      }
    }
  }
  [[nodiscard]] std::string annotation(const annotation_range& all) const {
    std::string text = " (" + graph_.annotation + " = ";
    append_quoted(text, all.find(graph_.annotation).value_or(""));
    return text + ')';
  }

  const redact_graph& graph_;
  std::vector<std::optional<std::string>> first_path_;  // of each node
  std::vector<bool> tells_;
  std::vector<place> todo_;
  std::vector<redact_entry> entries_;
};

}  // namespace detail

/// All that the rules ask for, in the order of the fields' ids. Linear in the graph; see
/// redaction::listing().
[[nodiscard]] inline std::vector<redact_entry> list_redactions(const redact_graph& graph) {
  return detail::redact_lister(graph).run();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
