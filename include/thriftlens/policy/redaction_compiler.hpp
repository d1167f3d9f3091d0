// redaction_compiler: compiles the rules of a redaction into a graph over the values of a type. Reads no wire
// bytes.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/nearest.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/core/read_number.hpp>
#include <thriftlens/core/siphash.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/policy/annotation_uses.hpp>
#include <thriftlens/policy/redact_blank.hpp>
#include <thriftlens/policy/redact_claims.hpp>
#include <thriftlens/policy/redact_options.hpp>
#include <thriftlens/policy/redact_trie.hpp>
#include <thriftlens/policy/redact_type_rules.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/rewrite/mask_value.hpp>
#include <thriftlens/rewrite/value_in.hpp>
#include <thriftlens/schema/service.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Paths become a trie; a node of the graph is a type, the trie nodes that lead there, and the inherited
/// action.
class redaction_compiler {
 public:
  /// `log`, if any, is filled as values are resolved.
  redaction_compiler(redact_graph& into, const redact_options& options, annotation_log* log = nullptr)
      : into_(into), options_(options), claims_(options), log_(log) {}

  [[nodiscard]] result<void> run() {
    if (result<void> status = read_options(); !status) return status;
    if (result<void> status = read_paths(); !status) return status;
    if (result<void> status = find_uses(); !status) return status;
    if (!resolve_all()) return std::move(*error_);
    if (result<void> status = check_reach(); !status) return status;
    prune();
    prepare();
    return {};
  }
  /// Resolves all structs of the schema, also as parts of others, and logs the actions of its annotations.
  [[nodiscard]] result<void> check_annotations() {
    if (result<void> status = read_options(); !status) return status;
    for (const image::struct_node& node : into_.from.image()->structs) {
      redact_target to;
      if (!(resolve(type(into_.from.image(), node.type), {}, {0}, to) && fill_all()) && !is_logged())
        return std::move(*error_);
      todo_.clear();
    }
    return {};
  }

 private:
  static constexpr std::uint32_t none = redact_target::none;
  using form = redact_action::form;
  using reason = redact_reason;
  using trie_nodes = redact_trie::nodes;

  struct pending_node {
    std::uint32_t node;
    written_type of;
    redact_claim inherited;  // of a value around it
    trie_nodes at;
    std::string field = {};  // "field 'x' of T" that contains it
  };
  /// Nodes of one key are one: type, as written, action inherited, trie nodes.
  [[nodiscard]] static std::string node_key(const pending_node& at) {
    std::string key;
    const auto append = [&](std::uint32_t number) {
      key.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    append(at.of.type().index());
    append(at.of.place());
    append(at.inherited.action);
    for (const std::uint32_t node : at.at) append(node);
    return key;
  }
  /// All claims on one value.
  struct claims {
    std::uint32_t named = none;  // trie node of the path that ends at it
    redact_claim inherited{};    // of a value around it
    redact_claim by_rule{};      // type rule of the field
    redact_claim marked{};       // annotation of the field, its type as written or its function
  };

  template <class Item>
  [[nodiscard]] static std::uint32_t next_index(const std::vector<Item>& items) noexcept {
    return static_cast<std::uint32_t>(items.size());
  }
  bool reject(errc code, std::string message) {
    error_ = error(code, std::move(message));
    return false;
  }
  [[nodiscard]] static error bad_rule(std::string message) {
    return error(errc::bad_rule, std::move(message));
  }
  // A rule that the option `unmatched` allows to match nothing.
  [[nodiscard]] static error unmatched_rule(std::string message) {
    return bad_rule(std::move(message)).with_option("unmatched");
  }
  [[nodiscard]] bool needs_required() const noexcept {
    return options_.missing_required == thriftlens::on_missing::error;
  }
  [[nodiscard]] bool may_miss() const noexcept {
    return options_.unmatched == redact_options::unmatched_rules::ignore;
  }

  bool resolve_all() {
    if (!resolve(into_.from, {.named = trie_.last_end({0})}, {0}, into_.root)) return false;
    if (is_drop(into_.root)) return reject(errc::bad_rule, "the root value cannot be dropped");
    return fill_all();
  }
  bool fill_all() {
    while (!todo_.empty()) {
      const pending_node next = std::move(todo_.back());
      todo_.pop_back();
      if (!fill(next)) return false;
    }
    return true;
  }

  // ---- options ----

  [[nodiscard]] result<void> read_options() {
    if (std::optional<error> bad =
            find_bad_option({{"unknown", options_.unknown}, {"missing_required", options_.missing_required}}))
      return *std::move(bad);
    if (options_.annotation.empty()) {
      if (options_.paths.empty() && options_.types.empty())
        return bad_rule("no redaction rule; add an annotation, paths or types");
      if (!options_.values.empty() || options_.default_action != "blank")
        return bad_rule("values and default_action need an annotation");
    }
    if (result<void> status = claims_.read_options(); !status) return status;
    return read_types();
  }
  [[nodiscard]] result<void> read_types() {
    const schema_image& image = *into_.from.image();
    for (std::uint32_t i = 0; i < options_.types.size(); ++i) {
      const auto& [text, written] = options_.types[i];
      result<std::uint32_t> action = claims_.add_option(written);
      if (!action) return action.error();
      into_.type_rules.push_back(text);
      if (result<void> status = type_rules_.add(image, text, *action, i); !status) return status;
    }
    return {};
  }
  [[nodiscard]] result<void> find_uses() const {
    if (options_.annotation.empty() || may_miss()) return {};
    const annotation_uses uses(into_.from, options_.annotation);
    if (!uses.keys().contains(options_.annotation)) return unused_annotation(uses.keys());
    for (const auto& [value, written] : options_.values) {
      if (!uses.values().contains(value)) return unused_value(value, uses.values());
    }
    return {};
  }
  [[nodiscard]] error unused_annotation(const std::set<std::string>& known) const {
    return unmatched_rule(joined({"no field or type that ", into_.from.name(), " reaches has the annotation ",
                                  in_quotes(options_.annotation), nearest(options_.annotation, known)}));
  }
  [[nodiscard]] error unused_value(std::string_view value, const std::set<std::string>& known) const {
    return unmatched_rule(
        joined({"no annotation ", in_quotes(options_.annotation), " that ", into_.from.name(),
                " reaches has the value ", in_quotes(value), nearest(value, known)}));
  }
  [[nodiscard]] static std::string nearest(std::string_view name, const std::set<std::string>& known) {
    nearest_names names(name);
    for (const std::string_view candidate : known) names.offer(candidate);
    return names.text();
  }
  [[nodiscard]] result<void> read_paths() {
    for (const auto& [text, written] : options_.paths) {
      result<std::uint32_t> action = claims_.add_option(written);
      if (!action) return action.error();
      if (result<void> status = read_path(text, *action); !status) return status;
    }
    return {};
  }
  [[nodiscard]] result<void> read_path(std::string_view text, std::uint32_t action) {
    if (text.empty()) return bad_rule("empty path; the path of the root value is '$'");
    result<path> parsed = path::try_compile(into_.from, text);
    if (!parsed) return refused_path(parsed.error());
    into_.paths.push_back(std::move(*parsed));
    return trie_.add(into_.paths.back(), action);
  }
  [[nodiscard]] result<void> refused_path(const error& cause) const {
    if (cause.code() != errc::no_such_field) return cause;
    return may_miss() ? result<void>() : cause.with_option("unmatched");
  }
  [[nodiscard]] result<void> check_reach() const {
    if (may_miss()) return {};
    for (const path& rule : into_.paths) {
      const std::optional<std::size_t> end = trie_.reached_text(rule);
      if (!end) continue;
      const std::string around(*end < 2 ? "$" : rule.text().substr(0, *end));
      const std::string text(rule.text());
      return unmatched_rule(
          joined({"the rule ", text, " has no effect: the rule of ", around, " replaces all of it"}));
    }
    for (std::uint32_t i = 0; i < options_.types.size(); ++i) {
      if (!type_rules_.is_reached(i))
        return unmatched_rule(
            joined({"the rule ", options_.types[i].first, " matches nothing in ", into_.from.name()}));
    }
    if (options_.key != redact_hash::secret_key{} && !claims_.uses_key())
      return unmatched_rule("key has no effect: no rule has the action hash");
    return {};
  }

  // ---- which rule holds ----

  /// The claim that holds for a value, if any; if it was chosen for this value, `to` gets the reason.
  bool choose(type of, const claims& requested, redact_claim& chosen, redact_target& to) {
    redact_claim by = first_claim(of, requested);
    if (std::optional<error> fault = claims_.take_fault()) {
      error_ = std::move(fault);
      return false;
    }
    chosen = by ? by : requested.inherited;
    if (!by) return true;
    if (!claims_.claim_key(by.action)) {
      error_ = claims_.take_fault();
      return false;
    }
    if (log_ != nullptr) log_->effective.push_back(by.reason);
    by.reason.keeps = claims_.keeps(by.action);
    to.reason = next_index(into_.reasons);
    into_.reasons.push_back(by.reason);
    // An annotation that keeps a value does not apply to its contents.
    if (by.reason.keeps && is_annotation(by.reason)) chosen = {};
    return true;
  }
  [[nodiscard]] static bool is_annotation(const reason& of) noexcept {
    return of.rule != reason::form::path && of.rule != reason::form::type_rule;
  }
  /// The claim on this value that overrides the inherited one, if any. Values that a path or a type rule
  /// keeps are exempt from annotations.
  redact_claim first_claim(type of, const claims& requested) {
    if (requested.named != none)
      return {trie_.action(requested.named), {reason::form::path, false, trie_.path_of(requested.named)}};
    redact_claim own = requested.by_rule ? requested.by_rule : type_rules_.of_type(of);
    const bool by_annotation = !own;
    if (by_annotation) own = stricter(of, requested.marked, claims_.of_declared(of));
    if (!requested.inherited || !own) return own;
    if (claims_.keeps(requested.inherited.action)) return by_annotation ? redact_claim() : own;
    return stricter(of, requested.inherited, own).reason == own.reason ? own : redact_claim();
  }
  /// The stricter of two claims; the first where they are equal.
  redact_claim stricter(type of, const redact_claim& lhs, const redact_claim& rhs) {
    if (!lhs || !rhs) return lhs ? lhs : rhs;
    if (claims_.is_stricter(rhs.action, lhs.action)) return overrides(of, rhs, lhs);
    return claims_.is_stricter(lhs.action, rhs.action) ? overrides(of, lhs, rhs) : lhs;
  }
  redact_claim overrides(type of, const redact_claim& by, const redact_claim& weaker) {
    if (log_ != nullptr)
      log_->conflicts.push_back({current_.empty() ? of.name() : current_, by.reason, weaker.reason});
    return by;
  }
  /// Annotations of the field, of its type as written, and of the function that returns it.
  redact_claim marked(field_info field, type in) {
    const redact_claim claim =
        stricter(field.type(), claims_.of_field(field, in), claims_.of_written(field.written()));
    const std::uint32_t function = field.id() == 0 ? function_of(in) : none;
    if (function == none) return claim;
    return stricter(field.type(), claim, claims_.of_function(*in.image(), function));
  }
  /// The function that has the struct as its result, or none.
  [[nodiscard]] std::uint32_t function_of(type result) {
    const schema_image& image = *result.image();
    if (functions_.empty()) {
      for (std::uint32_t i = 0; i < image.functions.size(); ++i)
        functions_.emplace(image.structs[image.functions[i].result].type, i);
    }
    const auto known = functions_.find(result.index());
    return known == functions_.end() ? none : known->second;
  }

  // ---- the graph ----

  /// Resolves a value of that type, to which the trie nodes `at` lead.
  bool resolve(const written_type& written, const claims& requested, trie_nodes at, redact_target& to) {
    const type of = written.type();
    redact_claim chosen;
    to = {};
    if (!choose(of, requested, chosen, to)) return false;
    const bool is_compound = of.is_struct() || of.is_container();
    if (chosen && !(is_compound && claims_.goes_inside(chosen.action)))
      return claims_.keeps(chosen.action) || replace(of, chosen.action, to.replacement);
    return !is_compound || enter({0, of.is_struct() ? of : written, chosen, std::move(at)}, to.node);
  }
  bool enter(pending_node at, std::uint32_t& node) {
    std::erase_if(at.at, [&](std::uint32_t child) { return trie_.is_leaf(child); });
    at.node = next_index(into_.nodes);
    const type of = at.of.type();
    const auto [known, is_new] = node_indices_.try_emplace(node_key(at), at.node);
    node = known->second;
    if (!is_new) return true;
    if (at.node == max_nodes(*of.image()))
      return reject(errc::size_limit, "the rules combine too many paths");
    into_.nodes.emplace_back().of = of;
    at.field = field_;
    todo_.push_back(std::move(at));
    return true;
  }
  [[nodiscard]] static std::size_t max_nodes(const schema_image& of) noexcept {
    return 4096 + 4 * (of.types.size() + of.written_types.size());
  }
  bool fill(const pending_node& next) {
    redact_node result;
    result.of = next.of.type();
    field_ = next.field;
    const bool hides = next.inherited && !claims_.keeps(next.inherited.action);
    result.closed = hides || options_.unknown != on_unknown::keep;
    const bool ok = result.of.is_struct()                ? fields(next, result)
                    : result.of.kind() == type_kind::map ? entries(next, result)
                                                         : elements(next, result);
    into_.nodes[next.node] = std::move(result);
    return ok;
  }
  bool fields(const pending_node& next, redact_node& result) {
    const type of = next.of.type();
    const image::slice range = of.structure().fields;
    for (std::uint32_t i = range.begin; i < range.begin + range.size; ++i) {
      const field_info field(of.image(), i);
      const bool required = field.required() && needs_required();
      redact_node::field_edge edge{field.id(), field.type().wire(), required, {}, field.type().index()};
      current_ = of.name() + '.' + std::string(field.name());
      field_ = in_words(field, of);
      const bool ok = resolve_field(next, field, edge.to);
      current_.clear();
      if (!ok && !about(field, of)) return false;
      result.required += required;
      result.fields.push_back(edge);
    }
    return true;
  }
  bool resolve_field(const pending_node& in, field_info field, redact_target& to) {
    trie_nodes at = trie_.below_field(in.at, field.id());
    const type owner = in.of.type();
    const claims requested{trie_.last_end(at), in.inherited, type_rules_.of_field(field, owner),
                           marked(field, owner)};
    if (!resolve(field.written(), requested, std::move(at), to)) return false;
    if (!field.required() || !is_drop(to)) return true;
    return reject(errc::bad_rule, "a required field cannot be dropped; use blank");
  }
  bool elements(const pending_node& next, redact_node& result) {
    const written_type element = next.of.element();
    result.value_wire = element.type().wire();
    trie_nodes at = trie_.below_all(next.at);
    const claims requested{trie_.last_end(at), next.inherited, {}, claims_.of_written(element)};
    if (!resolve(element, requested, std::move(at), result.value)) return false;
    result.drops = is_drop(result.value);
    return true;
  }
  bool entries(const pending_node& next, redact_node& result) {
    const written_type key = next.of.key(), value = next.of.value();
    result.key_wire = key.type().wire();
    result.value_wire = value.type().wire();
    const redact_claim by_type = claims_.of_written(value);
    if (!resolve(key, {none, next.inherited, {}, claims_.of_written(key)}, {}, result.key)) return false;
    if (is_drop(result.key)) {
      const std::string owner = next.field.empty() ? next.of.type().name() : next.field;
      return reject(errc::bad_rule, joined({owner, ": keys of a map cannot be dropped; use blank"}));
    }
    const trie_nodes at = trie_.below_all(next.at);
    return entry_value(next, at, by_type, result, result.value) && keyed_entries(next, at, by_type, result);
  }
  /// Resolves the values of entries that the trie nodes `at` lead to.
  bool entry_value(const pending_node& next, trie_nodes at, const redact_claim& by_type, redact_node& result,
                   redact_target& to) {
    const claims requested{trie_.last_end(at), next.inherited, {}, by_type};
    if (!resolve(next.of.value(), requested, std::move(at), to)) return false;
    result.drops = result.drops || is_drop(to);
    return true;
  }
  /// Entries that paths name by key; `at` leads to the values of all entries.
  bool keyed_entries(const pending_node& next, const trie_nodes& at, const redact_claim& by_type,
                     redact_node& result) {
    const std::vector<redact_trie::by_key> keys = trie_.keys_below(next.at);
    for (auto from = keys.begin(); from != keys.end();) {
      redact_node::key_edge edge{from->key, from->text, {}};
      trie_nodes both = at;
      for (; from != keys.end() && redact_trie::same_key(from->key, edge.key); ++from)
        both.push_back(from->node);
      std::sort(both.begin(), both.end());
      if (!entry_value(next, std::move(both), by_type, result, edge.to)) return false;
      result.keyed.push_back(edge);
    }
    return true;
  }
  [[nodiscard]] static std::string in_words(field_info field, type in) {
    return joined({"field '", field.name(), "' of ", in.name()});
  }
  /// Adds the field to the error. True if errors are logged and compiling continues.
  bool about(field_info field, type in) {
    error_ = error(error_->code(), joined({in_words(field, in), ": ", error_->detail()}));
    if (log_ != nullptr) log_->effective.push_back({reason::form::field, false, field.index(), in.index()});
    return is_logged();
  }
  [[nodiscard]] bool is_logged() {
    if (log_ == nullptr) return false;
    log_->errors.insert(std::string(error_->detail()));
    error_.reset();
    return true;
  }

  // ---- replacement values ----

  [[nodiscard]] bool is_drop(const redact_target& to) const noexcept {
    return to.replacement != none && into_.replacements[to.replacement].kind == form::drop;
  }
  bool replace(type of, std::uint32_t chosen, std::uint32_t& to) {
    const auto [known, is_new] =
        replaced_.try_emplace(std::uint64_t{of.index()} << 32 | chosen, next_index(into_.replacements));
    to = known->second;
    if (!is_new) return true;
    redact_replacement result;
    if (!make_replacement(of, claims_[chosen], result)) return false;
    into_.replacements.push_back(result);
    return true;
  }
  bool make_replacement(type of, const redact_action& requested, redact_replacement& result) {
    result.kind = is_mask(requested.kind) && !can_mask(of, requested.kind) ? form::blank : requested.kind;
    result.last = requested.last;
    into_.actions.push_back(result.kind == requested.kind ? requested.to_string() : "blank");
    if (result.kind == form::blank || result.kind == form::constant) return bytes_of(of, result, requested);
    return true;
  }
  bool bytes_of(type of, redact_replacement& result, const redact_action& requested) {
    bool good = true;
    result.bytes.for_each([&](protocol_id which, image::slice& stored) {
      good = good && visit_protocol(which, [&]<class P>(P) { return put_bytes<P>(of, requested, stored); });
    });
    return good || reject(errc::bad_rule, refused_text(of, requested));
  }
  [[nodiscard]] static std::string refused_text(type of, const redact_action& requested) {
    if (requested.kind == form::constant)
      return joined({"'", requested.text, "' cannot be ", with_article(of.name())});
    return joined({of.name(), " cannot be blanked: its required fields are nested too deeply"});
  }
  template <protocol P>
  [[nodiscard]] bool put_bytes(type of, const redact_action& requested, image::slice& stored) {
    const std::size_t begin = into_.bytes.size();
    const errc code =
        requested.kind == form::constant ? constant<P>(of, requested.text) : append_blank<P>(into_.bytes, of);
    stored = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(into_.bytes.size() - begin)};
    return code == errc::ok;
  }
  template <protocol P>
  [[nodiscard]] errc constant(type of, const std::string& text) {
    if (of.wire() == ttype::string || (of.is_enum() && of.member_value(text)))
      return put_text<P>(into_.bytes, of, text);
    if (of.kind() == type_kind::bool_) return truth<P>(of, text);
    if (of.kind() == type_kind::double_) return number<double, P>(of, text);
    return fixed_width(of.wire()) != 0 ? number<std::int64_t, P>(of, text) : errc::bad_rule;
  }
  template <protocol P>
  [[nodiscard]] errc truth(type of, std::string_view text) {
    if (text != "true" && text != "false") return errc::bad_rule;
    return append_value<P>(into_.bytes, of, text == "true");
  }
  template <class T, protocol P>
  [[nodiscard]] errc number(type of, std::string_view text) {
    T value{};
    auto [end, code] = read_number(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size() ? append_value<P>(into_.bytes, of, value)
                                                                   : errc::bad_rule;
  }

  // ---- nodes without effect are not entered ----

  /// If unknown fields stay; otherwise every struct is read.
  void prune() {
    if (options_.unknown != on_unknown::keep) return;
    const std::vector<bool> live = into_.leading_to(
        [](const redact_node& of) { return (of.of.is_struct() && of.closed) || has_rule(of); });
    leave_idle(live);
    for (redact_node& node : into_.nodes) {
      if (!node.closed) std::erase_if(node.fields, is_idle);
    }
  }
  /// Removes the edges to nodes without effect.
  void leave_idle(const std::vector<bool>& live) {
    const auto close = [&](redact_target& to) {
      if (to.node != none && !live[to.node]) to.node = none;
    };
    for (redact_node& node : into_.nodes) redact_node::each_target(node, close);
    close(into_.root);
  }
  /// Whether the edge has no rule.
  [[nodiscard]] static bool is_idle(const redact_node::field_edge& edge) noexcept {
    return edge.to.stays() && edge.to.reason == none && !edge.required;
  }

  // ---- precomputed data for runners ----

  void prepare() {
    const auto acting = into_.leading_to(replaces_something);
    into_.is_fast = into_.root.replacement == none && std::ranges::all_of(into_.nodes, is_simple);
    for (std::size_t i = 0; i < into_.nodes.size(); ++i) {
      into_.nodes[i].inert = into_.nodes[i].contents_stay();
      into_.nodes[i].passive = !acting[i];
    }
    for (redact_node& node : into_.nodes) {
      if (node.of.is_struct()) lay_prefix(node);
    }
  }
  /// Whether no entry is named by its key, and nothing is dropped or merged.
  [[nodiscard]] static bool is_simple(const redact_node& of) noexcept {
    return of.keyed.empty() && !of.drops && !of.merges();
  }
  [[nodiscard]] static bool replaces_something(const redact_node& of) {
    bool any = false;
    redact_node::each_target(of, [&](const redact_target& to) { any |= to.replacement != none; });
    return any;
  }
  /// Computes the positions of a struct's edges in its prefix template.
  void lay_prefix(redact_node& node) const {
    const schema_image& image = *node.of.image();
    const image::struct_node& self = node.of.structure();
    const shape_ref prefix = image.prefix(self);
    for (std::size_t i = 0; i < self.prefix.segments.size; ++i)
      node.prefix_segments.push_back({0, edges_up_to(node, prefix.segments[i].last_id)});
    for (std::uint16_t i = 0; i < node.fields.size(); ++i) {
      const image::prefix_position& header =
          image.prefix_positions[image.find_field(self, node.fields[i].id)];
      if (!header) break;
      lay_edge(node, i, header);
    }
  }
  void lay_edge(redact_node& node, std::uint16_t at, const image::prefix_position& header) const {
    const redact_node::field_edge& edge = node.fields[at];
    redact_node::prefix_segment& segment = node.prefix_segments[header.segment];
    segment.required = static_cast<std::uint16_t>(segment.required + edge.required);
    if (!is_matched_by_prefix(edge.to)) node.prefix_edges.push_back({header.segment, header.at, at});
  }
  [[nodiscard]] static std::uint16_t edges_up_to(const redact_node& node, std::int16_t id) {
    const auto is_up_to = [id](const redact_node::field_edge& edge) { return edge.id <= id; };
    const auto end = std::partition_point(node.fields.begin(), node.fields.end(), is_up_to);
    return static_cast<std::uint16_t>(end - node.fields.begin());
  }
  /// Whether the value is unchanged; the headers are compared with the template.
  [[nodiscard]] bool is_matched_by_prefix(const redact_target& to) const noexcept {
    return to.stays() || (to.node != none && into_.nodes[to.node].inert);
  }

  redact_graph& into_;
  const redact_options& options_;
  redact_claims claims_;
  annotation_log* log_;
  redact_trie trie_;
  redact_type_rules type_rules_;
  std::map<std::uint64_t, std::uint32_t> functions_;  // by their result's type
  std::string current_;                               // the field that is resolved, for the log
  std::string field_;                                 // the field whose value is resolved, for errors
  std::map<std::string, std::uint32_t, std::less<>> node_indices_;  // by node_key()
  std::map<std::uint64_t, std::uint32_t> replaced_;                 // by type and action
  std::vector<pending_node> todo_;
  std::optional<error> error_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
