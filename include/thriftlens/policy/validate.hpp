// validate: whether wire bytes are what their IDL says, down to the last byte, and whether they keep its vt
// rules. In: bytes and a type, or a view. Out: nothing wrong, the first fault, or a bounded list of findings
// with path and offset. Never stops at the first finding unless asked to; never goes on where the bytes
// cannot be read any further.
#pragma once

#include <thriftlens/core/missing.hpp>
#include <thriftlens/policy/rules.hpp>
#include <thriftlens/protocol/canonical.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/simd/utf8.hpp>
#include <thriftlens/view/explain.hpp>
#include <thriftlens/view/view.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What is looked for. First value = default.
struct validate_options {
  limits bounds = {};
  std::size_t most_findings = 64;
  enum class unknown_fields : unsigned char { keep, error } unknown = unknown_fields::keep;
  enum class utf8_check : unsigned char { error, keep } utf8 = utf8_check::error;
  enum class enum_check : unsigned char { known, any } enums = enum_check::known;
  enum class key_check : unsigned char {
    any,
    unique
  } keys = key_check::any;  ///< of maps, and elements of sets; by value
  enum class rule_check : unsigned char { error, ignore } rules = rule_check::error;  ///< the vt annotations
  enum class bad_rule_check : unsigned char { error, ignore } bad_rules = bad_rule_check::error;
  /// Required fields that are absent, as trim may have left them out. vt.not_nil is a rule, which holds all
  /// the same.
  thriftlens::missing_required missing_required = thriftlens::missing_required::error;
};

namespace detail {

/// One finding of the walk, before it has words.
struct finding {
  fault what;
  std::string words;
};

/// Walks over a value once and collects what is wrong with it.
template <protocol P>
class validation {
 public:
  using reader_type = typename P::reader;

  /// With `all` null only the first fault is kept, and no words are made.
  validation(reader_type in, const schema_image* image, const rules* kept, const validate_options& options,
             std::vector<finding>* all) noexcept
      : in_(in),
        image_(image),
        rules_(kept != nullptr && !kept->empty() ? kept : nullptr),
        options_(options),
        all_(all) {}

  /// False where it stopped: at bytes that cannot be read, or with enough findings.
  bool value(ttype wire, std::uint32_t type, std::uint32_t set = rules::none) {
    if (wire == ttype::struct_) return fields(type, set);
    if (wire == ttype::map) return entries(type, set);
    if (wire == ttype::list || wire == ttype::set) return elements(wire, type, set);
    if (type == image::none) return skip(wire);
    return scalar(wire, type, set, in_.at());
  }
  [[nodiscard]] const fault& first() const noexcept { return first_; }
  [[nodiscard]] reader_type& reader() noexcept { return in_; }
  bool report(errc code, const std::uint8_t* at, std::int16_t id = 0, std::string words = {}) {
    const fault met{code, id, static_cast<std::size_t>(at - in_.begin())};
    if (!first_) first_ = met;
    if (all_ == nullptr) return false;
    all_->push_back({met, std::move(words)});
    return all_->size() < options_.most_findings;
  }

 private:
  using form = rules::form;
  struct met_field {
    std::int16_t id;
    ttype wire;
    const std::uint8_t* at;
  };

  bool broken() {
    return report(in_.fault().code, in_.begin() + in_.fault().offset, in_.fault().field_id), false;
  }
  bool skip(ttype wire) { return in_.skip(wire) || broken(); }
  [[nodiscard]] const rules::rule_set* rules_of(std::uint32_t set) const noexcept {
    return rules_ == nullptr || set == rules::none ? nullptr : &rules_->set(set);
  }
  [[nodiscard]] static std::string_view text(rules::form kind) noexcept { return rules::name(kind); }

  // ---- scalars ----

  bool scalar(ttype wire, std::uint32_t type, std::uint32_t set, const std::uint8_t* at) {
    const type_kind kind = image_->types[type].kind;
    if (wire == ttype::string) {
      std::string_view bytes;
      if (!in_.read_bytes(bytes)) return broken();
      if (kind == type_kind::string && options_.utf8 == validate_options::utf8_check::error &&
          !simd::valid_utf8(byte_view(bytes.data(), bytes.size())) && !report(errc::invalid_utf8, at))
        return false;
      return text_rules(rules_of(set), bytes, at);
    }
    if (wire == ttype::double_) {
      double number = 0;
      if (!in_.read_double(number)) return broken();
      return number_rules(rules_of(set), 0, number, true, at);
    }
    if (wire == ttype::uuid) return skip(wire);
    std::int64_t number = 0;
    if (!integer(wire, number)) return broken();
    if (kind == type_kind::enum_ && !enum_value(type, static_cast<std::int32_t>(number), rules_of(set), at))
      return false;
    return number_rules(rules_of(set), number, 0, false, at);
  }
  bool integer(ttype wire, std::int64_t& number) noexcept {
    bool truth = false;
    std::int8_t i8 = 0;
    std::int16_t i16 = 0;
    std::int32_t i32 = 0;
    if (wire == ttype::i64) return in_.read_i64(number);
    const bool read = wire == ttype::i32   ? in_.read_i32(i32)
                      : wire == ttype::i16 ? in_.read_i16(i16)
                      : wire == ttype::i8  ? in_.read_i8(i8)
                                           : in_.read_bool(truth);
    number = std::int64_t{i32} + i16 + i8 + (truth ? 1 : 0);
    return read;
  }
  bool enum_value(std::uint32_t type, std::int32_t number, const rules::rule_set* kept,
                  const std::uint8_t* at) {
    if (options_.enums == validate_options::enum_check::any && (kept == nullptr || !kept->defined_only))
      return true;
    const image::enum_node& names = image_->enums[image_->types[type].first];
    if (image_->find_member(names, number) != image::none) return true;
    return report(errc::unknown_enum_value, at, 0,
                  all_ == nullptr ? std::string()
                                  : std::to_string(number) + " is not a member of " +
                                        std::string(image_->view(names.name)));
  }

  // ---- rules ----

  bool break_rule(const rules::rule& of, const std::uint8_t* at) {
    if (all_ == nullptr) return report(errc::broken_rule, at);
    std::string words = "the value breaks " + std::string(text(of.kind)) + " = ";
    for (std::size_t i = 0; i < of.operands.size(); ++i) {
      if (i != 0) words += ", ";
      append_quoted(words, of.operands[i].text);
    }
    return report(errc::broken_rule, at, 0, std::move(words));
  }
  template <class T>
  static bool keeps(const rules::rule& of, T value, T rules::operand::*side) noexcept {
    const auto equal = [&](const rules::operand& each) { return each.*side == value; };
    const T bound = of.operands[0].*side;
    if (of.kind == form::gt) return value > bound;
    if (of.kind == form::ge) return value >= bound;
    if (of.kind == form::lt) return value < bound;
    if (of.kind == form::le) return value <= bound;
    if (of.kind == form::not_in) return std::none_of(of.operands.begin(), of.operands.end(), equal);
    return std::any_of(of.operands.begin(), of.operands.end(), equal);
  }
  bool number_rules(const rules::rule_set* kept, std::int64_t number, double real, bool is_real,
                    const std::uint8_t* at) {
    if (kept == nullptr) return true;
    for (const rules::rule& each : kept->all) {
      const bool good =
          is_real ? keeps(each, real, &rules::operand::real) : keeps(each, number, &rules::operand::number);
      if (!good && !break_rule(each, at)) return false;
    }
    return true;
  }
  bool size_rules(const rules::rule_set* kept, std::size_t size, const std::uint8_t* at) {
    if (kept == nullptr) return true;
    for (const rules::rule& each : kept->all) {
      const auto bound = static_cast<std::uint64_t>(each.operands[0].number);
      const bool good = each.kind == form::min_size   ? size >= bound
                        : each.kind == form::max_size ? size <= bound
                                                      : true;
      if (!good && !break_rule(each, at)) return false;
    }
    return true;
  }
  bool text_rules(const rules::rule_set* kept, std::string_view value, const std::uint8_t* at) {
    if (kept == nullptr) return true;
    for (const rules::rule& each : kept->all)
      if (!keeps_text(each, value) && !break_rule(each, at)) return false;
    return true;
  }
  bool keeps_text(const rules::rule& of, std::string_view value) const {
    // Linear even so; but text times expression is more than a byte of input should cost.
    constexpr std::size_t longest_for_pattern = std::size_t{1} << 20;
    const std::string_view wanted = of.operands[0].text;
    const auto bound = static_cast<std::uint64_t>(of.operands[0].number);
    if (of.kind == form::min_size) return value.size() >= bound;
    if (of.kind == form::max_size) return value.size() <= bound;
    if (of.kind == form::prefix) return value.starts_with(wanted);
    if (of.kind == form::suffix) return value.ends_with(wanted);
    if (of.kind == form::contains) return value.find(wanted) != std::string_view::npos;
    if (of.kind == form::not_contains) return value.find(wanted) == std::string_view::npos;
    if (of.kind == form::pattern)
      return value.size() <= longest_for_pattern && rules_->expression(of.pattern).matches(value);
    return keeps(of, value, &rules::operand::text);
  }

  // ---- structs ----

  bool fields(std::uint32_t type, std::uint32_t set) {
    const rules::rule_set* outer_rules = rules_of(set);
    const rules* const kept = rules_;
    if (outer_rules != nullptr && outer_rules->skip) rules_ = nullptr;
    const bool done = read_fields(type);
    rules_ = kept;
    return done;
  }
  bool read_fields(std::uint32_t type) {
    const image::struct_node* known =
        type == image::none ? nullptr : &image_->structs[image_->types[type].first];
    const std::size_t base = met_.size();
    const struct_mark outer = in_.begin_struct();
    bool ascending = true;
    std::uint32_t required = 0, members = 0;
    for (;;) {
      const std::uint8_t* at = in_.at();
      field_header header;
      if (!in_.read_field(header)) return broken();
      if (header.type == ttype::stop) break;
      ascending = ascending && (met_.size() == base || met_.back().id < header.id);
      const std::uint32_t field = known == nullptr ? image::none : image_->find_field(*known, header.id);
      bool fits = true;
      if (field != image::none) {
        const image::field_node& node = image_->fields[field];
        ++members;
        fits = node.wire == header.type;
        if (!fits && !report(errc::type_mismatch, at, header.id)) return false;
        if (fits && (node.flags & image::required) != 0) ++required;
      } else if (known != nullptr && options_.unknown == validate_options::unknown_fields::error &&
                 !report(errc::unknown_field, at, header.id)) {
        return false;
      }
      met_.push_back({header.id, fits ? header.type : ttype::stop, at});
      if (!field_value(header, field, fits, at)) return false;
    }
    in_.end_struct(outer);
    const bool done =
        known == nullptr && ascending ? true : check_fields(known, base, ascending, required, members);
    met_.resize(base);
    return done;
  }
  bool field_value(const field_header& header, std::uint32_t field, bool fits, const std::uint8_t* at) {
    if (field == image::none || !fits) return value(header.type, image::none);
    const std::uint32_t type = image_->fields[field].type;
    const std::uint32_t set = rules_ == nullptr ? rules::none : rules_->of_field(field);
    // A bool of Compact has no bytes of its own: its header is the place.
    if (header.type == ttype::bool_) return scalar(header.type, type, set, at);
    return value(header.type, type, set);
  }
  bool check_fields(const image::struct_node* known, std::size_t base, bool ascending, std::uint32_t required,
                    std::uint32_t members) {
    const std::uint8_t* const stop =
        in_.at() - 1;  // what is wrong with a struct as a whole is said at its end
    const auto first = met_.begin() + static_cast<std::ptrdiff_t>(base);
    if (!ascending) {
      std::stable_sort(first, met_.end(),
                       [](const met_field& left, const met_field& right) { return left.id < right.id; });
      for (auto at = first; at != met_.end() && at + 1 != met_.end(); ++at)
        if (at->id == (at + 1)->id && is_known(known, at->id) &&
            !report(errc::duplicate_field, (at + 1)->at, at->id))
          return false;
    }
    if (known == nullptr) return true;
    if (known->kind == type_kind::union_ && members > 1 && !report(errc::union_members, stop)) return false;
    const bool omits = options_.missing_required == missing_required::omit;
    const bool all_required = omits || (ascending && required == known->required_count);
    if (all_required && rules_ == nullptr) return true;
    for (std::uint32_t at = known->fields.begin; at < known->fields.begin + known->fields.size; ++at) {
      const image::field_node& field = image_->fields[at];
      const rules::rule_set* kept = rules_ == nullptr ? nullptr : rules_of(rules_->of_field(at));
      const bool is_required = !all_required && (field.flags & image::required) != 0;
      if (!is_required && (kept == nullptr || !kept->not_nil)) continue;
      const auto found = std::lower_bound(
          first, met_.end(), field.id, [](const met_field& each, std::int16_t id) { return each.id < id; });
      if (found != met_.end() && found->id == field.id && found->wire == field.wire) continue;
      if (!absent(at, field, is_required, stop)) return false;
    }
    return true;
  }
  // What the IDL does not know may stand as often as it likes; without a schema any field may be one that
  // counts.
  [[nodiscard]] bool is_known(const image::struct_node* known, std::int16_t id) const noexcept {
    return known == nullptr || image_->find_field(*known, id) != image::none;
  }
  bool absent(std::uint32_t at, const image::field_node& field, bool is_required, const std::uint8_t* stop) {
    if (is_required) return report(errc::missing_required, stop, field.id);
    if (all_ == nullptr) return report(errc::broken_rule, stop, field.id);
    return report(errc::broken_rule, stop, field.id,
                  "field '" + std::string(image_->view(image_->field_texts[at].name)) +
                      "' is absent, which breaks vt.not_nil");
  }

  // ---- containers ----

  bool elements(ttype wire, std::uint32_t type, std::uint32_t set) {
    const std::uint8_t* const begin = in_.at();
    list_header list;
    if (!(wire == ttype::set ? in_.read_set(list) : in_.read_list(list)) || !in_.enter()) return broken();
    std::uint32_t element = type == image::none ? image::none : image_->types[type].first;
    if (element != image::none && list.size != 0 && image_->types[element].wire != list.element) {
      if (!report(errc::type_mismatch, begin)) return false;
      element = image::none;
    }
    const rules::rule_set* kept = rules_of(set);
    if (!size_rules(kept, list.size, begin)) return false;
    const std::uint32_t inner = kept == nullptr ? rules::none : kept->element;
    if (wire == ttype::set && options_.keys == validate_options::key_check::unique &&
        !unique(list.element, ttype::stop, list.size, begin))
      return false;
    for (std::uint32_t i = 0; i < list.size; ++i)
      if (!value(list.element, element, inner)) return false;
    in_.leave();
    return true;
  }
  bool entries(std::uint32_t type, std::uint32_t set) {
    const std::uint8_t* const begin = in_.at();
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return broken();
    std::uint32_t key = image::none, inside = image::none;
    if (type != image::none) {
      key = image_->types[type].first;
      inside = image_->types[type].second;
      if (map.size != 0 && (image_->types[key].wire != map.key || image_->types[inside].wire != map.value)) {
        if (!report(errc::type_mismatch, begin)) return false;
        key = inside = image::none;
      }
    }
    const rules::rule_set* kept = rules_of(set);
    if (!size_rules(kept, map.size, begin)) return false;
    const std::uint32_t key_rules = kept == nullptr ? rules::none : kept->key,
                        value_rules = kept == nullptr ? rules::none : kept->value;
    if (options_.keys == validate_options::key_check::unique && !unique(map.key, map.value, map.size, begin))
      return false;
    for (std::uint32_t i = 0; i < map.size; ++i)
      if (!value(map.key, key, key_rules) || !value(map.value, inside, value_rules)) return false;
    in_.leave();
    return true;
  }
  // Reads the keys ahead, in canonical bytes, and leaves the reader where it was.
  bool unique(ttype key, ttype inside, std::uint32_t size, const std::uint8_t* begin) {
    if (size < 2) return true;
    reader_type ahead = in_;
    buffer bytes;
    std::vector<std::pair<std::size_t, std::size_t>> keys;
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::size_t at = bytes.size();
      if (!canonical_writer<P>(ahead, bytes).value(key) || (inside != ttype::stop && !ahead.skip(inside)))
        return true;  // the walk will say why
      keys.emplace_back(at, bytes.size() - at);
    }
    const auto text_of = [&](const std::pair<std::size_t, std::size_t>& each) {
      return bytes.text().substr(each.first, each.second);
    };
    std::sort(keys.begin(), keys.end(),
              [&](const auto& left, const auto& right) { return text_of(left) < text_of(right); });
    const auto twice = std::adjacent_find(keys.begin(), keys.end(), [&](const auto& left, const auto& right) {
      return text_of(left) == text_of(right);
    });
    return twice == keys.end() || report(errc::duplicate_key, begin);
  }

  reader_type in_;
  const schema_image* image_;
  const rules* rules_;
  const validate_options& options_;
  std::vector<finding>* all_;
  std::vector<met_field> met_;
  fault first_;
};

}  // namespace detail

/// Whether all of `bytes` are one value of that wire type and, where `of` is given, of that type: structure,
/// wire types, required fields, fields that stand twice, union members. The first fault, or ok. Linear.
template <protocol P>
[[nodiscard]] fault check_value(byte_view bytes, ttype wire, type of, const limits& bounds = {}) {
  validate_options options{.bounds = bounds,
                           .utf8 = validate_options::utf8_check::keep,
                           .enums = validate_options::enum_check::any};
  detail::validation<P> walk(typename P::reader(bytes, bounds), of.image(), nullptr, options, nullptr);
  if (!is_value_type(wire) || (of && of.wire() != wire)) return {errc::type_mismatch, 0, 0};
  if (walk.value(wire, of ? of.index() : image::none) && !walk.reader().at_end())
    walk.report(errc::trailing_bytes, walk.reader().at());
  return walk.first();
}

/// Checks values of one type; the rules of its fields are compiled once. A value; threads may share it. Good
/// while the schema lives.
class validator {
 public:
  /// Error: bad_rule, unless options.bad_rules ignores what is not understood.
  [[nodiscard]] static result<validator> try_compile(type of, const validate_options& options = {}) {
    validator made(of, options);
    if (options.rules == validate_options::rule_check::ignore) return made;
    result<thriftlens::rules> compiled =
        thriftlens::rules::try_compile(of, options.bad_rules == validate_options::bad_rule_check::ignore);
    if (!compiled) return std::move(compiled).error();
    made.rules_ = std::move(*compiled);
    return made;
  }
  [[nodiscard]] static validator compile(type of, const validate_options& options = {}) {
    return try_compile(of, options).value();
  }

  /// The first thing that is wrong with the bytes, all of them, or ok. Makes no words.
  template <protocol P>
  [[nodiscard]] fault first_fault(byte_view bytes) const {
    return walk<P>(bytes, nullptr);
  }
  template <protocol P>
  [[nodiscard]] bool valid(byte_view bytes) const {
    return !first_fault<P>(bytes);
  }
  /// All that is wrong, at most options.most_findings, in the order of the bytes (what concerns a whole
  /// struct behind its fields): each with words, path and offset. Finding a path costs as much as reading the
  /// bytes once more.
  template <protocol P>
  [[nodiscard]] std::vector<error> findings(byte_view bytes) const {
    std::vector<detail::finding> met;
    if (options_.most_findings != 0) static_cast<void>(walk<P>(bytes, &met));
    std::vector<error> made;
    made.reserve(met.size());
    for (detail::finding& each : met) {
      error explained = explain<P>(bytes, of_, each.what, options_.bounds);
      if (each.words.empty())
        made.push_back(std::move(explained));
      else
        made.emplace_back(each.what.code, std::move(each.words), each.what.offset, explained.path());
    }
    return made;
  }

 private:
  validator(type of, const validate_options& options) noexcept : of_(of), options_(options) {}

  template <protocol P>
  [[nodiscard]] fault walk(byte_view bytes, std::vector<detail::finding>* all) const {
    detail::validation<P> work(typename P::reader(bytes, options_.bounds), of_.image(), &rules_, options_,
                               all);
    const bool through = work.value(of_ ? of_.wire() : ttype::struct_, of_ ? of_.index() : image::none);
    if (through && !work.reader().at_end()) work.report(errc::trailing_bytes, work.reader().at());
    return work.first();
  }

  type of_;
  validate_options options_;
  rules rules_;
};

/// Checks a value through its view; offsets and paths count from that value. The root is all of its bytes:
/// what stands behind the value is trailing_bytes. Compiles the rules anew: keep a validator for many.
template <protocol P>
[[nodiscard]] result<void> try_validate(const view<P>& of, validate_options options = {}) {
  if (of.code() != errc::ok) return of.error();
  result<byte_view> bytes = of.is_root() ? result<byte_view>(of.whole()) : of.try_bytes();
  if (!bytes) return std::move(bytes).error();
  options.most_findings = 1;
  result<validator> made = validator::try_compile(of.type(), options);
  if (!made) return std::move(made).error();
  std::vector<error> found = made->template findings<P>(*bytes);
  if (!found.empty()) return std::move(found.front());
  return {};
}
/// Raises the first finding.
template <protocol P>
void validate(const view<P>& of, const validate_options& options = {}) {
  try_validate(of, options).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
