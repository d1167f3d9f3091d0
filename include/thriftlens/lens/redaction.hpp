// redaction: rules that say what must not be passed on, compiled once into a graph over the values of a type.
// In: a type; an annotation to look for, paths, actions. Out: for each place in a value what becomes of it; redact follows it.
// Never touches wire bytes.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/lens/plan.hpp>
#include <thriftlens/lens/redact_action.hpp>
#include <thriftlens/lens/redact_blank.hpp>
#include <thriftlens/lens/redact_hash.hpp>
#include <thriftlens/lens/value_in.hpp>
#include <thriftlens/path/path.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Rules for a redaction. Actions are written as redact_action says.
struct redact_options {
  /// Annotation whose values are redacted, such as "pii": of the field, else of its type as written there or of the typedefs it
  /// names, else of the struct or enum declared as its type; of elements, keys and values the latter two. Empty: none.
  std::string annotation = {};
  /// What the annotation's values mean: {"email", "hash"}. A value that is not listed is read as an action …
  std::vector<std::pair<std::string, std::string>> values = {};
  /// … and any other means this: a value that nobody thought of is not passed on.
  std::string otherwise = "blank";
  /// Paths and their actions: {"$.user.name", "keep_last(1)"}. They lead through containers by `[*]`, `{*}` and keys. A path goes
  /// before annotations; of two paths to the same value the later one.
  std::vector<std::pair<std::string, std::string>> paths = {};
  /// Of hash. Whoever knows the key can try values: without a secret one, hashes of names or numbers are no secret.
  redact_hash::key_bytes key = {};
  enum class unknown_fields : std::uint8_t { keep, drop, error } unknown = unknown_fields::keep;
};

/// What becomes of one value: it is replaced, or looked into, or stays.
struct redact_target {
  static constexpr std::uint32_t none = 0xffffffffu;

  std::uint32_t replacement = none;
  std::uint32_t node = none;

  [[nodiscard]] bool stays() const noexcept { return replacement == none && node == none; }
};

/// One kind of place: a struct, list, set or map under the rules that lead to it.
struct redact_node {
  struct field_edge {
    std::int16_t id;
    ttype wire;
    redact_target to;
  };
  struct key_edge {
    map_key key;
    redact_target to;
  };

  type of;
  std::vector<field_edge> fields;   ///< ids ascending; what is not here stays
  std::vector<key_edge> keyed;      ///< entries that paths mean by key, sorted
  redact_target value;              ///< elements; values of all other entries
  redact_target key;                ///< keys of a map
  bool hides_unknown = false;       ///< what the IDL does not know goes
  bool drops = false;               ///< elements or entries may go
};

/// Compiled rules. A value: copying and moving share, threads may share a copy. Good while the schema lives.
class redaction {
 public:
  // Without moves of their own: what is moved from stays as it was.
  redaction(const redaction&) noexcept = default;
  redaction& operator=(const redaction&) noexcept = default;
  ~redaction() = default;

  /// A value that takes another's place: bytes, or made from the old one (hash, keep_last).
  struct replacement {
    redact_action::form kind;
    std::uint32_t last = 0;
    image::slice binary, compact;   // in bytes
  };

  /// Linear in the fields that the type reaches (recursive types once), times the combinations of paths that meet there, which
  /// are bounded. Errors: bad_rule (actions, what an action cannot be applied to), missing_required (drop of a required field: blank
  /// it), those of path::try_parse, wrong_type (a path with indices or slices), size_limit (too many combinations).
  [[nodiscard]] static result<redaction> try_compile(type of, const redact_options& options);
  [[nodiscard]] static redaction compile(type of, const redact_options& options) { return try_compile(of, options).value(); }

  [[nodiscard]] type from() const noexcept { return data_->from; }
  [[nodiscard]] redact_target root() const noexcept { return data_->root; }
  [[nodiscard]] std::span<const redact_node> nodes() const& noexcept { return data_->nodes; }
  void nodes() const&& = delete;
  [[nodiscard]] const replacement& replaced(std::uint32_t at) const& noexcept { return data_->replacements[at]; }
  void replaced(std::uint32_t at) const&& = delete;
  template <protocol P>
  [[nodiscard]] byte_view bytes(const replacement& of) const noexcept {
    const image::slice part = P::id == protocol_id::binary ? of.binary : of.compact;
    return {data_->bytes.data() + part.begin, part.size};
  }
  [[nodiscard]] const redact_hash& hash() const& noexcept { return data_->hash; }
  void hash() const&& = delete;
  [[nodiscard]] redact_options::unknown_fields unknown() const noexcept { return data_->unknown; }

 private:
  struct data {
    type from;
    redact_target root;
    redact_hash hash;
    redact_options::unknown_fields unknown;
    std::vector<path> paths;  // own the text of keys
    std::vector<redact_node> nodes;
    std::vector<replacement> replacements;
    buffer bytes;
  };
  class compiler;

  explicit redaction(std::shared_ptr<const data> made) noexcept : data_(std::move(made)) {}

  std::shared_ptr<const data> data_;
};

/// Paths become a trie; a place of the graph is a type, the trie nodes that lead there, and the action that holds for all inside.
class redaction::compiler {
 public:
  compiler(data& into, const redact_options& options) : into_(into), options_(options), trie_(1) {}

  [[nodiscard]] result<void> run() {
    if (result<void> done = read_actions(); !done) return done;
    if (result<void> done = read_paths(); !done) return done;
    const std::uint32_t named = trie_[0].action;
    if (named != none && actions_[named].kind == redact_action::form::drop) return bad_rule("the value itself cannot be dropped");
    if (!resolve(into_.from, named, none, none, {0}, into_.root)) return std::move(*error_);
    while (!todo_.empty()) {
      const place next = std::move(todo_.back());
      todo_.pop_back();
      if (!fill(next)) return std::move(*error_);
    }
    prune();
    return {};
  }

 private:
  static constexpr std::uint32_t none = redact_target::none;
  using form = redact_action::form;
  using trail = std::vector<std::uint32_t>;  // trie nodes, ascending

  struct trie_node {
    std::uint32_t action = none;
    std::uint32_t all = none;  // by [*] or {*}
    std::map<std::int16_t, std::uint32_t> fields;
    std::vector<std::pair<map_key, std::uint32_t>> keys;
  };
  struct place {
    std::uint32_t node;
    written_type of;
    std::uint32_t inherited;
    trail at;
  };

  bool fail(errc code, std::string words) {
    error_ = error(code, std::move(words));
    return false;
  }
  [[nodiscard]] static error bad_rule(std::string words) { return error(errc::bad_rule, std::move(words)); }

  // ---- what was asked for ----

  result<std::uint32_t> action(std::string_view written) {
    result<redact_action> made = redact_action::try_parse(written);
    if (!made) return made.error();
    // Later ones have greater numbers: of two paths the later one holds.
    actions_.push_back(std::move(*made));
    return static_cast<std::uint32_t>(actions_.size() - 1);
  }
  [[nodiscard]] result<void> read_actions() {
    result<std::uint32_t> otherwise = action(options_.otherwise);
    if (!otherwise) return otherwise.error();
    for (const auto& [value, written] : options_.values) {
      result<std::uint32_t> made = action(written);
      if (!made) return made.error();
      meanings_.try_emplace(value, *made);
    }
    return {};
  }
  [[nodiscard]] result<void> read_paths() {
    for (const auto& [text, written] : options_.paths) {
      result<std::uint32_t> made = action(written);
      if (!made) return made.error();
      result<path> way = path::try_parse(into_.from, text);
      if (!way) return way.error();
      into_.paths.push_back(std::move(*way));
      std::uint32_t at = 0;
      for (const path_step& step : into_.paths.back().steps()) {
        const bool slice = step.kind == path_step::form::elements && (step.first != 0 || step.last != path_syntax_step::open);
        if (slice || step.kind == path_step::form::index) return error(errc::wrong_type, "a redaction takes all elements of a list: [*]", step.offset, text);
        at = child(at, step);
      }
      trie_[at].action = *made;
    }
    return {};
  }
  std::uint32_t child(std::uint32_t at, const path_step& step) {
    const auto fresh = static_cast<std::uint32_t>(trie_.size());
    std::uint32_t found = fresh;
    if (step.kind == path_step::form::field) {
      found = trie_[at].fields.try_emplace(step.id, fresh).first->second;
    } else if (step.kind == path_step::form::key) {
      const map_key key = detail::plain_key(step.key);
      auto& keys = trie_[at].keys;
      auto known = std::find_if(keys.begin(), keys.end(), [&](const auto& each) { return same_key(each.first, key); });
      if (known == keys.end()) keys.emplace_back(key, fresh);
      else found = known->second;
    } else {
      if (trie_[at].all == none) trie_[at].all = fresh;
      found = trie_[at].all;
    }
    if (found == fresh) trie_.emplace_back();
    return found;
  }
  static bool same_key(const map_key& left, const map_key& right) noexcept { return !detail::key_less(left, right) && !detail::key_less(right, left); }

  /// The action an annotation asks for, or none.
  std::uint32_t annotated(const annotation_range& all) {
    if (options_.annotation.empty()) return none;
    const std::optional<std::string_view> value = all.find(options_.annotation);
    if (!value) return none;
    if (auto known = meanings_.find(*value); known != meanings_.end()) return known->second;
    result<std::uint32_t> made = action(*value);
    return meanings_.emplace(*value, made ? *made : 0).first->second;
  }
  std::uint32_t annotated(field_info field) {
    const std::uint32_t own = annotated(field.annotations());
    return own != none ? own : annotated(field.written());
  }
  std::uint32_t annotated(const written_type& of) { return annotated(of.annotations()); }
  std::uint32_t declared(type of) { return annotated(of.annotations()); }

  // ---- the graph ----

  /// What becomes of a value of that type. `by_path` and `by_place` are actions asked for right here.
  bool resolve(const written_type& written, std::uint32_t by_path, std::uint32_t inherited, std::uint32_t by_place, trail at, redact_target& to) {
    const type of = written.type();
    std::uint32_t chosen = by_path != none ? by_path : inherited != none ? inherited : by_place != none ? by_place : declared(of);
    to = {};
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
    std::erase_if(at, [&](std::uint32_t each) { return trie_[each].fields.empty() && trie_[each].keys.empty() && trie_[each].all == none; });
    const auto fresh = static_cast<std::uint32_t>(into_.nodes.size());
    const auto [known, is_new] = places_.try_emplace({of.index(), written.place(), inherited, at}, fresh);
    node = known->second;
    if (!is_new) return true;
    if (fresh == 4096 + 4 * (of.image()->types.size() + of.image()->written_types.size())) return fail(errc::size_limit, "the rules have too many combinations of paths");
    into_.nodes.emplace_back().of = of;
    todo_.push_back({fresh, written, inherited, std::move(at)});
    return true;
  }
  bool fill(const place& next) {
    redact_node made;
    made.of = next.of.type();
    made.hides_unknown = next.inherited != none && actions_[next.inherited].kind != form::keep;
    const bool done = made.of.is_struct() ? fields(next, made) : made.of.kind() == type_kind::map ? entries(next, made) : elements(next, made);
    into_.nodes[next.node] = std::move(made);
    return done;
  }
  /// The action of the last path that ends at one of these.
  std::uint32_t ends_at(const trail& at) const noexcept {
    std::uint32_t last = none;
    for (std::uint32_t each : at) {
      const std::uint32_t own = trie_[each].action;
      if (own != none && (last == none || own > last)) last = own;
    }
    return last;
  }
  bool fields(const place& next, redact_node& made) {
    const type of = next.of.type();
    const image::slice all = of.structure().fields;
    for (std::uint32_t i = all.begin; i < all.begin + all.size; ++i) {
      const field_info field(of.image(), i);
      trail below;
      for (std::uint32_t each : next.at) {
        if (auto found = trie_[each].fields.find(field.id()); found != trie_[each].fields.end()) below.push_back(found->second);
      }
      std::sort(below.begin(), below.end());
      redact_target to;
      const std::uint32_t named = ends_at(below);
      if (!resolve(field.written(), named, next.inherited, annotated(field), std::move(below), to)) return about(field, of);
      if (field.required() && is_drop(to)) return fail(errc::missing_required, "it is required and cannot be dropped, only made blank"), about(field, of);
      if (!to.stays()) made.fields.push_back({field.id(), field.type().wire(), to});
    }
    return true;
  }
  bool elements(const place& next, redact_node& made) {
    trail below = everywhere(next.at);
    const std::uint32_t named = ends_at(below);
    if (!resolve(next.of.element(), named, next.inherited, annotated(next.of.element()), std::move(below), made.value)) return false;
    made.drops = is_drop(made.value);
    return true;
  }
  bool entries(const place& next, redact_node& made) {
    const trail below = everywhere(next.at);
    const written_type value = next.of.value();
    const std::uint32_t by_place = annotated(value);
    if (!resolve(next.of.key(), none, next.inherited, annotated(next.of.key()), {}, made.key)) return false;
    if (is_drop(made.key)) return fail(errc::bad_rule, "keys of a map cannot be dropped");
    if (!resolve(value, ends_at(below), next.inherited, by_place, below, made.value)) return false;
    made.drops = is_drop(made.value);
    std::vector<std::pair<map_key, std::uint32_t>> keys;
    for (std::uint32_t each : next.at) keys.insert(keys.end(), trie_[each].keys.begin(), trie_[each].keys.end());
    std::stable_sort(keys.begin(), keys.end(), [](const auto& left, const auto& right) { return detail::key_less(left.first, right.first); });
    for (auto at = keys.begin(); at != keys.end();) {
      const map_key key = at->first;
      trail both = below;
      for (; at != keys.end() && same_key(at->first, key); ++at) both.push_back(at->second);
      std::sort(both.begin(), both.end());
      redact_target to;
      const std::uint32_t named = ends_at(both);
      if (!resolve(value, named, next.inherited, by_place, std::move(both), to)) return false;
      made.drops = made.drops || is_drop(to);
      made.keyed.push_back({key, to});
    }
    return true;
  }
  trail everywhere(const trail& at) const {
    trail below;
    for (std::uint32_t each : at) {
      if (trie_[each].all != none) below.push_back(trie_[each].all);
    }
    std::sort(below.begin(), below.end());
    return below;
  }
  bool about(field_info field, type in) {
    error_ = error(error_->code(), "field '" + std::string(field.name()) + "' of " + in.name() + ": " + std::string(error_->detail()));
    return false;
  }

  // ---- values that take the place of others ----

  [[nodiscard]] bool is_drop(const redact_target& to) const noexcept {
    return to.replacement != none && into_.replacements[to.replacement].kind == form::drop;
  }
  bool replace(type of, std::uint32_t chosen, std::uint32_t& replacement) {
    const auto [known, is_new] = replaced_.try_emplace({of.index(), chosen}, static_cast<std::uint32_t>(into_.replacements.size()));
    replacement = known->second;
    if (!is_new) return true;
    const redact_action& wanted = actions_[chosen];
    redaction::replacement made{wanted.kind, wanted.last, {}, {}};
    const bool plain = of.kind() == type_kind::bool_ || of.is_enum();
    const bool cut = of.wire() == ttype::string || (fixed_width(of.wire()) != 0 && of.wire() != ttype::double_ && of.wire() != ttype::uuid);
    if ((made.kind == form::hash && plain) || (made.kind == form::keep_last && (plain || !cut))) made.kind = form::blank;
    if ((made.kind == form::blank || made.kind == form::constant) && !bytes_of(of, made, wanted)) return false;
    into_.replacements.push_back(made);
    return true;
  }
  bool bytes_of(type of, redaction::replacement& made, const redact_action& wanted) {
    auto put = [&]<class P>(P, image::slice& where) {
      const std::size_t begin = into_.bytes.size();
      const errc code = wanted.kind == form::constant ? constant<P>(of, wanted.text) : append_blank<P>(into_.bytes, of);
      where = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(into_.bytes.size() - begin)};
      return code == errc::ok;
    };
    if (put(binary(), made.binary) && put(compact(), made.compact)) return true;
    if (wanted.kind == form::constant) return fail(errc::bad_rule, "'" + wanted.text + "' cannot be " + with_article(of.name()));
    return fail(errc::bad_rule, of.name() + " has no blank: its required fields lead too deep");
  }
  template <protocol P>
  [[nodiscard]] errc constant(type of, const std::string& text) {
    if (of.wire() == ttype::string || (of.is_enum() && of.member_value(text))) return detail::put_text<P>(into_.bytes, of, text);
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
    return code == std::errc() && end == text.data() + text.size() ? append_value<P>(into_.bytes, of, value) : errc::bad_rule;
  }

  // ---- places where nothing happens are not entered ----

  void prune() {
    std::vector<redact_node>& nodes = into_.nodes;
    std::vector<std::vector<std::uint32_t>> above(nodes.size());
    std::vector<bool> live(nodes.size());
    std::vector<std::uint32_t> fresh;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      bool acts = nodes[i].of.is_struct() && (nodes[i].hides_unknown || options_.unknown != redact_options::unknown_fields::keep);
      each_target(nodes[i], [&](redact_target& to) {
        acts = acts || to.replacement != none;
        if (to.node != none) above[to.node].push_back(i);
      });
      if (acts) live[i] = true, fresh.push_back(i);
    }
    while (!fresh.empty()) {
      const std::uint32_t at = fresh.back();
      fresh.pop_back();
      for (std::uint32_t each : above[at]) {
        if (!live[each]) live[each] = true, fresh.push_back(each);
      }
    }
    auto close = [&](redact_target& to) {
      if (to.node != none && !live[to.node]) to.node = none;
    };
    for (redact_node& each : nodes) {
      each_target(each, close);
      std::erase_if(each.fields, [](const redact_node::field_edge& edge) { return edge.to.stays(); });
    }
    close(into_.root);
  }
  template <class Visit>
  static void each_target(redact_node& of, Visit visit) {
    visit(of.value);
    visit(of.key);
    for (redact_node::field_edge& each : of.fields) visit(each.to);
    for (redact_node::key_edge& each : of.keyed) visit(each.to);
  }

  data& into_;
  const redact_options& options_;
  std::vector<redact_action> actions_;                        // the first is `otherwise`
  std::map<std::string, std::uint32_t, std::less<>> meanings_;
  std::vector<trie_node> trie_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, trail>, std::uint32_t> places_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> replaced_;
  std::vector<place> todo_;
  std::optional<error> error_;
};

inline result<redaction> redaction::try_compile(type of, const redact_options& options) {
  if (!of) return error(errc::wrong_type, "a redaction needs a type");
  auto made = std::make_shared<data>();
  made->from = of;
  made->hash = redact_hash(options.key);
  made->unknown = options.unknown;
  if (result<void> done = compiler(*made, options).run(); !done) return done.error();
  return redaction(std::move(made));
}

}  // namespace thriftlens
