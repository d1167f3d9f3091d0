// layout_promises: compares fast paths that learn layouts with reference implementations, on random values.
#pragma once

#include "fast/layout_cases.hpp"
#include "policy/rewrite_scripts.hpp"
#include "protocol/value.hpp"

#include <thriftlens/columns/column_writer.hpp>
#include <thriftlens/dom/document.hpp>
#include <thriftlens/edit/stream_trim.hpp>
#include <thriftlens/json/fast/fast_write.hpp>
#include <thriftlens/json/from_json.hpp>
#include <thriftlens/json/to_json.hpp>
#include <thriftlens/policy/redact.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/protocol/struct_skip.hpp>
#include <thriftlens/rewrite/fast/fast_trim.hpp>
#include <thriftlens/view/fast/fast_plan.hpp>
#include <thriftlens/view/locate.hpp>
#include <thriftlens/view/plan.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens_test {

/// Checks one value at a time. `broken` is the first difference.
template <class P>
class layout_promises {
 public:
  std::string broken;
  std::size_t served = 0;  ///< fast paths that did not decline

  explicit layout_promises(tl::type type) : type_(type) {}

  void check(choices from) {
    bytes_ = layout_bytes<P>(from, type_);
    const std::string undamaged = bytes_;
    damage(from, bytes_);
    const tl::view<P> root(bytes_, type_);
    skips(from, root);
    for (int i = 0; i < 4 && broken.empty(); ++i) locates(from, root);
    plans(from, root);
    for (int i = 0; i < 2 && broken.empty(); ++i) edits(from, root);
    rewrites(from, root);
    trims(from, root);
    documents();
    writes_json();
    columns(undamaged);
    if (!broken.empty()) broken += ": " + std::string(P::name) + " " + hex(bytes_) + said_;
  }

 private:
  void require(bool holds, const char* label) {
    if (!holds && broken.empty()) broken = label;
  }
  static void append(tl::buffer& out, const std::string& text) { out.append({text.data(), text.size()}); }

  // ---- skip, validate ----

  void skips(choices& from, const tl::view<P>& root) {
    const std::uint32_t depth = from.one_in(4) ? 2 + static_cast<std::uint32_t>(from.below(8)) : 64;
    const tl::byte_view bytes = root.whole();
    typename P::reader walking(bytes, tl::limits{.depth = depth}),
        skipping(bytes, tl::limits{.depth = depth});
    const bool is_sound = walk(walking, ttype::struct_);
    require(skipping.skip(ttype::struct_) == is_sound, "skip and walk agree");
    if (!broken.empty()) return;
    const std::uint8_t* at = bytes.begin();
    tl::detail::scanner<P> scan(bytes.end());
    require(scan.skip_known(at, ttype::struct_, type_.index(), *type_.image(), depth) == is_sound,
            "skip_known and walk agree");
    if (is_sound) {
      require(skipping.offset() == walking.offset(), "skip and walk end at the same byte");
      require(at == bytes.begin() + walking.offset(), "skip_known and walk end at the same byte");
    } else if (depth == 64) {  // which of two faults is met first is not promised
      require(skipping.fault().code == walking.fault().code, "skip and walk fail with the same code");
    }
    skip_in_parts(from, bytes, depth, is_sound, walking.offset());
    const tl::validator rules =
        tl::validator::compile(type_, {.keys = tl::validate_options::key_check::unique});
    require(rules.template valid<P>(bytes) == rules.template findings<P>(bytes).empty(),
            "valid and findings agree");
  }
  void skip_in_parts(choices& from, tl::byte_view bytes, std::uint32_t depth, bool is_sound,
                     std::size_t end) {
    tl::detail::struct_skip skip;
    skip.start(P::id, depth, std::uint64_t{1} << 40);
    std::size_t shown = 0;
    const std::size_t part = 1 + from.below(90);
    while (shown < bytes.size() && !skip.at_end() && !skip.fault()) {
      shown = std::min(shown + part, bytes.size());
      const auto passed = static_cast<std::size_t>(skip.passed());
      skip.feed({bytes.begin() + passed, shown - passed});
    }
    require(skip.at_end() == is_sound, "a skip in parts and walk agree");
    if (is_sound) require(skip.passed() == end, "a skip in parts and walk end at the same byte");
  }

  // ---- get, get_many ----

  void locates(choices& from, const tl::view<P>& root) {
    tl::type to;
    const std::string text = layout_path(from, type_, to);
    const tl::path path = tl::path::compile(type_, text);
    tl::detail::located fast, general;
    tl::detail::fast_locator<P> run(root.whole(), type_.image());
    if (!run.run(root.location(), path.steps(), fast)) return;
    ++served;
    tl::detail::generic_locate<P>(root.whole(), type_.image(), root.location(), path.steps(), general);
    require(describe(fast, root) == describe(general, root), "fast_locate is generic_locate");
    if (!broken.empty()) said_ += " " + text;
  }
  static std::string describe(const tl::detail::located& actual, const tl::view<P>& root) {
    const std::string code = std::to_string(static_cast<int>(actual.code));
    if (actual.code != tl::errc::ok) return code;
    const auto& at = actual.location.at;
    return code + "=" + std::to_string(at.at - root.whole().begin()) + " " +
           std::to_string(actual.location.type) + " " + std::to_string(at.depth_left) + " " +
           std::to_string(at.inline_bool);
  }
  void plans(choices& from, const tl::view<P>& root) {
    std::vector<std::string> texts;
    for (std::size_t remaining = 1 + from.below(6); remaining != 0; --remaining) {
      tl::type to;
      texts.push_back(layout_path(from, type_, to));
    }
    const tl::plan plan = tl::plan::compile(type_, std::vector<std::string_view>(texts.begin(), texts.end()));
    std::vector<tl::view<P>> fast(plan.size()), general(plan.size());
    tl::detail::fast_plan<P, tl::plan> run(plan, root, fast);
    if (!run.run()) return;
    ++served;
    static_cast<void>(tl::detail::generic_get_many<P>(root, plan, general));
    for (std::size_t i = 0; i < plan.size(); ++i)
      require(describe(fast[i]) == describe(general[i]), "fast_plan is generic_get_many");
    if (broken.empty()) return;
    for (const std::string& text : texts) said_ += " " + text;
  }
  static std::string describe(const tl::view<P>& actual) {
    const tl::result<tl::byte_view> bytes = actual.try_bytes();
    return std::to_string(static_cast<int>(actual.code())) +
           (bytes ? "=" + std::to_string(actual.offset()) + " " + std::string(bytes->text()) : "!");
  }

  // ---- edit, redact, trim ----

  /// `task` by its fast pass and by the general one, which alone makes pieces.
  template <class Task>
  void compare(const Task& task, const char* label) {
    tl::buffer out(tl::byte_view("front", 5));
    const auto appended = task.try_append_to(out);
    const tl::result<tl::gathered> pieces = task.try_apply_gather(std::size_t{1} << 12);
    require(out.text().starts_with("front"), label);
    require_same(appended, out.text().substr(5), pieces, label);
  }
  /// Both succeed with the same bytes, or both fail and nothing was written.
  template <class Done>
  void require_same(const Done& status, std::string_view bytes, const tl::result<tl::gathered>& pieces,
                    const char* label) {
    const std::string expected = pieces ? pieces->join().str() : std::string();
    require(status.has_value() == pieces.has_value() && bytes == expected, label);
    if (!status && !pieces) require(std::string_view(status.error().what()) == pieces.error().what(), label);
    if (broken.empty()) return;
    said_ += status ? "\nfast " + hex(bytes) : std::string("\nfast ") + status.error().what();
    said_ += pieces ? "\ngeneral " + hex(expected) : std::string("\ngeneral ") + pieces.error().what();
  }
  void edits(choices& from, const tl::view<P>& root) {
    tl::edit<P> task(root);
    choices second = from;
    add_layout_edits<P>(from, type_, task);
    compare(task, "a fast edit is a general one");
    if (!broken.empty()) add_layout_edits<P>(second, type_, task, &said_);
  }
  void rewrites(choices& from, const tl::view<P>& root) {
    policy_maker policies(from);
    const std::optional<tl::redaction> rules = policies.rules(type_);
    const std::optional<tl::selection> retained = policies.selection(type_);
    if (rules && broken.empty()) redacts(root, *rules);
    tl::rewrite<P> fused(root);
    if (retained) fused.trim(*retained);
    if (rules) fused.redact(*rules);
    if (from.below(2) == 0) add_layout_edits<P>(from, type_, fused);
    compare(fused, "a fast rewrite is a general one");
  }
  void redacts(const tl::view<P>& root, const tl::redaction& rules) {
    tl::rewrite<P> general(root);
    general.redact(rules);
    tl::buffer out;
    const auto status = tl::try_append_redacted(root, rules, out);
    const tl::result<tl::gathered> pieces = general.try_apply_gather(64);
    require_same(status, out.text(), pieces, "a fast redaction is a general one");
  }
  void trims(choices& from, const tl::view<P>& root) {
    const std::optional<tl::selection> retained = policy_maker(from).selection(type_);
    if (!retained) return;
    tl::trim_options options;
    tl::buffer fast;
    served += tl::detail::fast_trim<P>::serves(*retained, options);
    const bool status = tl::try_append_trimmed(root, *retained, fast, options).has_value();
    options.limits.output_size = std::size_t{1} << 30;  // unknown to the fast pass
    tl::buffer general;
    const bool expected = tl::try_append_trimmed(root, *retained, general, options).has_value();
    require(status == expected && fast == general, "a fast trim is a general one");
    require(trimmed_in_parts(from, *retained) == (expected ? general.str() : "refused"),
            "a trim in parts is a trim of the whole");
  }
  std::string trimmed_in_parts(choices& from, const tl::selection& retained) {
    tl::stream_trimmer<P> trimmer(retained, {});
    tl::buffer out;
    std::size_t at = 0;
    while (at < bytes_.size() && !trimmer.done()) {
      const std::string part = bytes_.substr(at, 1 + from.below(256));
      const auto used = trimmer.try_feed(part, out);
      if (!used) return "refused";
      at += *used;
    }
    return trimmer.try_finish() && at == bytes_.size() ? out.str() : "refused";
  }

  // ---- documents, JSON, columns ----

  void documents() {
    tl::document by_need, at_once;
    const bool loaded = by_need.try_load<P>(bytes_, type_).has_value();
    const bool loaded_all = at_once.try_load_all<P>(bytes_, type_).has_value();
    if (!loaded_all) return;
    require(loaded, "a document that loads at once loads");
    tl::buffer first, second;
    require(by_need.try_append_to(first) && at_once.try_append_to(second) && first == second,
            "a document that was loaded at once is the same");
  }
  /// The record as JSON, by the writer for the protocol and by the one that supports every option.
  void writes_json() {
    tl::buffer general, fast;
    const tl::to_json_options options{.leniency = {.nonfinite = tl::json_nonfinite::string}};
    const bool is_ok =
        tl::detail::json_writer<P>(bytes_, *type_.image(), general, options, {}).run(type_).has_value();
    if constexpr (P::traits.has_fixed_layout) {
      if (tl::detail::fast_json_writer(bytes_, *type_.image(), fast, options, {}).run(type_)) {
        ++served;
        require(is_ok && fast == general, "fast_json_writer is json_writer");
      }
    }
    if (is_ok && broken.empty()) reads_json(general.str());
  }
  /// The reader expects keys in the order of those before and without blanks.
  void reads_json(const std::string& text) {
    const tl::from_json_options options{.leniency = {.nonfinite = tl::json_nonfinite::string}};
    const auto plain = tl::try_from_json<P>(type_, text, options);
    const auto spaced = tl::try_from_json<P>(type_, with_blanks(text), options);
    require(plain.has_value() == spaced.has_value(), "blanks between keys do not decide what is accepted");
    if (!plain || !spaced || !broken.empty()) return;
    require(*plain == *spaced, "blanks between keys do not change the value");
    const auto repeated =
        tl::try_to_json<P>(type_, *plain, {.leniency = {.nonfinite = tl::json_nonfinite::string}});
    require(repeated && repeated->text() == text, "JSON is read as it was written");
  }
  static std::string with_blanks(std::string_view text) {
    std::string bytes;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\\' && in_string) bytes += text[i++];
      if (text[i] == '"') in_string = !in_string;
      if (!in_string && (text[i] == ':' || text[i] == ',')) bytes += ' ';
      bytes += text[i];
      if (!in_string && (text[i] == '{' || text[i] == ',')) bytes += ' ';
    }
    return bytes;
  }
  void columns(const std::string& undamaged) {
    std::string names;
    for (const tl::field_info field : type_.fields()) {
      const tl::selection selected = tl::selection::compile(type_, "{ " + std::string(field.name()) + " }");
      if (tl::detail::column_plan::try_compile(selected, {})) names += std::string(field.name()) + " ";
    }
    if (names.empty() || !broken.empty()) return;
    const auto plan =
        tl::detail::column_plan::try_compile(tl::selection::compile(type_, "{ " + names + "}"), {});
    if (!plan) return;
    using speculation = tl::detail::column_speculation;
    require(column_text(*plan, undamaged, speculation::on) == column_text(*plan, undamaged, speculation::off),
            "columns that follow the order of the last record are those of a writer that does not");
  }
  /// Rows of a valid record, the record under test, and the valid one again.
  std::string column_text(const tl::detail::column_plan& plan, const std::string& sound,
                          tl::detail::column_speculation mode) const {
    const tl::columns_options options;
    tl::detail::column_set columns(plan);
    tl::detail::column_scratch scratch(plan, mode);
    std::string text;
    for (const std::string* record : {&sound, &bytes_, &sound}) {
      tl::detail::column_writer<P> writer(plan, columns, scratch, *record, options);
      if (!writer.row(nullptr, [] {})) return text + writer.failure().what();
      text += '.';
    }
    for (std::uint32_t node = 0; node < plan.nodes.size(); ++node) {
      const tl::detail::column_data& data = columns[node];
      text += std::to_string(data.length) + " " + std::to_string(data.nulls) + "\n";
      for (const tl::detail::column_buffer* part : {&data.validity, &data.offsets, &data.values})
        if (!part->empty()) text.append(reinterpret_cast<const char*>(part->data()), part->size());
    }
    return text;
  }

  tl::type type_;
  std::string bytes_;
  std::string said_;
};

/// The same value in both protocols has the same JSON.
inline std::string json_difference(tl::type type, const choices& from) {
  choices first = from, second = from;
  const std::string in_binary = layout_bytes<tl::binary>(first, type);
  const std::string in_compact = layout_bytes<tl::compact>(second, type);
  const auto binary = tl::try_to_json<tl::binary>(type, in_binary);
  const auto compact = tl::try_to_json<tl::compact>(type, in_compact);
  const bool is_same = binary.has_value() == compact.has_value() && (!binary || *binary == *compact);
  return is_same ? "" : "a value has the same JSON in Binary and Compact";
}

/// A schema and `values` values of its first struct in both protocols.
inline std::string layout_difference(choices from, std::size_t values, std::size_t* served = nullptr) {
  const std::string idl = layout_idl(from).text();
  const tl::schema schema = tl::schema::parse(idl);
  const tl::type type = schema.type("S0");
  std::string actual;
  for (; values != 0 && actual.empty(); --values) {
    const choices value(from.take(from.rest().size() / values));
    layout_promises<tl::binary> binary(type);
    binary.check(value);
    layout_promises<tl::compact> compact(type);
    compact.check(value);
    actual = !binary.broken.empty() ? binary.broken : compact.broken;
    if (actual.empty()) actual = json_difference(type, value);
    if (served != nullptr) *served += binary.served + compact.served;
  }
  return actual.empty() ? actual : actual + "\n" + idl;
}

}  // namespace thriftlens_test
