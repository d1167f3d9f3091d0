// identify: bodies of identify.hpp.
#pragma once

#include <thriftlens/compare/identify.hpp>

#include <thriftlens/core/error.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/key_step.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/protocol/walk.hpp>
#include <thriftlens/schema/walk_types.hpp>
#include <thriftlens/simd/utf8.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// Walks a value as one type and counts in `candidate` what supports the type and what contradicts it.
template <protocol P>
class type_matcher : public walk<type_matcher<P>, P, schema_types> {
  using base = walk<type_matcher<P>, P, schema_types>;
  friend base;

 public:
  /// `stops`: at the first disagreement, whose path and reason are then recorded.
  type_matcher(typename P::reader& in, candidate& result, bool stops)
      : base(in, result.of.image()), candidate_(result), stops_(stops) {}

  void run() { static_cast<void>(structure(candidate_.of.index())); }
  [[nodiscard]] std::string path() const { return path_.text(); }

 private:
  using base::in_, base::types_;
  // A type with a lower score is abandoned: it could not become the likeliest.
  static constexpr double hopeless = -30;

  bool against(std::uint32_t& count, double weight, std::string_view reason) {
    ++count;
    candidate_.score -= weight;
    if (stops_) candidate_.reason = reason;
    return !stops_ && candidate_.score > hopeless;
  }
  [[nodiscard]] const image::struct_node& node_of(std::uint32_t type) const noexcept {
    return types_.image()->struct_of(type);
  }

  bool value(ttype wire, std::uint32_t type) {
    return type == no_type ? in_.skip(wire) : base::value(wire, type);
  }
  bool mismatch(const walk_mismatch& conflict, std::uint32_t& type) {
    type = no_type;
    if (against(candidate_.contradictions, 8, "the wire type contradicts the IDL")) return true;
    return conflict.outer_wire == ttype::struct_ && stops_ && path_.field(name_of(conflict), conflict.id);
  }
  [[nodiscard]] std::string name_of(const walk_mismatch& conflict) const {
    const type outer(types_.image(), conflict.outer_type);
    return std::string(outer.find_field(conflict.id).name());
  }

  bool structure(std::uint32_t type) {
    std::uint32_t seen = 0, required = 0;
    const bool ok = this->each_field(type, [&](const walked_field& field) {
      const bool is_good = count_field(field, required);
      seen += field.node != no_type;
      return is_good || at_field(field);
    });
    return ok && check_absent(node_of(type), seen, required);
  }
  bool count_field(const walked_field& field, std::uint32_t& required) {
    if (field.node == no_type)
      return against(candidate_.unknown, 3, "the field is not in the IDL") && in_.skip(field.header.type);
    required += (types_.image()->fields[field.node].flags & image::required) != 0;
    if (field.fits) {
      ++candidate_.known;
      candidate_.score += 2;
    }
    return value(field.header.type, field.type);
  }
  bool at_field(const walked_field& field) {
    return stops_ && field.node != no_type
               ? path_.field(field_info(types_.image(), field.node).name(), field.header.id)
               : path_.field_id(field.header.id);
  }
  /// Counts absent fields: writers leave out only optional fields, and not most of them.
  bool check_absent(const image::struct_node& node, std::uint32_t seen, std::uint32_t required) {
    const std::uint32_t absent = node.fields.size > seen ? node.fields.size - seen : 0;
    if (node.kind == type_kind::union_)
      return seen == 1 || against(candidate_.contradictions, 6, "a union without exactly one member");
    candidate_.score -= 0.1 * (std::min)(absent, 30u);
    if (required < node.required_count) return against(candidate_.missing, 8, "a required field is missing");
    return true;
  }

  bool sequence(ttype wire, std::uint32_t type) {
    return this->in_sequence(wire, type, [&](const list_header& list, std::uint32_t element, byte_ptr) {
      for (std::uint32_t i = 0; i < list.size; ++i)
        if (!value(list.element, element)) return path_.index(i);
      return true;
    });
  }
  bool mapping(std::uint32_t type) {
    return this->in_map(type, [&](const map_header& map, std::uint32_t key, std::uint32_t item, byte_ptr) {
      for (std::uint32_t i = 0; i < map.size; ++i) {
        const byte_ptr begin = in_.at();
        if (!value(map.key, key)) return path_.key_at(i);
        const byte_ptr end = in_.at();
        if (!value(map.value, item))
          return stops_ && add_key_step<P>(path_, {begin, static_cast<std::size_t>(end - begin)}, map.key);
      }
      return true;
    });
  }

  bool scalar(ttype wire, std::uint32_t type) {
    const type_kind kind = types_.image()->types[type].kind;
    if (kind == type_kind::enum_) return member(types_.image()->types[type]);
    if (wire != ttype::string) return in_.skip(wire);
    byte_view bytes;
    if (!in_.read_bytes(bytes)) return false;
    if (kind == type_kind::string)
      return simd::valid_utf8(bytes) || against(candidate_.contradictions, 4, "a string is not valid UTF-8");
    candidate_.score -= !bytes.empty() && simd::valid_utf8(bytes) ? 0.3 : 0;
    return true;
  }
  bool member(const image::type_node& type) {
    std::int32_t number = 0;
    if (!in_.read_i32(number)) return false;
    const schema_image& image = *types_.image();
    if (image.find_member(image.enums[type.first], number) == image::none)
      return against(candidate_.contradictions, 2, "the number is not a member of the enum");
    candidate_.score += 1.5;
    return true;
  }

  candidate& candidate_;
  bool stops_;
  path_builder path_{path_builder::order::innermost_first};
};

template <protocol P>
[[nodiscard]] candidate fit(byte_view bytes, const type& of, const limits& bounds) {
  candidate result{.of = of, .path = {}, .reason = {}};
  typename P::reader in(bytes, bounds);
  type_matcher<P>(in, result, false).run();
  return result;
}
/// Records the path and reason of a candidate's first disagreement.
template <protocol P>
void explain_fit(byte_view bytes, candidate& match, const limits& bounds) {
  if (match.unknown + match.contradictions + match.missing == 0) return;
  candidate first{.of = match.of, .path = {}, .reason = {}};
  typename P::reader in(bytes, bounds);
  type_matcher<P> matcher(in, first, true);
  matcher.run();
  match.path = matcher.path();
  match.reason = std::move(first.reason);
}

}  // namespace detail

template <protocol P>
result<std::vector<candidate>> try_identify(input_bytes bytes, std::span<const type> types,
                                            const identify_options& options) {
  typename P::reader in(bytes, options.limits);
  if (!in.skip(ttype::struct_) || (!in.at_end() && !in.reject(errc::trailing_bytes)))
    return detail::with_looks(error(in.fault().code, {}, in.fault().offset, "$"), bytes, P::id);
  std::vector<candidate> candidates;
  candidates.reserve(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (!types[i] || !types[i].is_struct()) continue;
    candidates.push_back(detail::fit<P>(bytes, types[i], options.limits));
    candidates.back().number = i;
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const candidate& a, const candidate& b) { return a.score > b.score; });
  for (std::size_t i = 0; i < candidates.size() && i < options.explained; ++i)
    detail::explain_fit<P>(bytes, candidates[i], options.limits);
  return candidates;
}

#if defined(THRIFTLENS_COMPILED)
template result<std::vector<candidate>> try_identify<binary>(input_bytes, std::span<const type>,
                                                             const identify_options&);
template result<std::vector<candidate>> try_identify<compact>(input_bytes, std::span<const type>,
                                                              const identify_options&);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
