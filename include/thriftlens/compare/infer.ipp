// infer: bodies of infer.hpp.
#pragma once

#include <thriftlens/compare/infer.hpp>

#include <thriftlens/core/error.hpp>
#include <thriftlens/core/first_error.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/protocol/walk.hpp>
#include <thriftlens/simd/utf8.hpp>

#include <algorithm>
#include <unordered_map>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Walks one sample. The walk's type indices are indices in seen_; detail::no_type where nothing is
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
      return value(field.header.type, field_stats(at, field.header));
    });
  }
  [[nodiscard]] std::uint32_t field_stats(std::uint32_t at, const field_header& header) {
    inference::field& known = to_.fields_[inference::key_of(at, header.id)];
    known.id = header.id;
    ++known.count;
    for (const std::uint32_t part : known.stats)
      if (to_.seen_[part].wire == header.type) return part;
    const std::uint32_t added = to_.make(header.type);
    if (added == 0) return detail::no_type;
    known.stats.push_back(added);
    return added;
  }
  /// Index in seen_ of elements, keys or values; `part_index` is the member that holds it.
  [[nodiscard]] std::uint32_t part(std::uint32_t at, std::uint32_t inference::value_stats::*part_index,
                                   ttype wire) {
    if (to_.seen_[at].*part_index == 0) {
      const std::uint32_t index = to_.make(wire);
      if (index == 0) return detail::no_type;
      to_.seen_[at].*part_index = index;
    }
    const std::uint32_t index = to_.seen_[at].*part_index;
    if (to_.seen_[index].count == 0) to_.seen_[index].wire = wire;  // until now all were empty
    if (to_.seen_[index].wire == wire) return index;
    to_.seen_[at].has_other = true;
    return detail::no_type;
  }
  // Records the types in the header of an empty container, unless they are known.
  void note_empty(std::uint32_t at, std::uint32_t inference::value_stats::*part_index, ttype wire) {
    if (is_value_type(wire) && to_.seen_[at].*part_index == 0) static_cast<void>(part(at, part_index, wire));
  }
  bool sequence(ttype wire, std::uint32_t at) {
    ++to_.seen_[at].count;
    return this->in_sequence(wire, detail::no_type, [&](const list_header& list, auto...) {
      if (list.size == 0) {
        note_empty(at, &inference::value_stats::first, list.element);
        return true;
      }
      const std::uint32_t element = part(at, &inference::value_stats::first, list.element);
      for (std::uint32_t i = 0; i < list.size; ++i)
        if (!value(list.element, element)) return false;
      return true;
    });
  }
  bool mapping(std::uint32_t at) {
    ++to_.seen_[at].count;
    return this->in_map(detail::no_type, [&](const map_header& map, auto...) {
      if (map.size == 0) {
        if (P::traits.has_fixed_layout) {  // Compact does not write them
          note_empty(at, &inference::value_stats::first, map.key);
          note_empty(at, &inference::value_stats::second, map.value);
        }
        return true;
      }
      const std::uint32_t key = part(at, &inference::value_stats::first, map.key);
      const std::uint32_t item = part(at, &inference::value_stats::second, map.value);
      for (std::uint32_t i = 0; i < map.size; ++i)
        if (!value(map.key, key) || !value(map.value, item)) return false;
      return true;
    });
  }
  bool scalar(ttype wire, std::uint32_t at) {
    inference::value_stats& stats = to_.seen_[at];
    ++stats.count;
    if (wire == ttype::string) {
      byte_view bytes;
      if (!in_.read_bytes(bytes)) return false;
      stats.is_text = stats.is_text && detail::simd::valid_utf8(bytes);
      return true;
    }
    if (wire != ttype::i32) return in_.skip(wire);
    std::int64_t number = 0;
    if (!detail::read_integer(in_, wire, number)) return false;
    to_.note_number(stats, number);
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
THRIFTLENS_BODY std::uint32_t inference::stats_of(const field& of) const noexcept {
  std::uint32_t best = 0;
  for (const std::uint32_t index : of.stats)
    if (best == 0 || seen_[index].count > seen_[best].count) best = index;
  return best;
}
THRIFTLENS_BODY void inference::note_number(value_stats& of, std::int64_t number) const {
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
    return detail::with_looks(error(in.fault().code, {}, in.fault().offset, "$"), bytes, P::id);
  typename P::reader second(bytes, options_.limits);
  if (!infer_walk<P>(second, *this).run()) return error(second.fault().code, {}, second.fault().offset, "$");
  if (is_full_) return error(errc::size_limit, "too many distinct fields");
  return {};
}

/// Writes the IDL: a type precedes its users.
class inference::draft {
 public:
  explicit draft(const inference& of) : of_(of) {}

  [[nodiscard]] std::string run(std::string_view name) {
    static_cast<void>(structure(0, std::string(name)));
    return detail::joined({"// A draft from ", of_.count(), of_.count() == 1 ? " sample" : " samples",
                           ": names are not on the wire.\n\n", text_});
  }

 private:
  /// The fields of a struct, in the order of ids.
  struct field_range {
    using iterator = std::map<std::uint64_t, field>::const_iterator;
    iterator first, last;

    [[nodiscard]] iterator begin() const noexcept { return first; }
    [[nodiscard]] iterator end() const noexcept { return last; }
    [[nodiscard]] bool empty() const noexcept { return first == last; }
  };
  [[nodiscard]] field_range fields_of(std::uint32_t at) const {
    return {of_.fields_.lower_bound(key_of(at, -0x8000)), of_.fields_.upper_bound(key_of(at, 0x7fff))};
  }
  [[nodiscard]] std::string type(std::uint32_t at, const std::string& name) {
    if (at == 0) return "string";  // of a container that was always empty: anything would do
    const value_stats& stats = of_.seen_[at];
    if (stats.wire == ttype::struct_) return structure(at, name);
    if (stats.wire == ttype::list) return detail::joined({"list<", type(stats.first, name), ">"});
    if (stats.wire == ttype::set) return detail::joined({"set<", type(stats.first, name), ">"});
    if (stats.wire == ttype::map) return map_type(stats, name);
    if (stats.wire == ttype::string) return stats.is_text ? "string" : "binary";
    if (is_enum(stats)) return enumeration(stats, name);
    return std::string(to_string(stats.wire));
  }
  /// Not in type(), which is recursive: its stack frame would contain these texts.
  [[nodiscard]] std::string map_type(const value_stats& stats, const std::string& name) {
    return detail::joined({"map<", type(stats.first, detail::joined({name, "Key"})), ", ",
                           type(stats.second, detail::joined({name, "Value"})), ">"});
  }
  [[nodiscard]] bool is_enum(const value_stats& stats) const noexcept {
    return stats.wire == ttype::i32 && stats.is_small && stats.count >= of_.options_.enum_samples &&
           stats.numbers.size() > 1 && stats.numbers.size() * 2 <= stats.count;
  }
  [[nodiscard]] std::string enumeration(const value_stats& stats, const std::string& name) {
    std::vector<std::int32_t> numbers = stats.numbers;
    std::sort(numbers.begin(), numbers.end());
    text_ += detail::joined({"enum ", name, " {"});
    for (const std::int32_t number : numbers) text_ += detail::joined({" V", number, " = ", number});
    text_ += " }\n\n";
    return name;
  }
  [[nodiscard]] std::string structure(std::uint32_t at, const std::string& name) {
    // Comparing with all enclosing structs would be quadratic in the depth.
    constexpr std::size_t max_compared = 16;
    for (std::size_t i = around_.size() - (std::min)(around_.size(), max_compared); i < around_.size(); ++i)
      if (is_part_of(at, around_[i].at)) return around_[i].name;
    around_.push_back({at, name});
    std::string body;
    for (const auto& [key, member] : fields_of(at)) body += line(member, of_.seen_[at].count, name);
    around_.pop_back();
    text_ += detail::joined({"struct ", name, " {\n", body, "}\n\n"});
    return name;
  }
  [[nodiscard]] std::string line(const field& of, std::uint64_t structs, const std::string& name) {
    const std::string id = of.id < 0 ? detail::joined({"n", -of.id}) : std::to_string(of.id);
    const std::string of_type = type(of_.stats_of(of), detail::joined({name, "F", id}));
    std::string text =
        detail::joined({"  ", of.id, ": ", of.count < structs ? "optional " : "", of_type, " f", id});
    const std::string note = note_of(of, structs);
    if (!note.empty()) (text += "  // ") += note;
    return detail::joined({text, "\n"});
  }
  [[nodiscard]] std::string note_of(const field& of, std::uint64_t structs) const {
    const std::uint32_t best = of_.stats_of(of);
    std::string note;
    const auto add = [&note](const std::string& text) { (note += note.empty() ? "" : ", ") += text; };
    if (of.count < structs) add(detail::joined({"in ", of.count, " of ", structs}));
    for (const std::uint32_t index : of.stats) {
      if (index != best)
        add(detail::joined({"also as ", to_string(of_.seen_[index].wire), " (", of_.seen_[index].count,
                            " of ", of.count, ")"}));
    }
    if (of_.seen_[best].has_other) add("elements of other types, too");
    return note;
  }
  /// Whether the outer struct has all fields of `inner`, with the same types: `inner` is then a node of a
  /// tree.
  [[nodiscard]] bool is_part_of(std::uint32_t inner, std::uint32_t outer_index) {
    if (fields_of(inner).empty() || inner == outer_index) return inner == outer_index;
    const std::uint64_t pair = std::uint64_t{inner} << 32 | outer_index;
    if (const auto known = parts_.find(pair); known != parts_.end()) return known->second != 0;
    const bool answer = has_fields_of(outer_index, inner);
    parts_.emplace(pair, answer ? 1u : 0u);
    return answer;
  }
  [[nodiscard]] bool has_fields_of(std::uint32_t outer_index, std::uint32_t inner) {
    field_range rest = fields_of(outer_index);
    for (const auto& [key, part] : fields_of(inner)) {
      while (!rest.empty() && rest.first->second.id < part.id) ++rest.first;  // both are in the order of ids
      if (rest.empty() || rest.first->second.id != part.id) return false;
      if (!is_similar(of_.stats_of(part), of_.stats_of(rest.first->second))) return false;
    }
    return true;
  }
  [[nodiscard]] bool is_similar(std::uint32_t lhs_index, std::uint32_t rhs_index) {
    if (lhs_index == 0 || rhs_index == 0) return lhs_index == rhs_index;
    const value_stats &lhs = of_.seen_[lhs_index], &rhs = of_.seen_[rhs_index];
    if (lhs.wire != rhs.wire || lhs.is_text != rhs.is_text) return false;
    if (lhs.wire == ttype::struct_) return is_part_of(lhs_index, rhs_index);
    if (lhs.first == 0 && lhs.second == 0) return true;
    return is_similar(lhs.first, rhs.first) && is_similar(lhs.second, rhs.second);
  }

  struct outer {
    std::uint32_t at;
    std::string name;
  };
  const inference& of_;
  std::vector<outer> around_;
  // is_part_of() by pair of structs. Not of bool: loading a schema instantiates this type, too.
  std::unordered_map<std::uint64_t, std::uint32_t> parts_;
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
