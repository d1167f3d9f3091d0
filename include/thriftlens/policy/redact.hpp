// redact: a copy of a value in which what must not be passed on is gone, blank, hashed or cut.
// In: a view and compiled rules. Out: wire bytes; what no rule means is the same bytes in the same order.
// Never decodes or rebuilds what stays; never writes to the input.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/policy/redaction.hpp>
#include <thriftlens/protocol/id_set.hpp>
#include <thriftlens/protocol/splice.hpp>
#include <thriftlens/simd/utf8.hpp>
#include <thriftlens/view/plan.hpp>
#include <thriftlens/view/scalar.hpp>
#include <thriftlens/view/view.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What a redaction did.
struct redact_report {
  std::size_t replaced = 0;  ///< values made blank, constant, hashed or cut
  std::size_t dropped = 0;   ///< fields, elements and entries, unknown fields too
  std::size_t unknown = 0;   ///< of these the fields that the IDL does not know
};

namespace detail {

/// The end of a text that keep_last leaves: where it begins, and how many characters go before it; no longer
/// than `last`, all go. In what is not UTF-8 each byte is a character, unless it is part of a sequence that
/// is well formed. Linear.
struct kept_end {
  std::size_t begin;
  std::size_t hidden = 0;

  kept_end(std::string_view text, std::size_t last) : begin(text.size()) {
    if (simd::valid_utf8(byte_view(text)))
      count_valid(text, last);
    else
      count_any(text, last);
  }

 private:
  static bool leads(char of) noexcept { return (static_cast<unsigned char>(of) & 0xc0) != 0x80; }
  void count_valid(std::string_view text, std::size_t last) {
    for (const char each : text) hidden += leads(each);
    if (hidden <= last) return;
    hidden -= last;
    for (; last != 0; --last) {
      do --begin;
      while (!leads(text[begin]));
    }
  }
  void count_any(std::string_view text, std::size_t last) {
    for (std::size_t at = 0; at < text.size(); at = next(text, at)) ++hidden;
    if (hidden <= last) return;
    hidden -= last;
    begin = 0;
    for (std::size_t i = 0; i < hidden; ++i) begin = next(text, begin);
  }
  static std::size_t next(std::string_view text, std::size_t at) noexcept {
    return at + std::max<std::size_t>(utf8_length(text.substr(at)), 1);
  }
};

/// One pass, one copy.
template <protocol P>
class redactor {
 public:
  using reader_type = typename P::reader;

  redactor(const view<P>& from, const redaction& rules, buffer& out) noexcept
      : in_(from.whole()), from_(from), rules_(rules), nodes_(rules.nodes()), out_(out, splicer::never) {
    out_.bound(from.bounds().max_output(from.whole().size()));
  }

  redact_report report;

  [[nodiscard]] const reader_type& reader() const noexcept { return in_; }
  [[nodiscard]] fault why() const noexcept {
    fault made = in_.fault();
    made.field_id = field_id_;
    return made;
  }
  [[nodiscard]] bool run() {
    in_.seek(from_.spot().at);
    copied_ = in_.at();
    if (!value(rules_.root(), from_.spot().wire)) return false;
    flush(in_.at());
    // A bool that lies in its field's header, taken alone, is written as an element has it.
    const std::int8_t inline_bool = from_.spot().at.inline_bool;
    if (inline_bool >= 0 && rules_.root().stays())
      out_.own().commit(P::put_bool(out_.own().reserve(P::number_room), inline_bool == 1));
    return true;
  }

 private:
  using form = redact_action::form;

  void flush(const std::uint8_t* end) {
    if (end != copied_) out_.copy({copied_, static_cast<std::size_t>(end - copied_)});
    copied_ = end;
  }
  [[nodiscard]] bool drops(const redact_target& to) const noexcept {
    return to.replacement != redact_target::none && rules_.replaced(to.replacement).kind == form::drop;
  }
  /// Skips from `begin` on; nothing of it is copied.
  bool drop(const std::uint8_t* begin, ttype wire) {
    flush(begin);
    if (!in_.skip(wire)) return false;
    copied_ = in_.at();
    ++report.dropped;
    return true;
  }

  bool value(const redact_target& to, ttype wire) {
    if (to.replacement != redact_target::none) return replace(rules_.replaced(to.replacement), wire);
    if (to.node == redact_target::none) return in_.skip(wire);
    const redact_node& node = nodes_[to.node];
    return wire == ttype::struct_ ? structure(node)
           : wire == ttype::map   ? mapping(node)
                                  : sequence(node, wire);
  }

  // ---- one value in the place of another ----

  bool replace(const redaction::replacement& by, ttype wire) {
    flush(in_.at());
    ++report.replaced;
    const bool done = by.kind == form::hash        ? hash(wire)
                      : by.kind == form::keep_last ? cut(by.last, wire)
                                                   : in_.skip(wire);
    if (by.kind == form::blank || by.kind == form::constant) out_.own().append(rules_.template bytes<P>(by));
    copied_ = in_.at();
    return done && (!out_.exceeds() || in_.fail(errc::output_limit));
  }
  bool hash(ttype wire) {
    if (wire == ttype::string) {
      byte_view text;
      if (!in_.read_bytes(text)) return false;
      constexpr char digits[] = "0123456789abcdef";
      std::uint64_t number = rules_.hash()(text);
      std::uint8_t hex[16];
      for (int i = 16; i-- > 0; number >>= 4) hex[i] = static_cast<std::uint8_t>(digits[number & 15]);
      put_bytes({hex, sizeof hex});
      return true;
    }
    if (wire == ttype::uuid) {
      uuid_bytes id{};
      if (!in_.read_uuid(id)) return false;
      std::uint8_t seventeen[17] = {};
      std::memcpy(seventeen, id.data(), id.size());
      store_be(id.data(), rules_.hash()({seventeen, 16}));
      store_be(id.data() + 8, rules_.hash()({seventeen, 17}));
      out_.own().commit(P::put_uuid(out_.own().reserve(P::uuid_room), id));
      return true;
    }
    if (wire == ttype::double_) {
      double real = 0;
      if (!in_.read_double(real)) return false;
      const double hashed = static_cast<double>(hash_of(std::bit_cast<std::uint64_t>(real)) >> 11);
      out_.own().commit(P::put_double(out_.own().reserve(P::number_room), hashed));
      return true;
    }
    std::int64_t number = 0;
    if (read_integer_of<P>(in_, wire, number) != errc::ok) return false;
    put_integer(wire, static_cast<std::int64_t>(hash_of(static_cast<std::uint64_t>(number)) >>
                                                (65 - 8 * fixed_width(wire))));
    return true;
  }
  [[nodiscard]] std::uint64_t hash_of(std::uint64_t number) const noexcept {
    std::uint8_t bytes[8];
    store_be(bytes, number);
    return rules_.hash()({bytes, sizeof bytes});
  }
  bool cut(std::uint32_t last, ttype wire) {
    if (wire != ttype::string) {
      std::int64_t number = 0;
      if (read_integer_of<P>(in_, wire, number) != errc::ok) return false;
      const std::uint64_t size =
          number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
      std::uint64_t bound = 1;
      for (std::uint32_t i = 0; i < last && bound <= size; ++i)
        bound = bound > UINT64_MAX / 10 ? UINT64_MAX : bound * 10;
      put_integer(wire, size < bound ? 0 : static_cast<std::int64_t>(size % bound));
      return true;
    }
    std::string_view text;
    if (!in_.read_bytes(text)) return false;
    const kept_end end(text, last);
    buffer& out = out_.own();
    const auto size = static_cast<std::uint32_t>(end.hidden + text.size() - end.begin);
    out.commit(P::put_size(out.reserve(P::size_room), size));
    std::uint8_t* to = out.reserve(end.hidden);
    std::fill_n(to, end.hidden, static_cast<std::uint8_t>('*'));
    out.commit(to + end.hidden);
    out.append(byte_view(text.substr(end.begin)));
    return true;
  }
  void put_bytes(byte_view bytes) {
    buffer& out = out_.own();
    out.commit(P::put_size(out.reserve(P::size_room), static_cast<std::uint32_t>(bytes.size())));
    out.append(bytes);
  }
  void put_integer(ttype wire, std::int64_t number) {
    buffer& out = out_.own();
    std::uint8_t* at = out.reserve(P::number_room);
    if (wire == ttype::i64)
      out.commit(P::put_i64(at, number));
    else if (wire == ttype::i32)
      out.commit(P::put_i32(at, static_cast<std::int32_t>(number)));
    else if (wire == ttype::i16)
      out.commit(P::put_i16(at, static_cast<std::int16_t>(number)));
    else
      out.commit(P::put_i8(at, static_cast<std::int8_t>(number)));
  }

  // ---- structs ----

  bool structure(const redact_node& node) {
    const struct_mark outer = in_.begin_struct();
    const wire_position start = in_.here();
    id_set<P> ids(start);
    std::int16_t in_last = 0, out_last = 0;
    std::size_t next = 0;
    std::uint32_t required = 0;
    field_header header;
    for (;;) {
      const std::uint8_t* begin = in_.at();
      if (!in_.read_field(header)) return false;
      if (header.type == ttype::stop) break;
      if (!ids.add(header.id, in_, begin)) return fail(errc::duplicate_field, header.id, begin);
      const redact_node::field_edge* edge = find(node, header.id, next);
      if (edge != nullptr) {
        if (edge->wire != header.type) return fail(errc::type_mismatch, header.id, begin);
        required += edge->required;
      }
      const bool moved = P::id == protocol_id::compact && in_last != out_last;
      if (edge == nullptr ? node.closed : drops(edge->to)) {
        if (!(edge == nullptr ? drop_unknown(header, begin) : drop(begin, header.type))) return false;
      } else if (!moved && (edge == nullptr || edge->to.stays())) {
        out_last = header.id;
        if (!in_.skip(header.type)) return false;
      } else if (!keep(edge, header, begin, moved, out_last)) {
        return false;
      }
      in_last = header.id;
    }
    if (required != node.required) return missing(node, start);
    in_.end_struct(outer);
    return true;
  }
  bool fail(errc code, std::int16_t id, const std::uint8_t* at) {
    field_id_ = id;
    return in_.fail(code, at);
  }
  bool drop_unknown(const field_header& header, const std::uint8_t* begin) {
    if (rules_.unknown() == redact_unknown::error) return fail(errc::unknown_field, header.id, begin);
    ++report.unknown;
    return drop(begin, header.type);
  }
  /// The struct from `start` to here lacks a required field: the first of them is named.
  THRIFTLENS_COLD bool missing(const redact_node& node, const wire_position& start) {
    const std::uint8_t* const stop = in_.at() - 1;
    std::set<std::int16_t> seen;
    reader_type again = in_;
    again.seek(start);
    field_header header;
    while (again.read_field(header) && header.type != ttype::stop) {
      seen.insert(header.id);
      if (!again.skip(header.type)) break;
    }
    for (const redact_node::field_edge& each : node.fields) {
      if (each.required && !seen.contains(each.id)) return fail(errc::missing_required, each.id, stop);
    }
    return fail(errc::missing_required, 0, stop);
  }
  bool keep(const redact_node::field_edge* edge, const field_header& header, const std::uint8_t* begin,
            bool moved, std::int16_t& out_last) {
    // A bool of Compact lies in the header: who replaces it writes the header.
    const bool bare = P::id == protocol_id::compact && header.type == ttype::bool_;
    const bool replaced = edge != nullptr && edge->to.replacement != redact_target::none;
    if (bare && replaced) {
      flush(begin);
      put_header(header, rules_.template bytes<P>(rules_.replaced(edge->to.replacement))[0] == 1, out_last);
      copied_ = in_.at();
      ++report.replaced;
      return in_.skip(header.type);
    }
    if (moved) {
      flush(begin);
      put_header(header, in_.here().inline_bool == 1, out_last);
      copied_ = in_.at();
    }
    out_last = header.id;
    return edge == nullptr ? in_.skip(header.type) : value(edge->to, header.type);
  }
  void put_header(const field_header& header, bool inline_true, std::int16_t& last) {
    std::uint8_t* at = out_.own().reserve(P::field_room);
    if (P::id == protocol_id::compact && header.type == ttype::bool_)
      out_.own().commit(P::put_bool_field(at, header.id, inline_true, last));
    else
      out_.own().commit(P::put_field(at, header.type, header.id, last));
  }
  /// The edge of that id; `next` follows ids that ascend.
  static const redact_node::field_edge* find(const redact_node& node, std::int16_t id,
                                             std::size_t& next) noexcept {
    const redact_node::field_edge* const edges = node.fields.data();
    const std::size_t size = node.fields.size();
    if (next < size && edges[next].id == id) [[likely]]
      return edges + next++;
    if (next != 0 && edges[next - 1].id >= id) next = 0;
    for (int steps = 0; steps < 4 && next < size && edges[next].id < id; ++steps) ++next;
    if (next < size && edges[next].id < id) {
      const auto less = [](const redact_node::field_edge& each, std::int16_t wanted) {
        return each.id < wanted;
      };
      next = static_cast<std::size_t>(std::lower_bound(edges + next, edges + size, id, less) - edges);
    }
    return next < size && edges[next].id == id ? edges + next++ : nullptr;
  }

  // ---- containers ----

  bool sequence(const redact_node& node, ttype wire) {
    const wire_position whole = in_.here();
    const std::uint8_t* begin = in_.at();
    list_header list;
    if (!(wire == ttype::set ? in_.read_set(list) : in_.read_list(list)) || !in_.enter()) return false;
    if (list.size != 0 && list.element != node.value_wire) return in_.fail(errc::type_mismatch, begin);
    if (node.inert) return skip_from(whole, wire);
    const bool merges = wire == ttype::set && !node.value.stays();
    const opened header = open(node.drops || merges, begin);
    list_header changed = list;
    std::set<std::string> met;
    for (std::uint32_t i = 0; i < list.size; ++i) {
      if (node.drops) {
        if (!drop(in_.at(), list.element)) return false;
        --changed.size;
        continue;
      }
      const std::size_t start = merges ? mark() : 0;
      if (!value(node.value, list.element)) return false;
      if (merges && !is_new(met, start)) --changed.size;
    }
    in_.leave();
    if (changed.size == list.size) return true;
    std::uint8_t fresh[16];
    close(header, fresh, wire == ttype::set ? P::put_set(fresh, changed) : P::put_list(fresh, changed));
    return true;
  }
  /// The whole value at once, whose header is known to be as the IDL says.
  bool skip_from(const wire_position& start, ttype wire) {
    in_.seek(start);
    return in_.skip(wire);
  }
  bool mapping(const redact_node& node) {
    const wire_position whole = in_.here();
    const std::uint8_t* begin = in_.at();
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return false;
    if (map.size != 0 && (map.key != node.key_wire || map.value != node.value_wire))
      return in_.fail(errc::type_mismatch, begin);
    if (node.inert) return skip_from(whole, ttype::map);
    const bool merges = !node.key.stays();
    const opened header = open(node.drops || merges, begin);
    std::uint32_t left = map.size;
    std::set<std::string> met;
    for (std::uint32_t i = 0; i < map.size; ++i) {
      const wire_position key = in_.here();
      const redact_target* to = &node.value;
      if (!node.keyed.empty() && !find_key(node, map.key, to)) return false;
      if (drops(*to)) {
        if (in_.at() == key.at && !in_.skip(map.key)) return false;
        if (!drop(key.at, map.value)) return false;
        --left;
        continue;
      }
      in_.seek(key);
      const std::size_t start = merges ? mark() : 0;
      if (!value(node.key, map.key)) return false;
      if (merges && !is_new(met, start)) {
        if (!in_.skip(map.value)) return false;
        copied_ = in_.at();
        --left;
      } else if (!value(*to, map.value)) {
        return false;
      }
    }
    in_.leave();
    if (left == map.size) return true;
    std::uint8_t fresh[16];
    close(header, fresh, P::put_map(fresh, {map.key, map.value, left}));
    return true;
  }
  /// Reads the key and finds what becomes of its value.
  bool find_key(const redact_node& node, ttype wire, const redact_target*& to) {
    const auto less = [](const redact_node::key_edge& each, const map_key& wanted) {
      return key_less(each.key, wanted);
    };
    map_key key = 0;
    if (!read_key<P>(in_, wire, key)) return false;
    const auto place = std::lower_bound(node.keyed.begin(), node.keyed.end(), key, less);
    if (place != node.keyed.end() && !key_less(key, place->key)) to = &place->to;
    return true;
  }

  /// Where in the output the next value begins.
  [[nodiscard]] std::size_t mark() {
    flush(in_.at());
    return out_.position();
  }
  /// What was written since the mark is no key or element that was met before; else it is taken back.
  [[nodiscard]] bool is_new(std::set<std::string>& met, std::size_t start) {
    flush(in_.at());
    if (met.emplace(out_.own().text().substr(start)).second) return true;
    out_.own().truncate(start);
    ++report.dropped;
    return false;
  }

  /// A container's header in the output, where its size may still change.
  struct opened {
    std::size_t at = 0;
    std::size_t size = 0;
  };
  opened open(bool may_change, const std::uint8_t* begin) {
    if (!may_change) return {};
    flush(begin);
    const opened made{out_.position(), static_cast<std::size_t>(in_.at() - begin)};
    out_.own().append({begin, made.size});
    copied_ = in_.at();
    return made;
  }
  void close(const opened& header, const std::uint8_t* fresh, const std::uint8_t* end) {
    flush(in_.at());
    out_.replace(header.at, header.size, fresh, static_cast<std::size_t>(end - fresh));
  }

  reader_type in_;
  const view<P>& from_;
  const redaction& rules_;
  std::span<const redact_node> nodes_;
  splicer out_;
  const std::uint8_t* copied_ = nullptr;
  std::int16_t field_id_ = 0;
};

}  // namespace detail

namespace detail {

/// A path of the data without the keys in it, which may be what is to be hidden: `$.by_mail{*}.name`. Linear.
[[nodiscard]] THRIFTLENS_COLD inline std::string path_without_keys(std::string_view path) {
  std::string made;
  bool quoted = false, inside = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (quoted && c == '\\')
      ++i;
    else if (inside && c == '"')
      quoted = !quoted;
    else if (inside && !quoted && c == '}')
      inside = false;
    else if (!inside && c == '{')
      made += "{*}";
    else if (!inside)
      made += c;
    inside = inside || c == '{';
  }
  return made;
}

}  // namespace detail

/// Appends the redacted value to `out`. One pass, one copy, O(bytes) (redacted keys and set elements: n log
/// n); fields, elements and entries keep their order; of keys or set elements that become equal the first
/// stays. Errors, after which `out` is as before: wrong_type (rules of another type), faults of the bytes,
/// type_mismatch, duplicate_field and missing_required in structs that are looked into (all of them, unless
/// unknown fields are kept), trailing_bytes behind a whole message, unknown_field by option, output_limit
/// (limits::output_size, automatic): a long constant in the place of many short values. Paths of errors have
/// `{*}` for the keys of maps: an error must not tell what is hidden.
template <protocol P>
[[nodiscard]] result<redact_report> try_redact_to(buffer& out, const view<P>& from, const redaction& rules) {
  if (from.code() != errc::ok) return from.error();
  if (rules.from() != from.type()) return error(errc::wrong_type, "the redaction is of another type");
  rollback guard(out);
  static_cast<void>(out.reserve(from.whole().size() + 64));
  detail::redactor<P> work(from, rules, out);
  const bool done = work.run();
  const bool trailing = done && from.is_root() && !work.reader().at_end();
  if (done && !trailing) {
    guard.keep();
    return work.report;
  }
  const fault why = trailing ? fault{errc::trailing_bytes, 0, work.reader().offset()} : work.why();
  const error found = explain<P>(from.whole(), from.root_type(), why, from.bounds());
  return error(found.code(), std::string(found.detail()), found.offset(),
               detail::path_without_keys(found.path()));
}
/// The value without what the rules take out of it.
template <protocol P>
[[nodiscard]] result<buffer> try_redact(const view<P>& from, const redaction& rules,
                                        redact_report* report = nullptr) {
  buffer out;
  result<redact_report> done = try_redact_to(out, from, rules);
  if (!done) return std::move(done).error();
  if (report != nullptr) *report = *done;
  return out;
}
template <protocol P>
[[nodiscard]] buffer redact(const view<P>& from, const redaction& rules, redact_report* report = nullptr) {
  return try_redact(from, rules, report).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
