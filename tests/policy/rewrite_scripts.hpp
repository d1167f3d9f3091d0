// rewrite_scripts: selections, rules and edits of malformed bytes from a sequence of choices, and checks.
#pragma once

#include <thriftlens/edit/trim.hpp>
#include <thriftlens/policy/rewrite.hpp>

#include "edit/edit_scripts.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens_test {

/// Selections and rules over a type.
class policy_maker {
 public:
  explicit policy_maker(choices& from) noexcept : from_(from) {}

  std::optional<thriftlens::selection> selection(thriftlens::type of) {
    if (from_.one_in(3)) return std::nullopt;
    std::string text;
    braces(text, of, 3);
    return thriftlens::selection::compile(of, text);
  }
  std::optional<thriftlens::redaction> rules(thriftlens::type of) {
    if (from_.one_in(3)) return std::nullopt;
    thriftlens::redact_options options;
    options.unmatched = thriftlens::redact_options::unmatched_rules::ignore;
    if (from_.below(4) != 0) options.missing_required = thriftlens::on_missing::omit;
    options.unknown = static_cast<thriftlens::on_unknown>(from_.below(3));
    options.key = thriftlens::redact_hash::key_bytes{1, 2, 3};
    for (std::size_t remaining = 1 + from_.below(3); remaining != 0; --remaining) {
      static constexpr const char* actions[] = {"drop",         "blank", "hash",
                                                "keep_last(2)", "keep",  "constant(7)"};
      std::string path_text = path(of);
      options.paths.emplace_back(std::move(path_text), actions[from_.below(std::size(actions))]);
    }
    thriftlens::result<thriftlens::redaction> outcome = thriftlens::redaction::try_compile(of, options);
    return outcome ? std::optional<thriftlens::redaction>(*outcome) : std::nullopt;
  }

 private:
  using type = thriftlens::type;
  using kinds = thriftlens::type_kind;

  static type struct_inside(type of) {
    while (of.is_container()) of = of.kind() == kinds::map ? of.value() : of.element();
    return of.is_struct() ? of : type();
  }
  void braces(std::string& text, type of, int depth) {
    const bool excludes = from_.one_in(2);
    text += excludes ? "{ *" : "{";
    for (const thriftlens::field_info field : of.fields()) {
      if (from_.one_in(excludes ? 4 : 2)) continue;
      const type inner = struct_inside(field.type());
      if (excludes && (depth == 0 || !inner || from_.one_in(2))) {
        if (from_.one_in(4)) text += " -#" + std::to_string(field.id());
        continue;
      }
      text += " #" + std::to_string(field.id());
      if (depth != 0 && inner && from_.one_in(2)) braces(text, inner, depth - 1);
    }
    text += " }";
  }
  std::string path(type at) {
    std::string path_text = "$";
    for (std::size_t depth = 1 + from_.below(5); depth != 0 && (at.is_struct() || at.is_container());
         --depth) {
      if (at.is_struct()) {
        const auto known = at.fields();
        const auto field = known[from_.below(known.size())];
        path_text += ".#" + std::to_string(field.id());
        at = field.type();
      } else if (at.kind() == kinds::map) {
        path_text += at.key().kind() == kinds::string && from_.one_in(3) ? "{\"ab\"}" : "{*}";
        at = at.value();
      } else {
        path_text += "[*]";
        at = at.element();
      }
    }
    return path_text;
  }

  choices& from_;
};

/// Checks one script. `broken` is the first violated property.
template <class P>
class rewrite_promises {
 public:
  std::string broken;
  std::size_t applied = 0, refused = 0, fast = 0;

  void check(choices from) {
    const thriftlens::type type = edited_schema().type(from.one_in(6) ? "Plain" : "T");
    policy_maker policies(from);
    const std::optional<thriftlens::selection> retained = policies.selection(type);
    const std::optional<thriftlens::redaction> rules = policies.rules(type);
    const std::string bytes = hostile_bytes<P>(from, type), other = hostile_bytes<P>(from, type);
    const thriftlens::view<P> root(bytes, type), values(other, type);

    thriftlens::rewrite<P> fused(root);
    if (retained) fused.trim(*retained);
    if (rules) fused.redact(*rules);
    script(from, values).add_to(fused, type);
    thriftlens::buffer out(thriftlens::byte_view("front", 5));
    const auto answer = fused.try_append_to(out);
    require(answer || out.text() == "front", "after an error the output is as before");
    compare_with_general(fused, answer.has_value(), out);
    compare_with_parts(from, root, values, retained, rules, answer.has_value(), out);
    if (!broken.empty() && !answer) broken += std::string(": ") + answer.error().what();
    ++(answer ? applied : refused);
  }

 private:
  static edit_script<P> script(const choices& from, const thriftlens::view<P>& values) {
    edit_script<P> output(from, values);
    output.uses_offsets = false;
    return output;
  }
  static std::string describe(const choices& from, const thriftlens::view<P>& root,
                              const thriftlens::view<P>& values) {
    std::string log;
    auto second = script(from, values);
    second.script_log = &log;
    static_cast<void>(second.make(root));
    return log;
  }
  void require(bool holds, const char* promise) {
    if (!holds && broken.empty()) broken = promise;
  }
  /// The fast pass does not support a limit of the output.
  void compare_with_general(thriftlens::rewrite<P>& fused, bool succeeded, const thriftlens::buffer& out) {
    const auto pieces = fused.try_apply_gather(64);
    require(pieces.has_value() == succeeded, "apply and apply_gather agree");
    if (pieces && succeeded)
      require("front" + pieces->join().str() == out.text(), "apply and apply_gather are equal");
    fused.output_size(std::size_t{1} << 20);
    thriftlens::buffer general(thriftlens::byte_view("front", 5));
    const auto answer = fused.try_append_to(general);
    require(answer.has_value() == succeeded, "the general pass and the fast one agree");
    if (succeeded) require(general == out, "the general pass and the fast one are equal");
  }
  void compare_with_parts(const choices& from, const thriftlens::view<P>& root,
                          const thriftlens::view<P>& values,
                          const std::optional<thriftlens::selection>& retained,
                          const std::optional<thriftlens::redaction>& rules, bool succeeded,
                          const thriftlens::buffer& out) {
    thriftlens::buffer trimmed, redacted;
    thriftlens::view<P> at = root;
    if (retained) {
      auto output = thriftlens::try_trim(at, *retained);
      if (!output) return;
      trimmed = std::move(*output);
      at = thriftlens::view<P>(trimmed, root.type());
    }
    if (rules) {
      auto output = thriftlens::try_redact(at, *rules);
      if (!output) return;
      redacted = std::move(*output);
      at = thriftlens::view<P>(redacted, root.type());
    }
    // Without edits nothing is looked at by them.
    const std::string edits_text = describe(from, root, values);
    if (!retained && !rules && edits_text.empty()) return;
    thriftlens::edit<P> edits(at);
    script(from, values).add_to(edits, root.type());
    const thriftlens::result<thriftlens::buffer> copied(thriftlens::buffer(at.whole()));
    const thriftlens::result<thriftlens::buffer> expected = edits_text.empty() ? copied : edits.try_apply();
    require(expected.has_value() == succeeded, "a rewrite succeeds where its parts do");
    if (!broken.empty()) broken += edits_text;
    if (!broken.empty() && !expected) broken += std::string(": ") + expected.error().what();
    if (expected && succeeded)
      require("front" + expected->str() == out.text(), "a rewrite is equal to its parts one after the other");
  }
};

}  // namespace thriftlens_test
