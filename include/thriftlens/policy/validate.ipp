// validate: bodies of validate.hpp.
#pragma once

#include <thriftlens/policy/validate.hpp>

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/located_error.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/id_set.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/protocol/walk.hpp>
#include <thriftlens/schema/walk_types.hpp>
#include <thriftlens/simd/utf8.hpp>
#include <thriftlens/text/pattern.hpp>
#include <thriftlens/view/explain.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

struct finding {
  fault cause;
  std::string message;
};

/// Walks over a value once and collects its faults.
template <protocol P>
class validation : public walk<validation<P>, P, schema_types> {
  using base = walk<validation<P>, P, schema_types>;
  friend base;

 public:
  using reader_type = typename P::reader;

  /// With `all_findings` null only the first fault is recorded, without message.
  validation(reader_type& in, const schema_image* image, const rules* checked,
             const validate_options& options, std::vector<finding>* all_findings) noexcept
      : base(in, image),
        image_(image),
        rules_(checked != nullptr && !checked->empty() ? checked : nullptr),
        options_(options),
        findings_(all_findings) {}

  /// Checks all bytes as one value. The first fault, or ok.
  [[nodiscard]] fault run(ttype wire, std::uint32_t type) {
    const bool read = value(wire, type, rules::none);
    if (in_.failed())
      report(in_.fault().code, in_.begin() + in_.fault().offset, in_.fault().field_id);
    else if (read && !in_.at_end())
      report(errc::trailing_bytes, in_.at());
    return first_;
  }

 private:
  using base::in_, base::types_;
  using form = rules::form;
  struct seen_field {
    std::int16_t id;
    ttype wire;  ///< stop if it differs from the IDL
  };
  /// Summary of a struct's fields once all have been read.
  struct field_summary {
    std::size_t first = 0;       ///< in seen_
    std::uint32_t required = 0;  ///< seen in their right type, duplicates too
    std::uint32_t members = 0;   ///< different ones that the IDL knows
    bool has_duplicates = false;
    const std::uint8_t* unknown = nullptr;  ///< the first that the IDL does not know
  };

  bool report(errc code, const std::uint8_t* at, std::int16_t id = 0, std::string message = {}) {
    const fault cause{code, id, static_cast<std::size_t>(at - in_.begin())};
    if (!first_) first_ = cause;
    if (findings_ == nullptr) return false;
    findings_->push_back({cause, std::move(message)});
    return findings_->size() < options_.max_findings;
  }
  bool mismatch(const walk_mismatch& conflict, std::uint32_t& type) {
    type = image::none;
    return report(errc::type_mismatch, conflict.begin, conflict.id);
  }
  [[nodiscard]] const rules::rule_set* rules_of(std::uint32_t set) const noexcept {
    return rules_ == nullptr || set == rules::none ? nullptr : &rules_->set(set);
  }
  [[nodiscard]] static std::string_view text(rules::form kind) noexcept { return rules::name(kind); }

  /// False if it stopped: at bytes that cannot be read, or with enough findings.
  bool value(ttype wire, std::uint32_t type, std::uint32_t set) {
    if (wire == ttype::struct_) return structure(type, set);
    if (wire == ttype::map) return entries(type, set);
    if (is_sequence(wire)) return elements(wire, type, set);
    return type == image::none ? in_.skip(wire) : scalar(wire, type, set, in_.at());
  }

  // ---- scalars ----

  bool scalar(ttype wire, std::uint32_t type, std::uint32_t set, const std::uint8_t* at) {
    if (wire == ttype::string) return string(type, set, at);
    if (wire == ttype::uuid) return in_.skip(wire);
    if (wire == ttype::double_) {
      double number = 0;
      return in_.read_double(number) && number_rules(rules_of(set), number, &rules::operand::real, at);
    }
    return integral(wire, type, rules_of(set), at);
  }
  bool integral(ttype wire, std::uint32_t type, const rules::rule_set* checked, const std::uint8_t* at) {
    std::int64_t number = 0;
    if (!integer(wire, number)) return false;
    const bool is_enum = image_->types[type].kind == type_kind::enum_;
    if (is_enum && !enum_value(type, static_cast<std::int32_t>(number), checked, at)) return false;
    return number_rules(checked, number, &rules::operand::number, at);
  }
  bool string(std::uint32_t type, std::uint32_t set, const std::uint8_t* at) {
    byte_view bytes;
    if (!in_.read_bytes(bytes)) return false;
    const bool must_be_utf8 =
        image_->types[type].kind == type_kind::string && options_.invalid_utf8 == on_invalid_utf8::error;
    if (must_be_utf8 && !simd::valid_utf8(bytes) && !report(errc::invalid_utf8, at)) return false;
    return text_rules(rules_of(set), bytes.text(), at);
  }
  bool integer(ttype wire, std::int64_t& number) noexcept {
    if (wire != ttype::bool_) return read_integer(in_, wire, number);
    bool truth = false;
    const bool read = in_.read_bool(truth);
    number = truth;
    return read;
  }
  bool enum_value(std::uint32_t type, std::int32_t number, const rules::rule_set* checked,
                  const std::uint8_t* at) {
    const bool is_checked = options_.enum_numbers == validate_options::enum_check::known;
    if (!is_checked && (checked == nullptr || !checked->defined_only)) return true;
    const image::enum_node& names = image_->enums[image_->types[type].first];
    if (image_->find_member(names, number) != image::none) return true;
    return report(errc::unknown_enum_value, at, 0, findings_ == nullptr ? "" : not_a_member(names, number));
  }
  [[nodiscard]] std::string not_a_member(const image::enum_node& names, std::int32_t number) const {
    return joined({number, " is not a member of ", image_->view(names.name)});
  }

  // ---- rules ----

  bool break_rule(const rules::rule& of, const std::uint8_t* at) {
    if (findings_ == nullptr) return report(errc::broken_rule, at);
    std::string message = joined({"the value breaks ", text(of.kind), " = "});
    for (std::size_t i = 0; i < of.operands.size(); ++i) {
      if (i != 0) message += ", ";
      append_quoted(message, of.operands[i].text);
    }
    return report(errc::broken_rule, at, 0, std::move(message));
  }
  template <class T>
  static bool keeps(const rules::rule& of, T value, T rules::operand::*side) noexcept {
    if (of.kind >= form::gt && of.kind <= form::le) return keeps_bound(of.kind, value, of.operands[0].*side);
    const auto equal = [&](const rules::operand& operand) { return operand.*side == value; };
    return std::ranges::any_of(of.operands, equal) == (of.kind != form::not_in);
  }
  template <class T>
  static bool keeps_bound(form kind, T value, T bound) noexcept {
    if (kind == form::gt) return value > bound;
    if (kind == form::ge) return value >= bound;
    return kind == form::lt ? value < bound : value <= bound;
  }
  template <class Keeps>
  bool all_rules(const rules::rule_set* checked, const std::uint8_t* at, Keeps keeps) {
    if (checked == nullptr) return true;
    for (const rules::rule& rule : checked->entries)
      if (!keeps(rule) && !break_rule(rule, at)) return false;
    return true;
  }
  template <class T>
  bool number_rules(const rules::rule_set* checked, T number, T rules::operand::*side,
                    const std::uint8_t* at) {
    return all_rules(checked, at, [&](const rules::rule& of) { return keeps(of, number, side); });
  }
  bool size_rules(const rules::rule_set* checked, std::size_t size, const std::uint8_t* at) {
    return all_rules(checked, at, [&](const rules::rule& of) { return keeps_size(of, size); });
  }
  [[nodiscard]] static bool keeps_size(const rules::rule& of, std::size_t size) noexcept {
    const auto bound = static_cast<std::uint64_t>(of.operands[0].number);
    return of.kind == form::min_size ? size >= bound : of.kind != form::max_size || size <= bound;
  }
  bool text_rules(const rules::rule_set* checked, std::string_view value, const std::uint8_t* at) {
    return all_rules(checked, at, [&](const rules::rule& of) { return keeps_text(of, value); });
  }
  bool keeps_text(const rules::rule& of, std::string_view value) const {
    // Linear even so; but text times expression is more than a byte of input should cost.
    constexpr std::size_t max_size_for_pattern = std::size_t{1} << 20;
    if (of.kind == form::min_size || of.kind == form::max_size) return keeps_size(of, value.size());
    if (of.kind >= form::prefix && of.kind <= form::not_contains)
      return keeps_part(of.kind, value, of.operands[0].text);
    if (of.kind != form::pattern) return keeps(of, value, &rules::operand::text);
    return value.size() <= max_size_for_pattern && rules_->expression(of.pattern).matches(value);
  }
  [[nodiscard]] static bool keeps_part(form kind, std::string_view value, std::string_view part) noexcept {
    if (kind == form::prefix) return value.starts_with(part);
    if (kind == form::suffix) return value.ends_with(part);
    return (value.find(part) != std::string_view::npos) == (kind == form::contains);
  }

  // ---- structs ----

  bool structure(std::uint32_t type, std::uint32_t set) {
    const rules::rule_set* outer_rules = rules_of(set);
    const rules* const checked = rules_;
    if (outer_rules != nullptr && outer_rules->skip) rules_ = nullptr;
    const bool ok = fields(type);
    rules_ = checked;
    return ok;
  }
  bool fields(std::uint32_t type) {
    const image::struct_node* known = types_.structure(type);
    field_summary summary{seen_.size()};
    id_set<P> ids(first_field());
    const bool ok = this->each_field(type, [&](const walked_field& field) {
      return note_field(field, known, ids, summary) && field_value(field);
    });
    const bool good = ok && (known == nullptr || check_fields(*known, summary));
    seen_.resize(summary.first);
    return good;
  }
  /// The reader's position after it opens the struct that it is at.
  [[nodiscard]] wire_position first_field() const noexcept {
    wire_position at = in_.here();
    at.last_id = 0;
    return at;
  }
  bool note_field(const walked_field& field, const image::struct_node* known, id_set<P>& ids,
                  field_summary& summary) {
    const bool is_new = ids.add(field.header.id, in_, field.begin);
    if (known != nullptr && field.node == image::none) return unknown_field(field, summary);
    if (known != nullptr) note_known(field, summary);
    if (is_new) return known == nullptr || note_member(field, *known, summary);
    summary.has_duplicates = true;
    return report(errc::duplicate_field, field.begin, field.header.id);
  }
  bool note_member(const walked_field& field, const image::struct_node& known, field_summary& summary) {
    const bool is_second = ++summary.members == 2 && known.kind == type_kind::union_;
    return !is_second || report(errc::union_members, field.begin, field.header.id);
  }
  /// Unknown fields may repeat.
  bool unknown_field(const walked_field& field, field_summary& summary) {
    if (summary.unknown == nullptr) summary.unknown = field.begin;
    return options_.unknown != on_unknown::error || report(errc::unknown_field, field.begin, field.header.id);
  }
  void note_known(const walked_field& field, field_summary& summary) {
    if (field.fits && (image_->fields[field.node].flags & image::required) != 0) ++summary.required;
    seen_.push_back({field.header.id, field.fits ? field.header.type : ttype::stop});
  }
  bool field_value(const walked_field& field) {
    if (field.type == image::none) return value(field.header.type, image::none, rules::none);
    const std::uint32_t set = rules_ == nullptr ? rules::none : rules_->of_field(field.node);
    // A bool of Compact has no bytes of its own: its position is the header's.
    if (field.header.type == ttype::bool_) return scalar(ttype::bool_, field.type, set, field.begin);
    return value(field.header.type, field.type, set);
  }
  /// Faults of a struct itself are reported after its fields.
  bool check_fields(const image::struct_node& known, const field_summary& summary) {
    const bool is_foreign = summary.unknown != nullptr && summary.members == 0 &&
                            options_.foreign == validate_options::foreign_check::error;
    if (is_foreign && !report_foreign(known, summary.unknown)) return false;
    const bool has_required = options_.missing_required == on_missing::omit ||
                              (!summary.has_duplicates && summary.required == known.required_count);
    return (has_required && rules_ == nullptr) || check_absent(known, summary, !has_required);
  }
  bool report_foreign(const image::struct_node& known, const std::uint8_t* at) {
    if (findings_ == nullptr) return report(errc::foreign_struct, at);
    const std::string name(image_->view(known.name));
    if (known.kind == type_kind::union_)
      return report(
          errc::foreign_struct, at, 0,
          joined({"the member is not in ", name, ": the IDL is older, or this is a different type"}));
    return report(errc::foreign_struct, at, 0,
                  joined({"none of the fields is in ", name, ": this is probably a different type"}));
  }
  bool check_absent(const image::struct_node& known, const field_summary& summary, bool checks_required) {
    std::ranges::sort(seen_from(summary.first), {}, &seen_field::id);
    for (std::uint32_t at = known.fields.begin; at < known.fields.begin + known.fields.size; ++at) {
      const image::field_node& field = image_->fields[at];
      const bool is_required = checks_required && (field.flags & image::required) != 0;
      if (!is_required && !must_not_be_nil(at)) continue;
      if (!was_seen(field, summary.first) && !absent(at, is_required)) return false;
    }
    return true;
  }
  [[nodiscard]] std::span<seen_field> seen_from(std::size_t first) noexcept {
    return std::span(seen_).subspan(first);
  }
  [[nodiscard]] const std::uint8_t* stop() const noexcept { return in_.at() - 1; }
  [[nodiscard]] bool must_not_be_nil(std::uint32_t field) const noexcept {
    const rules::rule_set* checked = rules_ == nullptr ? nullptr : rules_of(rules_->of_field(field));
    return checked != nullptr && checked->not_nil;
  }
  [[nodiscard]] bool was_seen(const image::field_node& field, std::size_t first) noexcept {
    const auto same_id = std::ranges::equal_range(seen_from(first), field.id, {}, &seen_field::id);
    return std::ranges::any_of(same_id, [&](const seen_field& seen) { return seen.wire == field.wire; });
  }
  bool absent(std::uint32_t field, bool is_required) {
    const std::int16_t id = image_->fields[field].id;
    if (is_required) return report(errc::missing_required, stop(), id);
    if (findings_ == nullptr) return report(errc::broken_rule, stop(), id);
    return report(errc::broken_rule, stop(), id,
                  joined({"field '", image_->field_name(field), "' is absent, which breaks vt.not_nil"}));
  }

  // ---- containers ----

  bool elements(ttype wire, std::uint32_t type, std::uint32_t set) {
    return this->in_sequence(wire, type,
                             [&](const list_header& list, std::uint32_t element, const std::uint8_t* begin) {
                               const rules::rule_set* checked = rules_of(set);
                               if (!size_rules(checked, list.size, begin)) return false;
                               if (wire == ttype::set && !unique({list.element, ttype::stop, list.size}))
                                 return false;
                               const std::uint32_t inner = inner_rules(checked, &rules::rule_set::element);
                               return repeat(list.size, [&] { return value(list.element, element, inner); });
                             });
  }
  template <class Step>
  [[nodiscard]] static bool repeat(std::uint32_t count, Step step) {
    for (; count != 0; --count)
      if (!step()) return false;
    return true;
  }
  bool entries(std::uint32_t type, std::uint32_t set) {
    return this->in_map(
        type, [&](const map_header& map, std::uint32_t key, std::uint32_t item, const std::uint8_t* begin) {
          const rules::rule_set* checked = rules_of(set);
          if (!size_rules(checked, map.size, begin) || !unique(map)) return false;
          const std::uint32_t key_rules = inner_rules(checked, &rules::rule_set::key),
                              item_rules = inner_rules(checked, &rules::rule_set::value);
          return repeat(map.size,
                        [&] { return value(map.key, key, key_rules) && value(map.value, item, item_rules); });
        });
  }
  [[nodiscard]] static std::uint32_t inner_rules(const rules::rule_set* checked,
                                                 std::uint32_t rules::rule_set::*which) noexcept {
    return checked == nullptr ? rules::none : checked->*which;
  }
  /// Reports the first key (of a set, whose value type is stop: the first element) that equals an earlier
  /// one, if the options say so.
  bool unique(const map_header& map) {
    if (options_.keys != validate_options::key_check::unique || map.size < 2) return true;
    reader_type at = in_;
    const std::size_t repeated = find_repeated_key<P>(at, map);
    if (repeated == repeated_keys::none || !skip_to_entry(at, map, repeated)) return true;
    return report(errc::duplicate_key, at.at());
  }

  const schema_image* image_;
  const rules* rules_;
  const validate_options& options_;
  std::vector<finding>* findings_;
  std::vector<seen_field> seen_;
  fault first_;
};

}  // namespace detail

template <protocol P>
fault check_value(byte_view bytes, ttype wire, type of, const limits& bounds) {
  if (!is_value_type(wire) || (of && of.wire() != wire)) return {.code = errc::type_mismatch};
  const validate_options options{.limits = bounds,
                                 .invalid_utf8 = on_invalid_utf8::keep,
                                 .enum_numbers = validate_options::enum_check::any};
  typename P::reader in(bytes, bounds);
  return detail::validation<P>(in, of.image(), nullptr, options, nullptr)
      .run(wire, of ? of.index() : detail::image::none);
}

namespace detail {
[[nodiscard]] inline std::optional<error> find_bad_option(const validate_options& of) {
  return find_bad_option({{"unknown", of.unknown},
                          {"invalid_utf8", of.invalid_utf8},
                          {"missing_required", of.missing_required}});
}
}  // namespace detail

THRIFTLENS_BODY result<validator> validator::try_compile(type of, const validate_options& options) {
  if (std::optional<error> bad = detail::find_bad_option(options)) [[unlikely]]
    return *std::move(bad);
  validator checker(of, options);
  if (options.rules == validate_options::rule_check::ignore) return checker;
  result<detail::rules> compiled =
      detail::rules::try_compile(of, options.bad_rules == validate_options::bad_rule_check::ignore);
  if (!compiled) return std::move(compiled).error();
  checker.rules_ = std::move(*compiled);
  return checker;
}
template <protocol P>
fault validator::first_fault(byte_view bytes) const {
  return walk<P>(bytes, nullptr);
}
template <protocol P>
std::vector<error> validator::findings(byte_view bytes) const {
  std::vector<detail::finding> results;
  if (options_.max_findings != 0) static_cast<void>(walk<P>(bytes, &results));
  std::vector<error> explained;
  explained.reserve(results.size());
  for (detail::finding& result : results) explained.push_back(words_of<P>(bytes, result));
  return explained;
}
template <protocol P>
error validator::words_of(byte_view bytes, detail::finding& of) const {
  error explained = detail::explain<P>(bytes, of_, of.cause, options_.limits);
  if (of.message.empty()) return explained;
  std::string path = explained.path();
  if (of.cause.code == errc::foreign_struct)
    path.resize((std::min)(path.rfind(".#"), path.size()));  // to the struct itself
  return error(of.cause.code, std::move(of.message), of.cause.offset, std::move(path));
}
template <protocol P>
fault validator::walk(byte_view bytes, std::vector<detail::finding>* findings_out) const {
  typename P::reader in(bytes, options_.limits);
  return detail::validation<P>(in, of_.image(), &rules_, options_, findings_out)
      .run(of_ ? of_.wire() : ttype::struct_, of_ ? of_.index() : detail::image::none);
}

template <protocol P>
result<void> try_validate(const view<P>& of, validate_options options) {
  if (of.code() != errc::ok) return of.error();
  const result<byte_view> bytes = of.is_root() ? result<byte_view>(of.whole()) : of.try_bytes();
  if (!bytes) return bytes.error();
  options.max_findings = 1;
  const result<validator> compiled = validator::try_compile(of.type(), options);
  if (!compiled) return compiled.error();
  const std::vector<error> results = compiled->template findings<P>(*bytes);
  return results.empty() ? result<void>() : detail::located_error(of, results.front());
}

#if defined(THRIFTLENS_COMPILED)
template fault check_value<binary>(byte_view, ttype, type, const limits&);
template fault validator::first_fault<binary>(byte_view) const;
template std::vector<error> validator::findings<binary>(byte_view) const;
template result<void> try_validate(const view<binary>&, validate_options);
template fault check_value<compact>(byte_view, ttype, type, const limits&);
template fault validator::first_fault<compact>(byte_view) const;
template std::vector<error> validator::findings<compact>(byte_view) const;
template result<void> try_validate(const view<compact>&, validate_options);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
