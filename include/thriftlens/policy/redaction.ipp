// redaction: bodies of redaction.hpp.
// In: its declarations. Out: what thriftlens::compiled holds, or every unit that is header-only.
// Never declares what a user calls.
#pragma once

#include <thriftlens/policy/redaction.hpp>

#include <thriftlens/core/quote.hpp>
#include <thriftlens/core/read_number.hpp>
#include <thriftlens/core/siphash.hpp>
#include <thriftlens/edit/value_in.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/policy/annotation_uses.hpp>
#include <thriftlens/policy/redact_blank.hpp>
#include <thriftlens/policy/redact_listing.hpp>
#include <thriftlens/policy/redact_trie.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/schema/nearest.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Paths become a trie; a place of the graph is a type, the trie nodes that lead there, and the action that
/// holds for all inside.
class redaction::compiler {
 public:
  compiler(detail::redact_graph& into, const redact_options& options) : into_(into), options_(options) {}

  [[nodiscard]] result<void> run() {
    if (result<void> done = read_options(); !done) return done;
    if (result<void> done = read_paths(); !done) return done;
    if (result<void> done = find_uses(); !done) return done;
    if (!resolve_all()) return std::move(*error_);
    if (result<void> done = check_reach(); !done) return done;
    prune();
    prepare();
    return {};
  }

 private:
  static constexpr std::uint32_t none = detail::redact_target::none;
  using form = detail::redact_action::form;
  using reason = detail::redact_reason;
  using trie_nodes = detail::redact_trie::nodes;

  struct place {
    std::uint32_t node;
    written_type of;
    std::uint32_t inherited;
    trie_nodes at;
  };
  /// Places of one key are one. The nodes are not compared by `<` of vectors: on big-endian machines
  /// libstdc++ 12's looks at a quarter of their bytes.
  struct place_key {
    std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> of;  // type, as written, action inherited
    trie_nodes at;

    friend bool operator<(const place_key& left, const place_key& right) noexcept {
      if (left.of != right.of) return left.of < right.of;
      return std::lexicographical_compare(left.at.begin(), left.at.end(), right.at.begin(), right.at.end());
    }
  };
  /// An action that an annotation asks for, and where that stands.
  struct marked {
    std::uint32_t action = none;
    reason why{};
  };
  /// All that asks for an action at one value.
  struct claims {
    std::uint32_t named = none;      // trie node of the path that ends at it
    std::uint32_t inherited = none;  // action of a value around it
    marked by_place{};               // annotation of the field, or of its type as written
  };

  /// The index that the next one of a list gets.
  template <class Item>
  [[nodiscard]] static std::uint32_t next_index(const std::vector<Item>& all) noexcept {
    return static_cast<std::uint32_t>(all.size());
  }
  bool fail(errc code, std::string words) {
    error_ = error(code, std::move(words));
    return false;
  }
  [[nodiscard]] static error bad_rule(std::string words) { return error(errc::bad_rule, std::move(words)); }
  [[nodiscard]] bool has_key() const noexcept { return options_.key != redact_hash::key_bytes{}; }
  [[nodiscard]] bool needs_required() const noexcept {
    return options_.missing_required == thriftlens::on_missing::error;
  }
  [[nodiscard]] bool may_miss() const noexcept {
    return options_.missing == redact_options::missing_rules::ignore;
  }

  /// Makes the graph from the root on.
  bool resolve_all() {
    if (!resolve(into_.from, {.named = trie_.last_end({0})}, {0}, into_.root)) return false;
    if (is_drop(into_.root)) return fail(errc::bad_rule, "the value itself cannot be dropped");
    while (!todo_.empty()) {
      const place next = std::move(todo_.back());
      todo_.pop_back();
      if (!fill(next)) return false;
    }
    return true;
  }

  // ---- what was asked for ----

  result<std::uint32_t> action(std::string_view written) {
    result<detail::redact_action> made = detail::redact_action::try_parse(written);
    if (!made) return made.error();
    // Later ones have greater numbers: of two paths the later one holds.
    actions_.push_back(std::move(*made));
    return static_cast<std::uint32_t>(actions_.size() - 1);
  }
  /// One that an option names.
  result<std::uint32_t> option(std::string_view written) {
    result<std::uint32_t> made = action(written);
    if (made && actions_[*made].kind == form::hash && !claim_key()) return std::move(*error_);
    return made;
  }
  /// For a hash.
  bool claim_key() {
    uses_key_ = true;
    if (has_key()) return true;
    return fail(errc::bad_rule,
                "hash needs a key: without a secret one whoever guesses a value can tell that it is it");
  }
  [[nodiscard]] result<void> read_options() {
    if (options_.annotation.empty()) {
      if (options_.paths.empty()) return bad_rule("no rule: name an annotation or paths");
      if (!options_.values.empty() || options_.otherwise != "blank")
        return bad_rule("values and otherwise say what an annotation means, and none is named");
    }
    if (result<std::uint32_t> otherwise = option(options_.otherwise); !otherwise) return otherwise.error();
    return read_values();
  }
  [[nodiscard]] result<void> read_values() {
    for (const auto& [value, written] : options_.values) {
      result<std::uint32_t> made = option(written);
      if (!made) return made.error();
      const bool is_new = meanings_.try_emplace(value, *made).second;
      if (!is_new) return bad_rule(detail::in_quotes(value) + " is twice in values");
    }
    return {};
  }
  [[nodiscard]] result<void> find_uses() const {
    if (options_.annotation.empty() || may_miss()) return {};
    const detail::annotation_uses uses(into_.from, options_.annotation);
    if (!uses.keys().contains(options_.annotation)) return unused_annotation(uses.keys());
    for (const auto& [value, written] : options_.values) {
      if (!uses.values().contains(value)) return unused_value(value, uses.values());
    }
    return {};
  }
  [[nodiscard]] error unused_annotation(const std::set<std::string_view>& known) const {
    return bad_rule("no field or type that " + into_.from.name() + " reaches has the annotation " +
                    detail::in_quotes(options_.annotation) + nearest(options_.annotation, known));
  }
  [[nodiscard]] error unused_value(std::string_view value, const std::set<std::string_view>& known) const {
    return bad_rule("no annotation " + detail::in_quotes(options_.annotation) + " that " + into_.from.name() +
                    " reaches has the value " + detail::in_quotes(value) + nearest(value, known));
  }
  [[nodiscard]] static std::string nearest(std::string_view wanted, const std::set<std::string_view>& known) {
    detail::nearest_names names(wanted);
    for (const std::string_view each : known) names.offer(each);
    return names.text();
  }
  [[nodiscard]] result<void> read_paths() {
    for (const auto& [text, written] : options_.paths) {
      result<std::uint32_t> made = option(written);
      if (!made) return made.error();
      if (result<void> done = read_path(text, *made); !done) return done;
    }
    return {};
  }
  [[nodiscard]] result<void> read_path(std::string_view text, std::uint32_t action) {
    result<path> parsed = path::try_compile(into_.from, text);
    if (!parsed && parsed.error().code() == errc::no_such_field && may_miss()) return {};
    if (!parsed) return parsed.error();
    into_.paths.push_back(std::move(*parsed));
    return trie_.add(into_.paths.back(), action);
  }
  /// After all places are known.
  [[nodiscard]] result<void> check_reach() const {
    if (may_miss()) return {};
    for (const path& each : into_.paths) {
      const std::optional<std::size_t> end = trie_.reached_text(each);
      if (!end) continue;
      const std::string around(*end < 2 ? "$" : each.text().substr(0, *end));
      const std::string text(each.text());
      return bad_rule("the rule of " + text + " reaches nothing: all of " + around + " is replaced");
    }
    if (has_key() && !uses_key_) return bad_rule("a key is given, and nothing is hashed");
    return {};
  }

  // ---- annotations ----

  /// The action that annotations ask for, if any. Those of one declaration must not contradict each other.
  marked annotated(const annotation_range& all, const reason& why) {
    if (options_.annotation.empty()) return {};
    const std::optional<std::string_view> value = all.find(options_.annotation);
    if (!value) return {};
    if (why.rule != reason::form::written) check_one_meaning(all, *value);
    return {meaning(*value), why};
  }
  /// The action of an annotation's value; `otherwise` where it is none.
  std::uint32_t meaning(std::string_view value) {
    if (auto known = meanings_.find(value); known != meanings_.end()) return known->second;
    result<std::uint32_t> made = action(value);
    return meanings_.emplace(value, made ? *made : 0).first->second;
  }
  /// Of types as written, the annotations of typedefs follow, and the nearest holds.
  void check_one_meaning(const annotation_range& all, std::string_view value) {
    for (const annotation_info each : all) {
      if (each.key() != options_.annotation || each.value() == value) continue;
      fail(errc::bad_rule, "the annotation " + detail::in_quotes(each.key()) + " is there as " +
                               detail::in_quotes(value) + " and as " + detail::in_quotes(each.value()));
    }
  }
  marked annotated(field_info field, type in) {
    const reason why{reason::form::field, false, field.index(), in.index()};
    const marked own = annotated(field.annotations(), why);
    return own.action != none ? own : annotated(field.written());
  }
  marked annotated(const written_type& of) {
    return annotated(of.annotations(), {reason::form::written, false, of.place()});
  }
  marked declared(type of) {
    return annotated(of.annotations(), {reason::form::declared, false, of.index()});
  }

  // ---- the graph ----

  /// The action that holds for a value, or none; where it was chosen for this very value, `to` gets the
  /// reason.
  bool choose(type of, const claims& asked, std::uint32_t& chosen, detail::redact_target& to) {
    marked by = first_claim(of, asked);
    chosen = by.action != none ? by.action : asked.inherited;
    if (error_ || by.action == none) return !error_;
    if (actions_[chosen].kind == form::hash && !claim_key()) return false;
    by.why.keeps = actions_[chosen].kind == form::keep;
    to.why = next_index(into_.reasons);
    into_.reasons.push_back(by.why);
    return true;
  }
  /// What asks for an action at this very value.
  marked first_claim(type of, const claims& asked) {
    if (asked.named != none)
      return {trie_.action(asked.named), {reason::form::path, false, trie_.path_of(asked.named)}};
    if (asked.inherited != none) return {};
    return asked.by_place.action != none ? asked.by_place : declared(of);
  }
  /// What becomes of a value of that type, where the trie nodes `at` lead to it.
  bool resolve(const written_type& written, const claims& asked, trie_nodes at, detail::redact_target& to) {
    const type of = written.type();
    std::uint32_t chosen = none;
    to = {};
    if (!choose(of, asked, chosen, to)) return false;
    const bool is_compound = of.is_struct() || of.is_container();
    if (chosen != none && !(is_compound && goes_inside(chosen)))
      return actions_[chosen].kind == form::keep || replace(of, chosen, to.replacement);
    return !is_compound || enter({0, of.is_struct() ? of : written, chosen, std::move(at)}, to.node);
  }
  /// Whether an action on a struct or container is one on what is in it.
  [[nodiscard]] bool goes_inside(std::uint32_t action) const noexcept {
    const form kind = actions_[action].kind;
    return kind == form::keep || kind == form::hash || kind == form::keep_last;
  }
  bool enter(place at, std::uint32_t& node) {
    std::erase_if(at.at, [&](std::uint32_t each) { return trie_.is_leaf(each); });
    at.node = next_index(into_.nodes);
    const type of = at.of.type();
    const auto [known, is_new] =
        places_.try_emplace({{of.index(), at.of.place(), at.inherited}, at.at}, at.node);
    node = known->second;
    if (!is_new) return true;
    if (at.node == max_places(*of.image()))
      return fail(errc::size_limit, "the rules have too many combinations of paths");
    into_.nodes.emplace_back().of = of;
    todo_.push_back(std::move(at));
    return true;
  }
  [[nodiscard]] static std::size_t max_places(const schema_image& of) noexcept {
    return 4096 + 4 * (of.types.size() + of.written_types.size());
  }
  bool fill(const place& next) {
    detail::redact_node made;
    made.of = next.of.type();
    const bool hides = next.inherited != none && actions_[next.inherited].kind != form::keep;
    made.closed = hides || options_.unknown != on_unknown::keep;
    const bool done = made.of.is_struct()                ? fields(next, made)
                      : made.of.kind() == type_kind::map ? entries(next, made)
                                                         : elements(next, made);
    into_.nodes[next.node] = std::move(made);
    return done;
  }
  bool fields(const place& next, detail::redact_node& made) {
    const type of = next.of.type();
    const detail::image::slice all = of.structure().fields;
    for (std::uint32_t i = all.begin; i < all.begin + all.size; ++i) {
      const field_info field(of.image(), i);
      const bool required = field.required() && needs_required();
      detail::redact_node::field_edge edge{
          field.id(), field.type().wire(), required, {}, field.type().index()};
      if (!resolve_field(next, field, edge.to)) return about(field, of);
      made.required += required;
      made.fields.push_back(edge);
    }
    return true;
  }
  bool resolve_field(const place& in, field_info field, detail::redact_target& to) {
    trie_nodes at = trie_.below_field(in.at, field.id());
    const claims asked{trie_.last_end(at), in.inherited, annotated(field, in.of.type())};
    if (!resolve(field.written(), asked, std::move(at), to)) return false;
    if (!field.required() || !is_drop(to)) return true;
    return fail(errc::bad_rule, "it is required and cannot be dropped, only made blank");
  }
  bool elements(const place& next, detail::redact_node& made) {
    const written_type element = next.of.element();
    made.value_wire = element.type().wire();
    trie_nodes at = trie_.below_all(next.at);
    const claims asked{trie_.last_end(at), next.inherited, annotated(element)};
    if (!resolve(element, asked, std::move(at), made.value)) return false;
    made.drops = is_drop(made.value);
    return true;
  }
  bool entries(const place& next, detail::redact_node& made) {
    const written_type key = next.of.key(), value = next.of.value();
    made.key_wire = key.type().wire();
    made.value_wire = value.type().wire();
    const marked by_place = annotated(value);
    if (!resolve(key, {none, next.inherited, annotated(key)}, {}, made.key)) return false;
    if (is_drop(made.key)) return fail(errc::bad_rule, "keys of a map cannot be dropped");
    const trie_nodes at = trie_.below_all(next.at);
    return entry_value(next, at, by_place, made, made.value) && keyed_entries(next, at, by_place, made);
  }
  /// What becomes of the values of entries that the trie nodes `at` lead to.
  bool entry_value(const place& next, trie_nodes at, const marked& by_place, detail::redact_node& made,
                   detail::redact_target& to) {
    const claims asked{trie_.last_end(at), next.inherited, by_place};
    if (!resolve(next.of.value(), asked, std::move(at), to)) return false;
    made.drops = made.drops || is_drop(to);
    return true;
  }
  /// Entries that paths mean by key; `at` leads to the values of all entries.
  bool keyed_entries(const place& next, const trie_nodes& at, const marked& by_place,
                     detail::redact_node& made) {
    const std::vector<detail::redact_trie::by_key> keys = trie_.keys_below(next.at);
    for (auto from = keys.begin(); from != keys.end();) {
      detail::redact_node::key_edge edge{from->key, from->text, {}};
      trie_nodes both = at;
      for (; from != keys.end() && detail::redact_trie::same_key(from->key, edge.key); ++from)
        both.push_back(from->node);
      std::sort(both.begin(), both.end());
      if (!entry_value(next, std::move(both), by_place, made, edge.to)) return false;
      made.keyed.push_back(edge);
    }
    return true;
  }
  bool about(field_info field, type in) {
    error_ = error(error_->code(), "field '" + std::string(field.name()) + "' of " + in.name() + ": " +
                                       std::string(error_->detail()));
    return false;
  }

  // ---- values that take the place of others ----

  [[nodiscard]] bool is_drop(const detail::redact_target& to) const noexcept {
    return to.replacement != none && into_.replacements[to.replacement].kind == form::drop;
  }
  /// What cannot be hashed or cut is made blank.
  [[nodiscard]] static bool can_mask(type of, form kind) noexcept {
    if (kind != form::hash && kind != form::keep_last) return true;
    if (of.kind() == type_kind::bool_ || of.is_enum()) return false;
    if (kind == form::hash || of.wire() == ttype::string) return true;
    return fixed_width(of.wire()) != 0 && of.wire() != ttype::double_ && of.wire() != ttype::uuid;
  }
  bool replace(type of, std::uint32_t chosen, std::uint32_t& to) {
    const auto [known, is_new] = replaced_.try_emplace({of.index(), chosen}, next_index(into_.replacements));
    to = known->second;
    if (!is_new) return true;
    replacement made;
    if (!make_replacement(of, actions_[chosen], made)) return false;
    into_.replacements.push_back(made);
    return true;
  }
  bool make_replacement(type of, const detail::redact_action& requested, replacement& made) {
    made.kind = can_mask(of, requested.kind) ? requested.kind : form::blank;
    made.last = requested.last;
    into_.actions.push_back(made.kind == requested.kind ? requested.to_string() : "blank");
    if (made.kind == form::blank || made.kind == form::constant) return bytes_of(of, made, requested);
    return true;
  }
  bool bytes_of(type of, replacement& made, const detail::redact_action& requested) {
    bool good = true;
    made.bytes.for_each([&](protocol_id which, detail::image::slice& where) {
      good = good && visit_protocol(which, [&]<class P>(P) { return put_bytes<P>(of, requested, where); });
    });
    return good || fail(errc::bad_rule, refused_text(of, requested));
  }
  [[nodiscard]] static std::string refused_text(type of, const detail::redact_action& requested) {
    if (requested.kind == form::constant)
      return "'" + requested.text + "' cannot be " + detail::with_article(of.name());
    return of.name() + " has no blank: its required fields lead too deep";
  }
  template <protocol P>
  [[nodiscard]] bool put_bytes(type of, const detail::redact_action& requested, detail::image::slice& where) {
    const std::size_t begin = into_.bytes.size();
    const errc code = requested.kind == form::constant ? constant<P>(of, requested.text)
                                                       : detail::append_blank<P>(into_.bytes, of);
    where = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(into_.bytes.size() - begin)};
    return code == errc::ok;
  }
  template <protocol P>
  [[nodiscard]] errc constant(type of, const std::string& text) {
    if (of.wire() == ttype::string || (of.is_enum() && of.member_value(text)))
      return detail::put_text<P>(into_.bytes, of, text);
    if (of.kind() == type_kind::bool_) return truth<P>(of, text);
    if (of.kind() == type_kind::double_) return number<double, P>(of, text);
    return fixed_width(of.wire()) != 0 ? number<std::int64_t, P>(of, text) : errc::bad_rule;
  }
  template <protocol P>
  [[nodiscard]] errc truth(type of, std::string_view text) {
    if (text != "true" && text != "false") return errc::bad_rule;
    return detail::append_value<P>(into_.bytes, of, text == "true");
  }
  template <class T, protocol P>
  [[nodiscard]] errc number(type of, std::string_view text) {
    T value{};
    auto [end, code] = thriftlens::detail::read_number(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size()
               ? detail::append_value<P>(into_.bytes, of, value)
               : errc::bad_rule;
  }

  // ---- places where nothing happens are not entered ----

  /// Where unknown fields stay; otherwise every struct is looked into.
  void prune() {
    if (options_.unknown != on_unknown::keep) return;
    const std::vector<bool> live = into_.leading_to([](const detail::redact_node& of) {
      return (of.of.is_struct() && of.closed) || detail::has_rule(of);
    });
    leave_idle(live);
    for (detail::redact_node& each : into_.nodes) {
      if (!each.closed) std::erase_if(each.fields, is_idle);
    }
  }
  /// No edge leads to a node in which nothing happens.
  void leave_idle(const std::vector<bool>& live) {
    const auto close = [&](detail::redact_target& to) {
      if (to.node != none && !live[to.node]) to.node = none;
    };
    for (detail::redact_node& each : into_.nodes) detail::redact_node::each_target(each, close);
    close(into_.root);
  }
  /// The edge asks for nothing.
  [[nodiscard]] static bool is_idle(const detail::redact_node::field_edge& edge) noexcept {
    return edge.to.stays() && edge.to.why == none && !edge.required;
  }

  // ---- what runners want to know beforehand ----

  void prepare() {
    const auto acting = into_.leading_to(replaces_something);
    into_.is_fast = into_.root.replacement == none && std::ranges::all_of(into_.nodes, is_simple);
    for (std::size_t i = 0; i < into_.nodes.size(); ++i) {
      into_.nodes[i].inert = into_.nodes[i].contents_stay();
      into_.nodes[i].passive = !acting[i];
    }
    for (detail::redact_node& each : into_.nodes) {
      if (each.of.is_struct()) lay_prefix(each);
    }
  }
  /// No entry is named by its key, nothing goes or merges.
  [[nodiscard]] static bool is_simple(const detail::redact_node& of) noexcept {
    return of.keyed.empty() && !of.drops && !of.merges();
  }
  [[nodiscard]] static bool replaces_something(const detail::redact_node& of) {
    bool found = false;
    detail::redact_node::each_target(
        of, [&](const detail::redact_target& to) { found |= to.replacement != none; });
    return found;
  }
  /// Where in the prefix template of a struct its edges stand.
  void lay_prefix(detail::redact_node& node) const {
    const schema_image& image = *node.of.image();
    const detail::image::struct_node& self = node.of.structure();
    const detail::shape_ref prefix = image.prefix(self);
    for (std::size_t i = 0; i < self.prefix.segments.size; ++i)
      node.prefix_segments.push_back({0, edges_up_to(node, prefix.segments[i].last_id)});
    for (std::uint16_t i = 0; i < node.fields.size(); ++i) {
      const detail::image::prefix_position& header =
          image.prefix_positions[image.find_field(self, node.fields[i].id)];
      if (!header) break;
      lay_edge(node, i, header);
    }
  }
  void lay_edge(detail::redact_node& node, std::uint16_t at,
                const detail::image::prefix_position& header) const {
    const detail::redact_node::field_edge& edge = node.fields[at];
    detail::redact_node::prefix_segment& segment = node.prefix_segments[header.segment];
    segment.required = static_cast<std::uint16_t>(segment.required + edge.required);
    if (!is_matched_by_prefix(edge.to)) node.prefix_edges.push_back({header.segment, header.at, at});
  }
  [[nodiscard]] static std::uint16_t edges_up_to(const detail::redact_node& node, std::int16_t id) {
    const auto is_up_to = [id](const detail::redact_node::field_edge& each) { return each.id <= id; };
    const auto after = std::partition_point(node.fields.begin(), node.fields.end(), is_up_to);
    return static_cast<std::uint16_t>(after - node.fields.begin());
  }
  /// Nothing is done there; the headers are compared with the template.
  [[nodiscard]] bool is_matched_by_prefix(const detail::redact_target& to) const noexcept {
    return to.stays() || (to.node != none && into_.nodes[to.node].inert);
  }

  detail::redact_graph& into_;
  const redact_options& options_;
  std::vector<detail::redact_action> actions_;  // the first is `otherwise`
  std::map<std::string, std::uint32_t, std::less<>> meanings_;
  detail::redact_trie trie_;
  std::map<place_key, std::uint32_t> places_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> replaced_;
  std::vector<place> todo_;
  std::optional<error> error_;
  bool uses_key_ = false;
};

THRIFTLENS_BODY result<redaction> redaction::try_compile(type of, const redact_options& options) {
  if (!of) return error(errc::wrong_type, "a redaction needs a type");
  auto made = std::make_shared<detail::redact_graph>();
  made->from = of;
  made->hash = redact_hash(options.key);
  made->unknown = options.unknown;
  made->annotation = options.annotation;
  if (result<void> done = compiler(*made, options).run(); !done) return done.error();
  return redaction(std::move(made));
}

THRIFTLENS_BODY std::vector<redact_entry> redaction::listing() const { return list_redactions(*data_); }

}  // namespace thriftlens::inline THRIFTLENS_ABI
