// redact_trie: the paths of a redaction as one tree of steps, which tracks paths that reach no value.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/core/uuid.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/path/step_trie.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Node 0 is the root. Nodes looked up through below_field(), below_all() and keys_below() count as reached.
class redact_trie {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;
  using nodes = std::vector<std::uint32_t>;  // ascending

  /// An entry of a map that paths name by its key.
  struct by_key {
    map_key key;
    std::string_view text;  ///< as the path spells it
    std::uint32_t node;
  };

  redact_trie() : nodes_(1) { nodes_[0].reached = true; }

  /// Adds a path, which must outlive this, for an action: of two actions, the later one has the greater
  /// number. Error: wrong_type for indices, slices and keys by their wire bytes.
  [[nodiscard]] THRIFTLENS_COLD result<void> add(const path& of, std::uint32_t action) {
    const std::span<const path_step> steps = of.steps();
    if (result<void> good = check_path(of); !good) return good;
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::size_t end = i + 1 < steps.size() ? steps[i + 1].offset : of.text().size();
      at = child(at, steps[i], of.text().substr(steps[i].offset, end - steps[i].offset));
    }
    nodes_[at].action = action;
    nodes_[at].path = static_cast<std::uint32_t>(ends_.size());
    ends_.push_back(at);
    return {};
  }

  [[nodiscard]] std::uint32_t action(std::uint32_t node) const noexcept { return nodes_[node].action; }
  /// The number of the last path that ends at a node.
  [[nodiscard]] std::uint32_t path_of(std::uint32_t node) const noexcept { return nodes_[node].path; }
  /// Whether no path continues from the node.
  [[nodiscard]] bool is_leaf(std::uint32_t node) const noexcept {
    const trie_node& self = nodes_[node];
    return self.fields.empty() && self.keys.empty() && self.any_element == none;
  }
  /// Of several nodes that lead to the same value, the one at which the last path ends, or none.
  [[nodiscard]] std::uint32_t last_end(const nodes& at) const noexcept {
    std::uint32_t last = none;
    for (const std::uint32_t candidate : at) {
      if (nodes_[candidate].action == none) continue;
      if (last == none || nodes_[candidate].action > nodes_[last].action) last = candidate;
    }
    return last;
  }

  [[nodiscard]] THRIFTLENS_COLD nodes below_field(const nodes& at, std::int16_t id) {
    return below(at, [id](const trie_node& node) { return node.field(id); });
  }
  [[nodiscard]] THRIFTLENS_COLD nodes below_all(const nodes& at) {
    return below(at, [](const trie_node& node) { return node.any_element; });
  }
  /// The keys by which paths continue, equal ones adjacent.
  [[nodiscard]] THRIFTLENS_COLD pod_vector<by_key> keys_below(const nodes& at) {
    pod_vector<by_key> matches;
    for (const std::uint32_t node : at) {
      matches.append(nodes_[node].keys);
    }
    for (const by_key& match : matches) nodes_[match.node].reached = true;
    detail::sort_stably(matches.data(), matches.size(), [](const by_key& lhs, const by_key& rhs) {
      return detail::key_less(lhs.key, rhs.key);
    });
    return matches;
  }
  [[nodiscard]] static bool same_key(const map_key& lhs, const map_key& rhs) noexcept {
    return !detail::key_less(lhs, rhs) && !detail::key_less(rhs, lhs);
  }

  /// The size of the text of a path that leads to values that are read; nothing if the whole path is reached.
  [[nodiscard]] THRIFTLENS_COLD std::optional<std::size_t> reached_text(const path& of) const {
    std::uint32_t at = 0;
    std::size_t end = 0;
    for (const path_step& step : of.steps()) {
      end = step.offset;
      at = find(at, step);
      if (!nodes_[at].reached) return end;
    }
    return std::nullopt;
  }

 private:
  struct trie_node {
    std::uint32_t action = none;
    std::uint32_t path = none;
    std::uint32_t any_element = none;
    bool reached = false;
    std::map<std::uint64_t, std::uint32_t> fields;  // by their ids
    pod_vector<by_key> keys;

    [[nodiscard]] static std::uint64_t key_of(std::int16_t id) noexcept {
      return static_cast<std::uint16_t>(id);
    }
    [[nodiscard]] std::uint32_t field(std::int16_t id) const {
      const auto match = fields.find(key_of(id));
      return match == fields.end() ? none : match->second;
    }
  };

  /// Whether the path is valid in a rule.
  [[nodiscard]] THRIFTLENS_COLD static result<void> check_path(const path& of) {
    type inside = of.from();
    for (const path_step& step : of.steps()) {
      if (const char* message = refused(step, inside))
        return error(errc::wrong_type, message, step.offset, std::string(of.text())).in(error_source::path);
      inside = type(inside.image(), step.type);
    }
    return {};
  }
  /// The reason why a step is invalid in a rule, or null.
  [[nodiscard]] THRIFTLENS_COLD static const char* refused(const path_step& step, type inside) noexcept {
    using form = path_step::form;
    const bool is_wildcard = step.first == 0 && step.last == path_step::open;
    if (step.kind == form::key_at) return "the rule of a map also applies to its keys";
    if (step.kind == form::index || (step.kind == form::elements && !is_wildcard))
      return "a rule must apply to all elements of a list; write [*]";
    if (step.kind != form::key || step.key.kind() != map_key::form::wire) return nullptr;
    return is_uuid(step.key, inside) ? nullptr : "a rule cannot select a key by its wire bytes; write {*}";
  }
  /// Other keys have other bytes in another protocol, and a struct has many spellings in one.
  [[nodiscard]] static bool is_uuid(const map_key& key, type map) noexcept {
    return map.key().kind() == type_kind::uuid && key.bytes().size() == sizeof(uuid_bytes);
  }
  /// The node that a step leads to, or none.
  [[nodiscard]] THRIFTLENS_COLD std::uint32_t find(std::uint32_t at, const path_step& step) const {
    const trie_node& self = nodes_[at];
    if (step.kind == path_step::form::field) return self.field(step.id);
    if (step.kind != path_step::form::key) return self.any_element;
    const map_key key = detail::plain_key(step.key);
    for (const by_key& entry : self.keys) {
      if (same_key(entry.key, key)) return entry.node;
    }
    return none;
  }
  std::uint32_t child(std::uint32_t at, const path_step& step, std::string_view text) {
    const std::uint32_t known = find(at, step);
    if (known != none) return known;
    const auto fresh = static_cast<std::uint32_t>(nodes_.size());
    add_child(nodes_[at], step, text, fresh);
    nodes_.emplace_back();
    return fresh;
  }
  static void add_child(trie_node& of, const path_step& step, std::string_view text, std::uint32_t fresh) {
    if (step.kind == path_step::form::field)
      of.fields.emplace(trie_node::key_of(step.id), fresh);
    else if (step.kind == path_step::form::key)
      of.keys.push_back({detail::plain_key(step.key), text, fresh});
    else
      of.any_element = fresh;
  }
  /// `next` returns the child of a node, or none.
  template <class Next>
  THRIFTLENS_COLD nodes below(const nodes& at, Next next) {
    nodes children;
    for (const std::uint32_t node : at) {
      const std::uint32_t to = next(nodes_[node]);
      if (to == none) continue;
      nodes_[to].reached = true;
      children.push_back(to);
    }
    std::sort(children.begin(), children.end());
    return children;
  }

  std::vector<trie_node> nodes_;
  nodes ends_;  // by path
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
