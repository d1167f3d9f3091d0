// infer: bodies of infer.hpp.
#pragma once

#include <thriftlens/compare/infer.hpp>

#include <thriftlens/core/error.hpp>
#include <thriftlens/core/first_error.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/protocol/walk.hpp>
#include <thriftlens/simd/utf8.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Walks one sample. What walks call a type is the number of a place here; detail::no_type where nothing is
/// learned.
template <protocol P>
class infer_walk : public detail::walk<infer_walk<P>, P> {
  using base = detail::walk<infer_walk<P>, P>;
  friend base;

 public:
  infer_walk(typename P::reader& in, inference& to) noexcept : base(in), to_(to) {}
  [[nodiscard]] bool run() { return structure(0); }

 private:
  using base::in_;

  bool value(ttype wire, std::uint32_t at) {
    return at == detail::no_type ? in_.skip(wire) : base::value(wire, at);
  }
  bool structure(std::uint32_t at) {
    ++to_.seen_[at].count;
    return this->each_field(at, [&](const detail::walked_field& field) {
      return value(field.header.type, field_place(at, field.header));
    });
  }
  [[nodiscard]] std::uint32_t field_place(std::uint32_t at, const field_header& header) {
    auto& fields = to_.seen_[at].fields;
    auto found = std::lower_bound(fields.begin(), fields.end(), header.id,
                                  [](const inference::field& each, std::int16_t id) { return each.id < id; });
    if (found == fields.end() || found->id != header.id) found = fields.insert(found, {.id = header.id});
    ++found->count;
    for (const std::uint32_t each : found->places)
      if (to_.seen_[each].wire == header.type) return each;
    const auto index = found - fields.begin();
    const std::uint32_t made = to_.make(header.type);
    if (made == 0) return detail::no_type;
    to_.seen_[at].fields[static_cast<std::size_t>(index)].places.push_back(made);  // make() may have moved it
    return made;
  }
  /// The place of elements, keys or values; `which` says in which of them its number stands.
  [[nodiscard]] std::uint32_t part(std::uint32_t at, std::uint32_t inference::place::*which, ttype wire) {
    if (to_.seen_[at].*which == 0) {
      const std::uint32_t made = to_.make(wire);
      if (made == 0) return detail::no_type;
      to_.seen_[at].*which = made;
    }
    const std::uint32_t found = to_.seen_[at].*which;
    if (to_.seen_[found].count == 0) to_.seen_[found].wire = wire;  // until now all were empty
    if (to_.seen_[found].wire == wire) return found;
    to_.seen_[at].has_other = true;
    return detail::no_type;
  }
  // What the header of an empty container says of its contents: not more than that.
  void note_empty(std::uint32_t at, std::uint32_t inference::place::*which, ttype wire) {
    if (is_value_type(wire) && to_.seen_[at].*which == 0) static_cast<void>(part(at, which, wire));
  }
  bool sequence(ttype wire, std::uint32_t at) {
    ++to_.seen_[at].count;
    return this->in_sequence(wire, detail::no_type, [&](const list_header& list, auto...) {
      if (list.size == 0) {
        note_empty(at, &inference::place::first, list.element);
        return true;
      }
      const std::uint32_t element = part(at, &inference::place::first, list.element);
      for (std::uint32_t i = 0; i < list.size; ++i)
        if (!value(list.element, element)) return false;
      return true;
    });
  }
  bool mapping(std::uint32_t at) {
    ++to_.seen_[at].count;
    return this->in_map(detail::no_type, [&](const map_header& map, auto...) {
      if (map.size == 0) {
        if (P::traits.has_fixed_layout) {  // Compact's says nothing
          note_empty(at, &inference::place::first, map.key);
          note_empty(at, &inference::place::second, map.value);
        }
        return true;
      }
      const std::uint32_t key = part(at, &inference::place::first, map.key);
      const std::uint32_t item = part(at, &inference::place::second, map.value);
      for (std::uint32_t i = 0; i < map.size; ++i)
        if (!value(map.key, key) || !value(map.value, item)) return false;
      return true;
    });
  }
  bool scalar(ttype wire, std::uint32_t at) {
    inference::place& here = to_.seen_[at];
    ++here.count;
    if (wire == ttype::string) {
      byte_view bytes;
      if (!in_.read_bytes(bytes)) return false;
      here.is_text = here.is_text && detail::simd::valid_utf8(bytes);
      return true;
    }
    if (wire != ttype::i32) return in_.skip(wire);
    std::int64_t number = 0;
    if (!detail::read_integer(in_, wire, number)) return false;
    to_.note_number(here, number);
    return true;
  }

  inference& to_;
};

THRIFTLENS_BODY std::uint32_t inference::make(ttype wire) {
  if (seen_.size() >= options_.places) {
    is_full_ = true;
    return 0;
  }
  seen_.push_back({.wire = wire});
  return static_cast<std::uint32_t>(seen_.size() - 1);
}
THRIFTLENS_BODY std::uint32_t inference::place_of(const field& of) const noexcept {
  std::uint32_t best = 0;
  for (const std::uint32_t each : of.places)
    if (best == 0 || seen_[each].count > seen_[best].count) best = each;
  return best;
}
THRIFTLENS_BODY void inference::note_number(place& of, std::int64_t number) const {
  constexpr std::int64_t largest = 1000;
  if (!of.is_small || std::find(of.numbers.begin(), of.numbers.end(), number) != of.numbers.end()) return;
  of.is_small = number >= 0 && number <= largest && of.numbers.size() < options_.enum_members;
  if (of.is_small) of.numbers.push_back(static_cast<std::int32_t>(number));
}

template <protocol P>
result<void> inference::try_add(byte_view bytes) {
  if (seen_.empty()) return detail::moved_from_error();
  typename P::reader in(bytes, options_.limits);
  if (!in.skip(ttype::struct_) || (!in.at_end() && !in.reject(errc::trailing_bytes)))
    return error(in.fault().code, detail::words_with_looks({}, in.fault().code, bytes, P::id),
                 in.fault().offset, "$");
  typename P::reader again(bytes, options_.limits);
  if (!infer_walk<P>(again, *this).run()) return error(again.fault().code, {}, again.fault().offset, "$");
  if (is_full_) return error(errc::size_limit, "more different fields than may be told apart");
  return {};
}

/// Writes the IDL, types before what uses them.
class inference::draft {
 public:
  explicit draft(const inference& of) : of_(of) {}

  [[nodiscard]] std::string run(std::string_view name) {
    static_cast<void>(structure(0, std::string(name)));
    return "// A draft from " + std::to_string(of_.count()) + (of_.count() == 1 ? " sample" : " samples") +
           ": names are not on the wire.\n\n" + text_;
  }

 private:
  [[nodiscard]] std::string type(std::uint32_t at, const std::string& name) {
    if (at == 0) return "string";  // of a container that was always empty: anything would do
    const place& here = of_.seen_[at];
    if (here.wire == ttype::struct_) return structure(at, name);
    if (here.wire == ttype::list) return "list<" + type(here.first, name) + ">";
    if (here.wire == ttype::set) return "set<" + type(here.first, name) + ">";
    if (here.wire == ttype::map)
      return "map<" + type(here.first, name + "Key") + ", " + type(here.second, name + "Value") + ">";
    if (here.wire == ttype::string) return here.is_text ? "string" : "binary";
    if (is_enum(here)) return enumeration(here, name);
    return std::string(to_string(here.wire));
  }
  [[nodiscard]] bool is_enum(const place& here) const noexcept {
    return here.wire == ttype::i32 && here.is_small && here.count >= of_.options_.enum_samples &&
           here.numbers.size() > 1 && here.numbers.size() * 2 <= here.count;
  }
  [[nodiscard]] std::string enumeration(const place& here, const std::string& name) {
    std::vector<std::int32_t> numbers = here.numbers;
    std::sort(numbers.begin(), numbers.end());
    text_ += "enum " + name + " {";
    for (const std::int32_t each : numbers)
      text_ += " V" + std::to_string(each) + " = " + std::to_string(each);
    text_ += " }\n\n";
    return name;
  }
  [[nodiscard]] std::string structure(std::uint32_t at, const std::string& name) {
    // More enclosing structs are not compared: that would take time for each pair of levels.
    constexpr std::size_t max_compared = 16;
    for (std::size_t i = around_.size() - (std::min)(around_.size(), max_compared); i < around_.size(); ++i)
      if (is_part_of(at, around_[i].at)) return around_[i].name;
    around_.push_back({at, name});
    std::string body;
    for (const field& each : of_.seen_[at].fields) body += line(each, of_.seen_[at].count, name);
    around_.pop_back();
    text_ += "struct " + name + " {\n" + body + "}\n\n";
    return name;
  }
  [[nodiscard]] std::string line(const field& of, std::uint64_t structs, const std::string& name) {
    const std::string id = of.id < 0 ? "n" + std::to_string(-of.id) : std::to_string(of.id);
    const std::string of_type = type(of_.place_of(of), name + "F" + id);
    std::string text =
        "  " + std::to_string(of.id) + ": " + (of.count < structs ? "optional " : "") + of_type + " f" + id;
    const std::string note = note_of(of, structs);
    if (!note.empty()) (text += "  // ") += note;
    return text + "\n";
  }
  [[nodiscard]] std::string note_of(const field& of, std::uint64_t structs) const {
    const std::uint32_t best = of_.place_of(of);
    std::string note;
    const auto say = [&note](const std::string& what) { (note += note.empty() ? "" : ", ") += what; };
    if (of.count < structs) say("in " + std::to_string(of.count) + " of " + std::to_string(structs));
    for (const std::uint32_t each : of.places) {
      if (each != best)
        say("also as " + std::string(to_string(of_.seen_[each].wire)) + " (" +
            std::to_string(of_.seen_[each].count) + " of " + std::to_string(of.count) + ")");
    }
    if (of_.seen_[best].has_other) say("elements of other types, too");
    return note;
  }
  /// Whether `whole` has all fields of `inner`, with the same types: `inner` is then another node of a tree.
  [[nodiscard]] bool is_part_of(std::uint32_t inner, std::uint32_t whole) {
    if (of_.seen_[inner].fields.empty() || inner == whole) return inner == whole;
    const std::uint64_t pair = std::uint64_t{inner} << 32 | whole;
    if (const auto known = parts_.find(pair); known != parts_.end()) return known->second;
    const bool answer = has_fields_of(whole, of_.seen_[inner].fields);
    parts_.emplace(pair, answer);
    return answer;
  }
  [[nodiscard]] bool has_fields_of(std::uint32_t whole, const std::vector<field>& fields) {
    auto at = of_.seen_[whole].fields.begin();
    const auto end = of_.seen_[whole].fields.end();
    return std::all_of(fields.begin(), fields.end(), [&](const field& inner) {
      while (at != end && at->id < inner.id) ++at;  // both are in the order of ids
      return at != end && at->id == inner.id && is_alike(of_.place_of(inner), of_.place_of(*at));
    });
  }
  [[nodiscard]] bool is_alike(std::uint32_t one, std::uint32_t other) {
    if (one == 0 || other == 0) return one == other;
    const place &left = of_.seen_[one], &right = of_.seen_[other];
    if (left.wire != right.wire || left.is_text != right.is_text) return false;
    if (left.wire == ttype::struct_) return is_part_of(one, other);
    if (left.first == 0 && left.second == 0) return true;
    return is_alike(left.first, right.first) && is_alike(left.second, right.second);
  }

  struct outer {
    std::uint32_t at;
    std::string name;
  };
  const inference& of_;
  std::vector<outer> around_;
  std::unordered_map<std::uint64_t, bool> parts_;  // is_part_of() of pairs
  std::string text_;
};

THRIFTLENS_BODY std::string inference::idl(std::string_view name) const {
  return seen_.empty() ? inference().idl(name) : draft(*this).run(name);
}

#if defined(THRIFTLENS_COMPILED)
template result<void> inference::try_add<binary>(byte_view);
template result<void> inference::try_add<compact>(byte_view);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
