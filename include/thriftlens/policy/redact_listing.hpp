// redact_listing: compiled rules as a list for people and tests.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/policy/redact_graph.hpp>
#include <thriftlens/schema/service.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// `(pii = "hash")`, of the first annotation of the key.
[[nodiscard]] inline std::string annotation_text(std::string_view key, const annotation_range& annotations) {
  std::string text = joined({" (", key, " = "});
  append_quoted(text, annotations.find(key).value_or(""));
  return text + ')';
}
[[nodiscard]] inline std::string function_name(const schema_image& image, std::uint32_t function) {
  const std::string name(function_info(&image, function).name());
  for (std::uint32_t i = 0; i < image.services.size(); ++i) {
    const image::slice functions = image.services[i].functions;
    if (function - functions.begin < functions.size) return service_info(&image, i).name() + '.' + name;
  }
  return name;
}
[[nodiscard]] inline std::string reason_text(const redact_graph& graph, const redact_reason& of) {
  using form = redact_reason::form;
  const schema_image* image = graph.from.image();
  const std::string& key = graph.annotation;
  switch (of.rule) {
    case form::path:
      return joined({"path ", graph.paths[of.at].text()});
    case form::type_rule:
      return joined({"type ", graph.type_rules[of.at]});
    case form::written:
      return joined({"its type", annotation_text(key, {image, image::slice{of.in, 1}})});
    case form::function:
      return joined({"function ", function_name(*image, of.at),
                     annotation_text(key, function_info(image, of.at).annotations())});
    case form::field: {
      const field_info field(image, of.at);
      return joined({"field ", type(image, of.in).name(), '.', field.name(),
                     annotation_text(key, field.annotations())});
    }
    case form::declared:
      break;
  }
  const type declared(image, of.at);
  return std::string(to_string(declared.kind())) + ' ' + declared.name() +
         annotation_text(key, declared.annotations());
}

/// Walks the graph, fields by id, and enters every node once.
class redact_lister {
 public:
  explicit redact_lister(const redact_graph& graph)
      : graph_(graph),
        first_path_(graph.nodes.size()),
        tells_(graph.leading_to([&](const redact_node& of) { return has_rule(of) || hides_unknown(of); })) {}

  [[nodiscard]] std::vector<redact_entry> run() {
    todo_.push_back({graph_.root, "$", {}});
    while (!todo_.empty()) {
      pending_entry next = std::move(todo_.back());
      todo_.pop_back();
      visit(std::move(next));
    }
    if (graph_.unknown == on_unknown::drop) entries_.push_back({"#*", "drop", "not in the IDL"});
    if (graph_.unknown == on_unknown::error) entries_.push_back({"#*", "error", "not in the IDL"});
    return std::move(entries_);
  }

 private:
  static constexpr std::uint32_t none = redact_target::none;
  struct pending_entry {
    redact_target to;
    std::string path;
    std::string reason;  // of an enclosing value, if it applies inside
  };

  /// Inside hashed or cut values, if unknown fields are kept elsewhere.
  [[nodiscard]] bool hides_unknown(const redact_node& of) const noexcept {
    return graph_.unknown == on_unknown::keep && of.of.is_struct() && of.closed;
  }
  void visit(pending_entry at) {
    const redact_target& to = at.to;
    const redact_reason* rule = to.reason == none ? nullptr : &graph_.reasons[to.reason];
    if (rule) at.reason = reason_text(graph_, *rule);
    if (to.replacement != none) return list(at, graph_.actions[to.replacement]);
    if (rule && rule->keeps) {
      list(at, "keep");
      at.reason.clear();
    }
    if (to.node != none && tells_[to.node]) enter(std::move(at));
  }
  void list(const pending_entry& at, std::string action) {
    entries_.push_back({at.path, std::move(action), at.reason});
  }
  void enter(pending_entry at) {
    const redact_node& node = graph_.nodes[at.to.node];
    auto& first = first_path_[at.to.node];
    if (first) {
      if (at.reason.empty()) at.reason = node.of.name();
      return list(at, joined({"as ", *first}));
    }
    first = at.path;
    inside(node, at);
    if (hides_unknown(node)) entries_.push_back({joined({at.path, ".#*"}), "drop", at.reason});
  }
  void inside(const redact_node& node, const pending_entry& at) {
    const std::size_t begin = todo_.size();
    if (node.of.is_struct())
      fields(node, at);
    else
      elements(node, at);
    std::ranges::reverse(std::span(todo_).subspan(begin));
  }
  void elements(const redact_node& node, const pending_entry& at) {
    const bool is_map = node.of.kind() == type_kind::map;
    if (is_map) add(node.key, at, "{key *}");
    for (const redact_node::key_edge& entry : node.keyed) add(entry.to, at, std::string(entry.text));
    add(node.value, at, is_map ? "{*}" : "[*]");
  }
  void fields(const redact_node& node, const pending_entry& at) {
    for (const redact_node::field_edge& edge : node.fields)
      add(edge.to, at, '.' + std::string(node.of.find_field(edge.id).name()));
  }
  void add(const redact_target& to, const pending_entry& at, const std::string& step) {
    if (to.stays() && to.reason == none) return;
    todo_.push_back({to, at.path + step, at.reason});
  }

  const redact_graph& graph_;
  std::vector<std::optional<std::string>> first_path_;  // by node
  std::vector<bool> tells_;
  std::vector<pending_entry> todo_;
  std::vector<redact_entry> entries_;
};

}  // namespace detail

/// All actions of the rules, in the order of the fields' ids. Linear in the graph; see redaction::listing().
[[nodiscard]] inline std::vector<redact_entry> list_redactions(const detail::redact_graph& graph) {
  return detail::redact_lister(graph).run();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
