// rules: bodies of rules.hpp.
#pragma once

#include <thriftlens/policy/rules.hpp>

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/read_number.hpp>
#include <thriftlens/text/pattern.hpp>

#include <charconv>
#include <string>
#include <unordered_map>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

struct rules::data {
  std::vector<std::uint32_t> by_field;
  std::vector<rule_set> sets;
  std::vector<pattern> patterns;
};

THRIFTLENS_BODY bool rules::empty() const noexcept { return data_ == nullptr || data_->sets.empty(); }
THRIFTLENS_BODY std::uint32_t rules::of_field(std::uint32_t field) const noexcept {
  return data_ == nullptr ? none : data_->by_field[field];
}
THRIFTLENS_BODY const rules::rule_set& rules::set(std::uint32_t index) const& noexcept {
  return data_->sets[index];
}
THRIFTLENS_BODY const pattern& rules::expression(std::size_t index) const& noexcept {
  return data_->patterns[index];
}
THRIFTLENS_BODY std::string_view rules::name(form kind) noexcept {
  constexpr std::string_view names[] = {"vt.const",    "vt.gt",           "vt.ge",          "vt.lt",
                                        "vt.le",       "vt.in",           "vt.not_in",      "vt.min_size",
                                        "vt.max_size", "vt.pattern",      "vt.prefix",      "vt.suffix",
                                        "vt.contains", "vt.not_contains", "vt.defined_only"};
  return names[static_cast<unsigned char>(kind)];
}

class rules::compiler {
 public:
  compiler(data& into, const schema_image& image, bool tolerant)
      : into_(into), image_(image), tolerant_(tolerant) {
    into.by_field.assign(image.fields.size(), none);
    seen_.resize(image.types.size());
  }

  [[nodiscard]] result<void> run(std::uint32_t root) {
    reach(root);
    while (!todo_.empty()) {
      const image::struct_node& next = image_.structs[todo_.back()];
      todo_.pop_back();
      for (std::uint32_t at = next.fields.begin; at < next.fields.begin + next.fields.size; ++at) {
        reach(image_.fields[at].type);
        if (result<void> status = field(next, at); !status) return status;
      }
    }
    return {};
  }

 private:
  void reach(std::uint32_t type) {
    if (type == image::none || seen_[type]) return;
    seen_[type] = true;
    const image::type_node& node = image_.types[type];
    if (is_struct(node.kind)) todo_.push_back(node.first);
    if (is_container(node.wire)) {
      reach(node.first);
      if (node.wire == ttype::map) reach(node.second);
    }
  }
  [[nodiscard]] result<void> field(const image::struct_node& in, std::uint32_t at) {
    const field_info self(&image_, at);
    std::uint32_t set = none;
    if (!written(self.written(), set) && !tolerant_) return bad_rule(in, at);
    first_own_ = into_.sets.size();
    if (!annotations(self.annotations(), image_.fields[at].type, set) && !tolerant_) return bad_rule(in, at);
    into_.by_field[at] = set;
    return {};
  }
  [[nodiscard]] error bad_rule(const image::struct_node& in, std::uint32_t field) const {
    return error(errc::bad_rule, joined({bad_annotation_, " of field '", image_.field_name(field), "' in ",
                                         image_.view(in.name), ": ", reason_}));
  }
  /// The annotations of a type as written and of its parts: compiled once, shared by all uses of a typedef.
  [[nodiscard]] bool written(const written_type& of, std::uint32_t& set) {
    if (of.place() == image::none) return true;
    if (const auto known = places_.find(of.place()); known != places_.end()) {
      set = known->second;
      return true;
    }
    const bool good = written_anew(of, set);
    places_.emplace(of.place(), set);
    return good;
  }
  [[nodiscard]] bool written_anew(const written_type& of, std::uint32_t& set) {
    rule_set inside;
    const bool good = written_inside(of, inside);
    first_own_ = into_.sets.size();
    if (inside.element != none || inside.key != none || inside.value != none) {
      set = fresh();
      into_.sets[set] = std::move(inside);
    }
    return annotations(of.annotations(), of.type().index(), set) && good;
  }
  [[nodiscard]] bool written_inside(const written_type& of, rule_set& inside) {
    if (!of.type().is_container()) return true;
    if (of.type().kind() != type_kind::map) return written(of.element(), inside.element);
    const bool good = written(of.key(), inside.key);
    return written(of.value(), inside.value) && good;
  }
  [[nodiscard]] bool annotations(const annotation_range& list, std::uint32_t type, std::uint32_t& set) {
    bool good = true;
    for (annotation_info info : list) {
      if (!info.key().starts_with("vt.")) continue;
      own(set);
      if (annotation(set, type, info.key().substr(3), info.value())) continue;
      if (good) {
        bad_annotation_ = joined({info.key(), " = \"", info.value(), '"'});
        reason_ = last_reason_;
      }
      good = false;
    }
    return good;
  }
  /// Replaces a set that may be shared by a copy.
  void own(std::uint32_t& set) {
    if (set != none && set >= first_own_) return;
    rule_set copy = set == none ? rule_set() : into_.sets[set];
    copy.taken_over = copy.entries.size();
    set = fresh();
    into_.sets[set] = std::move(copy);
  }
  std::uint32_t fresh() {
    into_.sets.emplace_back();
    return static_cast<std::uint32_t>(into_.sets.size() - 1);
  }
  bool reject(const char* reason) {
    last_reason_ = reason;
    return false;
  }
  bool annotation(std::uint32_t set, std::uint32_t type, std::string_view key, std::string_view value) {
    // A loop, for an IDL may nest containers deeply.
    for (;;) {
      const image::type_node& node = image_.types[type];
      const bool is_map = node.wire == ttype::map;
      if (is_map && takes(key, "value.")) {
        set = inner(set, &rule_set::value);
        type = node.second;
      } else if (is_map ? takes(key, "key.") : is_container(node.wire) && takes(key, "elem.")) {
        set = inner(set, is_map ? &rule_set::key : &rule_set::element);
        type = node.first;
      } else {
        return plain(into_.sets[set], node, key, value);
      }
    }
  }
  [[nodiscard]] static bool takes(std::string_view& key, std::string_view prefix) noexcept {
    if (!key.starts_with(prefix)) return false;
    key.remove_prefix(prefix.size());
    return true;
  }
  std::uint32_t inner(std::uint32_t set, std::uint32_t rule_set::*which) {
    std::uint32_t part = into_.sets[set].*which;
    own(part);
    return into_.sets[set].*which = part;
  }
  bool plain(rule_set& set, const image::type_node& of, std::string_view key, std::string_view value) {
    if (is_flag(key)) return flag(set, of, key, value);
    if (value.starts_with('$') || value.starts_with('@'))
      return reject("references to fields and functions are not supported");
    form kind{};
    if (!find(key, kind)) return reject("unknown rule");
    if (!fits(kind, of)) return reject("the rule does not apply to the type of the field");
    operand parsed;
    return read(kind, of, value, parsed) && (joins(set, kind, parsed) || add(set, kind, parsed));
  }
  [[nodiscard]] static bool is_flag(std::string_view key) noexcept {
    return key == "not_nil" || key == "skip" || key == "no_sparse" || key == "defined_only";
  }
  bool flag(rule_set& set, const image::type_node& of, std::string_view key, std::string_view value) {
    bool on = false;
    if (!truth(value, on)) return false;
    if (key == "no_sparse") return of.wire == ttype::map || reject("the rule applies only to maps");
    if (key == "not_nil") {
      set.not_nil = on;
      return true;
    }
    if (key == "skip") {
      set.skip = on;
      return is_struct(of.kind) || reject("the rule applies only to structs");
    }
    set.defined_only = on;
    return of.kind == type_kind::enum_ || reject("the rule applies only to enums");
  }
  template <class T>
  bool truth(std::string_view value, T& on) {
    on = value == "true";
    return on || value == "false" || reject("the value must be true or false");
  }
  /// Appends an operand to a rule that takes several.
  static bool joins(rule_set& set, form kind, const operand& parsed) {
    if (kind != form::in && kind != form::not_in) return false;
    for (std::size_t i = set.taken_over; i < set.entries.size(); ++i) {
      if (set.entries[i].kind != kind) continue;
      set.entries[i].operands.push_back(parsed);
      return true;
    }
    return false;
  }
  bool add(rule_set& set, form kind, const operand& parsed) {
    rule added{kind, {parsed}, into_.patterns.size()};
    if (kind == form::pattern) {
      result<pattern> compiled = pattern::try_compile(parsed.text);
      if (!compiled) return reject("invalid or unsupported regular expression");
      into_.patterns.push_back(std::move(*compiled));
    }
    set.entries.push_back(std::move(added));
    return true;
  }
  static bool find(std::string_view key, form& kind) noexcept {
    for (unsigned char i = 0; i < static_cast<unsigned char>(form::defined_only); ++i) {
      if (name(static_cast<form>(i)).substr(3) != key) continue;
      kind = static_cast<form>(i);
      return true;
    }
    return false;
  }
  static bool is_size(form kind) noexcept { return kind == form::min_size || kind == form::max_size; }
  static bool is_number(type_kind kind) noexcept {
    return (kind >= type_kind::i8 && kind <= type_kind::double_) || kind == type_kind::enum_;
  }
  static bool fits(form kind, const image::type_node& of) noexcept {
    const bool text = of.wire == ttype::string, number = is_number(of.kind);
    if (kind == form::const_) return text || number || of.kind == type_kind::bool_;
    if (kind == form::in || kind == form::not_in) return text || number;
    if (is_size(kind)) return text || is_container(of.wire);
    if (kind <= form::le) return number && of.kind != type_kind::enum_;
    return text;
  }
  bool read(form kind, const image::type_node& of, std::string_view value, operand& parsed) {
    parsed.text = value;
    if (is_size(kind))
      return (integer(value, parsed.number) && parsed.number >= 0) || reject("the value must be a size");
    if (of.wire == ttype::string) return true;
    if (of.kind == type_kind::double_)
      return real(value, parsed.real) || reject("the value must be a number");
    return of.kind == type_kind::bool_ ? truth(value, parsed.number)
                                       : integer_or_member(of, value, parsed.number);
  }
  bool integer_or_member(const image::type_node& of, std::string_view value, std::int64_t& number) {
    if (integer(value, number)) return true;
    if (of.kind != type_kind::enum_) return reject("the value must be an integer");
    const std::uint32_t member =
        image_.find_member(image_.enums[of.first], value.substr(value.rfind('.') + 1));
    if (member == image::none) return reject("the value must be a member or a number");
    number = image_.enum_members[member].value;
    return true;
  }
  static bool real(std::string_view value, double& number) noexcept {
    const auto [end, code] =
        thriftlens::detail::read_number(value.data(), value.data() + value.size(), number);
    return code == std::errc() && end == value.data() + value.size();
  }
  static bool integer(std::string_view value, std::int64_t& number) noexcept {
    const int base = value.starts_with("0x") ? 16 : 10;
    if (base == 16) value.remove_prefix(2);
    auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number, base);
    return code == std::errc() && end == value.data() + value.size();
  }

  data& into_;
  const schema_image& image_;
  bool tolerant_;
  const char* last_reason_ = "";
  const char* reason_ = "";
  std::string bad_annotation_;
  std::size_t first_own_ = 0;  // sets from here on are of the field or place that is compiled
  std::unordered_map<std::uint32_t, std::uint32_t> places_;  // sets by written_type::place()
  std::vector<bool> seen_;
  std::vector<std::uint32_t> todo_;
};

THRIFTLENS_BODY result<rules> rules::try_compile(type of, bool tolerant) {
  rules compiled;
  if (!of) return compiled;
  auto filled = std::make_shared<data>();
  compiler work(*filled, *of.image(), tolerant);
  if (result<void> status = work.run(of.index()); !status) return status.error();
  compiled.data_ = std::move(filled);
  return compiled;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
