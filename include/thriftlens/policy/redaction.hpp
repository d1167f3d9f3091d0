// redaction: rules that say what must not be passed on, compiled once into a graph over the values of a type.
// In: a type; an annotation to look for, paths, actions. Out: what becomes of each place in a value.
// Never touches wire bytes; never takes a rule that reaches nothing, unless told to.
#pragma once

#include <thriftlens/core/missing.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/core/siphash.hpp>
#include <thriftlens/edit/value_in.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/policy/annotation_uses.hpp>
#include <thriftlens/policy/redact_action.hpp>
#include <thriftlens/policy/redact_blank.hpp>
#include <thriftlens/policy/redact_graph.hpp>
#include <thriftlens/policy/redact_listing.hpp>
#include <thriftlens/policy/redact_trie.hpp>
#include <thriftlens/schema/nearest.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
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
  using unknown_fields = redact_unknown;
  /// Fields that the IDL does not know. With keep, what no rule leads into is copied unread.
  unknown_fields unknown = unknown_fields::drop;
  /// A rule that reaches nothing of this type: an annotation or one of `values` that nothing carries, a path
  /// to a field that is not there or into what is replaced as a whole, a key without hash. ignore: for one
  /// policy over many types.
  enum class missing_rules : std::uint8_t { error, ignore } missing = missing_rules::error;
  /// Required fields that the bytes do not hold, in structs that are looked into.
  thriftlens::missing_required missing_required = thriftlens::missing_required::error;
};

/// Compiled rules. A value: copying and moving share, threads may share a copy. Good while the schema lives.
class redaction {
 public:
  // Without moves of their own: what is moved from stays as it was.
  redaction(const redaction&) noexcept = default;
  redaction& operator=(const redaction&) noexcept = default;
  ~redaction() = default;

  using replacement = redact_replacement;

  /// Linear in the fields that the type reaches (recursive types once), times the combinations of paths that
  /// meet there, which are bounded. Errors: bad_rule (no rule; one that reaches nothing; actions, what an
  /// action cannot be applied to; hash without a key), missing_required (drop of a required field: blank it),
  /// those of path::try_parse, wrong_type (a path with indices, slices or keys by their wire bytes),
  /// size_limit (too many combinations).
  [[nodiscard]] static result<redaction> try_compile(type of, const redact_options& options);
  [[nodiscard]] static redaction compile(type of, const redact_options& options) {
    return try_compile(of, options).value();
  }

  [[nodiscard]] type from() const noexcept { return data_->from; }
  [[nodiscard]] redact_target root() const noexcept { return data_->root; }
  [[nodiscard]] std::span<const redact_node> nodes() const& noexcept { return data_->nodes; }
  void nodes() const&& = delete;
  [[nodiscard]] const replacement& replaced(std::uint32_t at) const& noexcept {
    return data_->replacements[at];
  }
  void replaced(std::uint32_t at) const&& = delete;
  template <protocol P>
  [[nodiscard]] byte_view bytes(const replacement& of) const noexcept {
    return data_->bytes_of<P>(of);
  }
  /// What a rewrite follows.
  [[nodiscard]] const rewrite_program& program() const& noexcept { return *data_; }
  void program() const&& = delete;
  [[nodiscard]] const redact_hash& hash() const& noexcept { return data_->hash; }
  void hash() const&& = delete;
  [[nodiscard]] redact_unknown unknown() const noexcept { return data_->unknown; }

  /// What will be hidden: path, action and reason of each place, and of what a rule keeps. In the order of
  /// field ids; what occurs again, such as a recursive type, is `as $.first.path`; the last entry is that of
  /// unknown fields. Linear in the graph, but for the length of paths. Pin it in a test: an annotation that
  /// is lost shows.
  [[nodiscard]] std::vector<redact_entry> listing() const { return list_redactions(*data_); }

 private:
  class compiler;

  explicit redaction(std::shared_ptr<const redact_graph> made) noexcept : data_(std::move(made)) {}

  std::shared_ptr<const redact_graph> data_;
};

/// Paths become a trie; a place of the graph is a type, the trie nodes that lead there, and the action that
/// holds for all inside.
class redaction::compiler {
 public:
  compiler(redact_graph& into, const redact_options& options) : into_(into), options_(options) {}

  [[nodiscard]] result<void> run() {
    if (result<void> done = read_options(); !done) return done;
    if (result<void> done = read_paths(); !done) return done;
    if (result<void> done = find_uses(); !done) return done;
    if (!resolve(into_.from, {.named = trie_.last_end({0})}, {0}, into_.root)) return std::move(*error_);
    if (is_drop(into_.root)) return bad_rule("the value itself cannot be dropped");
    while (!todo_.empty()) {
      const place next = std::move(todo_.back());
      todo_.pop_back();
      if (!fill(next)) return std::move(*error_);
    }
    if (result<void> done = check_reach(); !done) return done;
    prune();
    prepare();
    return {};
  }

 private:
  static constexpr std::uint32_t none = redact_target::none;
  using form = redact_action::form;
  using reason = redact_reason;
  using trail = redact_trie::nodes;

  struct place {
    std::uint32_t node;
    written_type of;
    std::uint32_t inherited;
    trail at;
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

  bool fail(errc code, std::string words) {
    error_ = error(code, std::move(words));
    return false;
  }
  [[nodiscard]] static error bad_rule(std::string words) { return error(errc::bad_rule, std::move(words)); }
  [[nodiscard]] bool has_key() const noexcept { return options_.key != redact_hash::key_bytes{}; }
  [[nodiscard]] bool needs_required() const noexcept {
    return options_.missing_required == thriftlens::missing_required::error;
  }
  [[nodiscard]] bool may_miss() const noexcept {
    return options_.missing == redact_options::missing_rules::ignore;
  }

  // ---- what was asked for ----

  result<std::uint32_t> action(std::string_view written) {
    result<redact_action> made = redact_action::try_parse(written);
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
    const bool annotated = !options_.annotation.empty();
    if (!annotated && options_.paths.empty()) return bad_rule("no rule: name an annotation or paths");
    if (!annotated && (!options_.values.empty() || options_.otherwise != "blank")) {
      return bad_rule("values and otherwise say what an annotation means, and none is named");
    }
    result<std::uint32_t> otherwise = option(options_.otherwise);
    if (!otherwise) return otherwise.error();
    for (const auto& [value, written] : options_.values) {
      result<std::uint32_t> made = option(written);
      if (!made) return made.error();
      const bool is_new = meanings_.try_emplace(value, *made).second;
      if (!is_new) return bad_rule(in_quotes(value) + " is twice in values");
    }
    return {};
  }
  [[nodiscard]] result<void> find_uses() const {
    if (options_.annotation.empty() || may_miss()) return {};
    const annotation_uses uses(into_.from, options_.annotation);
    if (!uses.keys().contains(options_.annotation)) {
      return bad_rule("no field or type that " + into_.from.name() + " reaches has the annotation " +
                      in_quotes(options_.annotation) + near(options_.annotation, uses.keys()));
    }
    for (const auto& [value, written] : options_.values) {
      if (uses.values().contains(value)) continue;
      return bad_rule("no annotation " + in_quotes(options_.annotation) + " that " + into_.from.name() +
                      " reaches has the value " + in_quotes(value) + near(value, uses.values()));
    }
    return {};
  }
  [[nodiscard]] static std::string near(std::string_view wanted, const std::set<std::string_view>& known) {
    nearest_names names(wanted);
    for (const std::string_view each : known) names.offer(each);
    return names.text();
  }
  [[nodiscard]] result<void> read_paths() {
    for (const auto& [text, written] : options_.paths) {
      result<std::uint32_t> made = option(written);
      if (!made) return made.error();
      result<path> parsed = path::try_parse(into_.from, text);
      if (!parsed && parsed.error().code() == errc::no_such_field && may_miss()) continue;
      if (!parsed) return parsed.error();
      into_.paths.push_back(std::move(*parsed));
      if (result<void> done = trie_.add(into_.paths.back(), *made); !done) return done;
    }
    return {};
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
    if (auto known = meanings_.find(*value); known != meanings_.end()) return {known->second, why};
    result<std::uint32_t> made = action(*value);
    return {meanings_.emplace(*value, made ? *made : 0).first->second, why};
  }
  /// Of types as written, the annotations of typedefs follow, and the nearest holds.
  void check_one_meaning(const annotation_range& all, std::string_view value) {
    for (const annotation_info each : all) {
      if (each.key() != options_.annotation || each.value() == value) continue;
      fail(errc::bad_rule, "the annotation " + in_quotes(each.key()) + " is there as " + in_quotes(value) +
                               " and as " + in_quotes(each.value()));
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
  bool choose(type of, const claims& asked, std::uint32_t& chosen, redact_target& to) {
    marked by;
    if (asked.named != none) {
      by = {trie_.action(asked.named), {reason::form::path, false, trie_.path_of(asked.named)}};
    } else if (asked.inherited == none) {
      by = asked.by_place.action != none ? asked.by_place : declared(of);
    }
    chosen = asked.named == none && asked.inherited != none ? asked.inherited : by.action;
    if (error_) return false;
    if (by.action == none) return true;
    if (actions_[chosen].kind == form::hash && !claim_key()) return false;
    by.why.keeps = actions_[chosen].kind == form::keep;
    to.why = static_cast<std::uint32_t>(into_.reasons.size());
    into_.reasons.push_back(by.why);
    return true;
  }
  /// What becomes of a value of that type, where the trie nodes `at` lead to it.
  bool resolve(const written_type& written, const claims& asked, trail at, redact_target& to) {
    const type of = written.type();
    std::uint32_t chosen = none;
    to = {};
    if (!choose(of, asked, chosen, to)) return false;
    const bool compound = of.is_struct() || of.is_container();
    if (chosen != none) {
      const form kind = actions_[chosen].kind;
      const bool inside = compound && (kind == form::keep || kind == form::hash || kind == form::keep_last);
      if (!inside) return kind == form::keep || replace(of, chosen, to.replacement);
    }
    return !compound || enter(of.is_struct() ? written_type(of) : written, chosen, std::move(at), to.node);
  }
  bool enter(const written_type& written, std::uint32_t inherited, trail at, std::uint32_t& node) {
    const type of = written.type();
    std::erase_if(at, [&](std::uint32_t each) { return trie_.is_leaf(each); });
    const auto fresh = static_cast<std::uint32_t>(into_.nodes.size());
    const auto [known, is_new] = places_.try_emplace({of.index(), written.place(), inherited, at}, fresh);
    node = known->second;
    if (!is_new) return true;
    if (fresh == 4096 + 4 * (of.image()->types.size() + of.image()->written_types.size()))
      return fail(errc::size_limit, "the rules have too many combinations of paths");
    into_.nodes.emplace_back().of = of;
    todo_.push_back({fresh, written, inherited, std::move(at)});
    return true;
  }
  bool fill(const place& next) {
    redact_node made;
    made.of = next.of.type();
    const bool hides = next.inherited != none && actions_[next.inherited].kind != form::keep;
    made.closed = hides || options_.unknown != redact_unknown::keep;
    bool done = false;
    if (made.of.is_struct())
      done = fields(next, made);
    else if (made.of.kind() == type_kind::map)
      done = entries(next, made);
    else
      done = elements(next, made);
    into_.nodes[next.node] = std::move(made);
    return done;
  }
  bool fields(const place& next, redact_node& made) {
    const type of = next.of.type();
    const image::slice all = of.structure().fields;
    for (std::uint32_t i = all.begin; i < all.begin + all.size; ++i) {
      const field_info field(of.image(), i);
      trail at = trie_.below_field(next.at, field.id());
      const claims asked{trie_.last_end(at), next.inherited, annotated(field, of)};
      redact_target to;
      if (!resolve(field.written(), asked, std::move(at), to)) return about(field, of);
      if (field.required() && is_drop(to)) {
        fail(errc::missing_required, "it is required and cannot be dropped, only made blank");
        return about(field, of);
      }
      const bool required = field.required() && needs_required();
      made.required += required;
      made.fields.push_back({field.id(), field.type().wire(), required, to, field.type().index()});
    }
    return true;
  }
  bool elements(const place& next, redact_node& made) {
    const written_type element = next.of.element();
    made.value_wire = element.type().wire();
    trail at = trie_.below_all(next.at);
    const claims asked{trie_.last_end(at), next.inherited, annotated(element)};
    if (!resolve(element, asked, std::move(at), made.value)) return false;
    made.drops = is_drop(made.value);
    return true;
  }
  bool entries(const place& next, redact_node& made) {
    const written_type value = next.of.value();
    made.key_wire = next.of.key().type().wire();
    made.value_wire = value.type().wire();
    const trail at = trie_.below_all(next.at);
    const marked by_place = annotated(value);
    if (!resolve(next.of.key(), {none, next.inherited, annotated(next.of.key())}, {}, made.key)) return false;
    if (is_drop(made.key)) return fail(errc::bad_rule, "keys of a map cannot be dropped");
    if (!resolve(value, {trie_.last_end(at), next.inherited, by_place}, at, made.value)) return false;
    made.drops = is_drop(made.value);
    return keyed_entries(next, value, at, by_place, made);
  }
  /// Entries that paths mean by key; `at` leads to the values of all entries.
  bool keyed_entries(const place& next, const written_type& value, const trail& at, const marked& by_place,
                     redact_node& made) {
    const std::vector<redact_trie::by_key> keys = trie_.keys_below(next.at);
    for (auto from = keys.begin(); from != keys.end();) {
      redact_node::key_edge edge{from->key, from->text, {}};
      trail both = at;
      for (; from != keys.end() && redact_trie::same_key(from->key, edge.key); ++from) {
        both.push_back(from->node);
      }
      std::sort(both.begin(), both.end());
      const claims asked{trie_.last_end(both), next.inherited, by_place};
      if (!resolve(value, asked, std::move(both), edge.to)) return false;
      made.drops = made.drops || is_drop(edge.to);
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

  [[nodiscard]] bool is_drop(const redact_target& to) const noexcept {
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
    const auto [known, is_new] =
        replaced_.try_emplace({of.index(), chosen}, static_cast<std::uint32_t>(into_.replacements.size()));
    to = known->second;
    if (!is_new) return true;
    const redact_action& wanted = actions_[chosen];
    replacement made{wanted.kind, wanted.last, {}};
    if (!can_mask(of, made.kind)) made.kind = form::blank;
    if ((made.kind == form::blank || made.kind == form::constant) && !bytes_of(of, made, wanted))
      return false;
    into_.replacements.push_back(made);
    into_.actions.push_back(made.kind == wanted.kind ? wanted.to_string() : "blank");
    return true;
  }
  bool bytes_of(type of, replacement& made, const redact_action& wanted) {
    auto put = [&]<class P>(P, image::slice& where) {
      const std::size_t begin = into_.bytes.size();
      const errc code =
          wanted.kind == form::constant ? constant<P>(of, wanted.text) : append_blank<P>(into_.bytes, of);
      where = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(into_.bytes.size() - begin)};
      return code == errc::ok;
    };
    if (put(binary(), made.bytes[binary::id]) && put(compact(), made.bytes[compact::id])) return true;
    if (wanted.kind == form::constant)
      return fail(errc::bad_rule, "'" + wanted.text + "' cannot be " + with_article(of.name()));
    return fail(errc::bad_rule, of.name() + " has no blank: its required fields lead too deep");
  }
  template <protocol P>
  [[nodiscard]] errc constant(type of, const std::string& text) {
    if (of.wire() == ttype::string || (of.is_enum() && of.member_value(text)))
      return detail::put_text<P>(into_.bytes, of, text);
    if (of.kind() == type_kind::bool_) {
      if (text != "true" && text != "false") return errc::bad_rule;
      return append_value<P>(into_.bytes, of, text == "true");
    }
    if (of.kind() == type_kind::double_) return number<double, P>(of, text);
    return of.is_enum() || fixed_width(of.wire()) != 0 ? number<std::int64_t, P>(of, text) : errc::bad_rule;
  }
  template <class T, protocol P>
  [[nodiscard]] errc number(type of, std::string_view text) {
    T value{};
    auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size() ? append_value<P>(into_.bytes, of, value)
                                                                   : errc::bad_rule;
  }

  // ---- places where nothing happens are not entered ----

  /// Where unknown fields stay; otherwise every struct is looked into.
  void prune() {
    if (options_.unknown != redact_unknown::keep) return;
    const std::vector<bool> live = into_.leading_to(
        [](const redact_node& of) { return (of.of.is_struct() && of.closed) || has_rule(of); });
    const auto close = [&](redact_target& to) {
      if (to.node != none && !live[to.node]) to.node = none;
    };
    for (redact_node& each : into_.nodes) {
      redact_node::each_target(each, close);
      if (each.closed) continue;
      std::erase_if(each.fields, [](const redact_node::field_edge& edge) {
        return edge.to.stays() && edge.to.why == none && !edge.required;
      });
    }
    close(into_.root);
  }

  // ---- what runners want to know beforehand ----

  void prepare() {
    const std::vector<bool> acting = into_.leading_to(replaces_something);
    bool is_fast = into_.root.replacement == none;
    for (std::size_t i = 0; i < into_.nodes.size(); ++i) {
      redact_node& each = into_.nodes[i];
      each.inert = each.contents_stay();
      each.passive = !acting[i];
      is_fast = is_fast && each.keyed.empty() && !each.drops && !each.merges();
    }
    into_.is_fast = is_fast;
    for (redact_node& each : into_.nodes) {
      if (each.of.is_struct()) lay_prefix(each);
    }
  }
  [[nodiscard]] static bool replaces_something(const redact_node& of) {
    bool found = false;
    redact_node::each_target(of, [&](const redact_target& to) { found |= to.replacement != none; });
    return found;
  }
  /// Where in the prefix template of a struct its edges stand.
  void lay_prefix(redact_node& node) const {
    const schema_image& image = *node.of.image();
    const image::struct_node& self = node.of.structure();
    node.prefix_segments.resize(self.lead.segments.size);
    for (std::size_t i = 0; i < node.fields.size(); ++i) {
      const redact_node::field_edge& edge = node.fields[i];
      const image::lead_place& header = image.lead_places[image.find_field(self, edge.id)];
      if (!header) break;
      redact_node::prefix_segment& segment = node.prefix_segments[header.segment];
      segment.required = static_cast<std::uint16_t>(segment.required + edge.required);
      if (!is_matched_by_prefix(edge.to))
        node.prefix_edges.push_back({header.segment, header.at, static_cast<std::uint16_t>(i)});
    }
    for (std::size_t i = 0; i < node.prefix_segments.size(); ++i) {
      node.prefix_segments[i].next_edge = edges_up_to(node, image.lead(self).segments[i].last_id);
    }
  }
  [[nodiscard]] static std::uint16_t edges_up_to(const redact_node& node, std::int16_t id) {
    const auto is_up_to = [id](const redact_node::field_edge& each) { return each.id <= id; };
    const auto after = std::partition_point(node.fields.begin(), node.fields.end(), is_up_to);
    return static_cast<std::uint16_t>(after - node.fields.begin());
  }
  /// Nothing is done there; the headers are compared with the template.
  [[nodiscard]] bool is_matched_by_prefix(const redact_target& to) const noexcept {
    return to.stays() || (to.node != none && into_.nodes[to.node].inert);
  }

  redact_graph& into_;
  const redact_options& options_;
  std::vector<redact_action> actions_;  // the first is `otherwise`
  std::map<std::string, std::uint32_t, std::less<>> meanings_;
  redact_trie trie_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, trail>, std::uint32_t> places_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> replaced_;
  std::vector<place> todo_;
  std::optional<error> error_;
  bool uses_key_ = false;
};

inline result<redaction> redaction::try_compile(type of, const redact_options& options) {
  if (!of) return error(errc::wrong_type, "a redaction needs a type");
  auto made = std::make_shared<redact_graph>();
  made->from = of;
  made->hash = redact_hash(options.key);
  made->unknown = options.unknown;
  made->annotation = options.annotation;
  if (result<void> done = compiler(*made, options).run(); !done) return done.error();
  return redaction(std::move(made));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
