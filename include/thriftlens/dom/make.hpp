// make: new values as slots: scalars encoded, copies checked and converted, empty structs and containers.
// In: what a caller gave, and the type or wire type that its position has. Out: a slot whose bytes or level
// lie in the tree's arena; or a code. Never changes a level, never writes to the message's bytes.
#pragma once

#include <thriftlens/dom/open.hpp>
#include <thriftlens/dom/value.hpp>
#include <thriftlens/dom/write.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/integer.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::dom {

/// A value's bytes in the protocol `to`: those given, or in `spare` where they are in another.
[[nodiscard]] inline errc convert_bytes(byte_view& bytes, ttype wire, protocol_id from, protocol_id to,
                                        const limits& bounds, buffer& spare) {
  if (from == to) return errc::ok;
  spare.clear();
  const result<void> done = try_append_converted(from, to, bytes, spare, bounds, wire);
  if (!done) return done.error().code();
  bytes = spare;
  return errc::ok;
}

/// Buffers for bytes that have to be made; they must live as long as the bytes are used.
struct spare_buffers {
  buffer written;
  buffer converted;
};

/// The wire bytes of a slot; written to `spare` where it was changed.
[[nodiscard]] inline errc write_value(const tree& of, const slot& value, buffer& spare, byte_view& bytes) {
  bytes = bytes_of(value);
  if (!value.expanded || !value.below->changed) return errc::ok;
  spare.clear();
  const errc code = visit_protocol(of.protocol, [&](auto tag) {
    tree_writer<decltype(tag)> writer(of, spare);
    return writer.value(value) ? errc::ok : thriftlens::detail::failure_code(writer.why().code);
  });
  bytes = spare;
  return code;
}
/// The same in another protocol.
[[nodiscard]] inline errc bytes_for(const tree& of, const slot& value, protocol_id to, spare_buffers& spare,
                                    byte_view& bytes) {
  if (const errc code = write_value(of, value, spare.written, bytes); code != errc::ok) return code;
  return convert_bytes(bytes, value.wire, of.protocol, to, of.options.bounds, spare.converted);
}

/// Whether a value of one wire type can be given where the other stands: without a schema a number keeps the
/// width that it has on the wire.
[[nodiscard]] inline bool same_family(ttype left, ttype right) noexcept {
  return left == right || (is_integer(left) && is_integer(right));
}

/// The position that a value is made for. `type`: what must stand there, or none; then `wire` says it, stop
/// for any.
struct target {
  std::uint32_t type = image::none;
  ttype wire = ttype::stop;
  level* in = nullptr;  ///< null: the root
};

/// Makes values for one tree.
class value_maker {
 public:
  explicit value_maker(tree& in) noexcept : tree_(in) {}

  /// Errors: value_type, value_range, unknown_enum_name, depth_limit, output_limit, or what the value brought
  /// along.
  [[nodiscard]] errc make(slot& into, const node_value& from, target at) {
    using form = node_value::form;
    if (from.code() != errc::ok) return from.code();
    if (at.type != image::none) at.wire = tree_.image->types[at.type].wire;
    if (from.kind() == form::node || from.kind() == form::wire) return copy(into, from, at);
    if (from.kind() == form::moved) return link(into, from, at);
    if (at.wire == ttype::stop) at.wire = from.wire();
    if (!is_value_type(at.wire)) return errc::value_type;
    if (from.kind() == form::empty) return make_empty(into, at);
    node_value fitted = from;
    const errc code = fit(fitted, at.type, at.wire);
    return code == errc::ok ? encode(into, fitted, at.wire) : code;
  }
  /// A map's key. It fits the map's key type already.
  [[nodiscard]] errc make_key(slot& into, const map_key& key, target at) {
    switch (key.kind()) {
      case map_key::form::wire:
        if (at.type != image::none) at.wire = tree_.image->types[at.type].wire;
        if (!is_value_type(at.wire)) return errc::value_type;
        return visit_protocol(tree_.protocol, [&](auto tag) {
          return this->make(into, node_value::wire<decltype(tag)>(key.bytes(), at.wire), at);
        });
      case map_key::form::real:
        return make(into, key.real(), at);
      case map_key::form::boolean:
        return make(into, key.boolean(), at);
      case map_key::form::integer:
        return make(into, key.integer(), at);
      default:
        return make(into, key.text(), at);
    }
  }
  /// Gives the levels below a slot that was linked the depth of their new position.
  static void settle(slot& linked, std::uint32_t depth_left) {
    if (!linked.expanded) return;
    const std::int32_t change = static_cast<std::int32_t>(depth_left) - 1 - linked.below->depth_left;
    each_level(*linked.below, [&](level& below) {
      below.depth_left = static_cast<std::uint16_t>(below.depth_left + change);
    });
  }

 private:
  [[nodiscard]] thriftlens::type type_at(std::uint32_t type) const noexcept {
    return type == image::none ? thriftlens::type() : thriftlens::type(tree_.image, type);
  }
  [[nodiscard]] std::uint32_t depth_left(const target& at) const noexcept {
    return at.in == nullptr ? tree_.options.bounds.depth : at.in->depth_left;
  }
  [[nodiscard]] errc name_to_number(node_value& value, std::uint32_t type) const noexcept {
    const image::enum_node& names = tree_.image->enums[tree_.image->types[type].first];
    const std::uint32_t member = tree_.image->find_member(names, value.bytes().text());
    if (member == image::none) return errc::unknown_enum_name;
    value = node_value(tree_.image->enum_members[member].value);
    return errc::ok;
  }
  [[nodiscard]] errc fit(node_value& value, std::uint32_t type, ttype wire) const noexcept {
    using form = node_value::form;
    const bool is_enum = type != image::none && tree_.image->types[type].kind == type_kind::enum_;
    if (is_enum && value.kind() == form::text) {
      if (const errc code = name_to_number(value, type); code != errc::ok) return code;
    }
    if (value.kind() != form::integer) return value.wire() == wire ? errc::ok : errc::value_type;
    if (wire == ttype::double_) return to_double(value);
    if (!is_integer(wire)) return errc::value_type;
    const unsigned spare_bits = 64 - 8u * fixed_width(wire);
    const std::int64_t low = std::numeric_limits<std::int64_t>::min() >> spare_bits;
    return value.integer() >= low && value.integer() <= ~low ? errc::ok : errc::value_range;
  }
  [[nodiscard]] static errc to_double(node_value& value) noexcept {
    constexpr std::int64_t exact = std::int64_t{1} << 53;
    const std::int64_t number = value.integer();
    if (number > exact || number < -exact) return errc::value_range;
    value = node_value(static_cast<double>(number));
    return errc::ok;
  }
  [[nodiscard]] errc encode(slot& into, const node_value& value, ttype wire) {
    const std::size_t text = wire == ttype::string ? value.bytes().size() : 0;
    if (text > 0x7fffffffu) return errc::value_range;
    if (!tree_.charge_given(text + 16)) return errc::output_limit;
    auto* to = static_cast<std::uint8_t*>(tree_.memory.allocate(text + 16, 1));
    const std::uint8_t* end =
        visit_protocol(tree_.protocol, [&](auto tag) { return put<decltype(tag)>(to, value, wire); });
    into.bytes = to;
    into.size = static_cast<std::uint32_t>(end - to);
    into.wire = wire;
    return errc::ok;
  }
  template <protocol P>
  [[nodiscard]] static const std::uint8_t* put(std::uint8_t* to, const node_value& value, ttype wire) {
    const std::int64_t number = value.integer();
    if (wire == ttype::string) to = P::put_size(to, static_cast<std::uint32_t>(value.bytes().size()));
    if (wire == ttype::string || wire == ttype::uuid) return put_text(to, value.bytes());
    if (wire == ttype::bool_) return P::put_bool(to, number != 0);
    if (wire == ttype::double_) return P::put_double(to, value.real());
    if (wire == ttype::i8) return P::put_i8(to, static_cast<std::int8_t>(number));
    if (wire == ttype::i16) return P::put_i16(to, static_cast<std::int16_t>(number));
    if (wire == ttype::i32) return P::put_i32(to, static_cast<std::int32_t>(number));
    return P::put_i64(to, number);
  }
  [[nodiscard]] static const std::uint8_t* put_text(std::uint8_t* to, byte_view text) noexcept {
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    return to + text.size();
  }

  [[nodiscard]] errc make_empty(slot& into, const target& at) {
    if (at.wire == ttype::struct_ || is_container(at.wire)) return make_empty_level(into, at);
    if (at.wire == ttype::uuid) return encode(into, uuid_bytes{}, at.wire);
    return encode(into, std::int8_t{0}, at.wire);  // 0, 0.0, false and ""
  }
  [[nodiscard]] errc make_empty_level(slot& into, const target& at) {
    const std::uint32_t depth = depth_left(at);
    if (depth == 0) return errc::depth_limit;
    if (!tree_.charge_given(sizeof(level))) return errc::output_limit;
    level& made = *tree_.make_level();
    made.parent = at.in;
    made.type = at.type;
    made.wire = at.wire;
    made.changed = true;
    made.depth_left = static_cast<std::uint16_t>(std::min(depth, limits::deepest) - 1);
    if (at.type != image::none && at.wire != ttype::struct_) {
      const image::type_node& self = tree_.image->types[at.type];
      const std::uint32_t value = at.wire == ttype::map ? self.second : self.first;
      if (at.wire == ttype::map) made.key = tree_.image->types[self.first].wire;
      made.value = tree_.image->types[value].wire;
    }
    into.below = &made;
    into.wire = at.wire;
    into.expanded = true;
    return errc::ok;
  }

  template <class Visit>
  static void each_level(level& top, Visit visit) {
    std::vector<level*> open{&top};
    while (!open.empty()) {
      level& next = *open.back();
      open.pop_back();
      visit(next);
      for (std::uint32_t i = 0; i < next.count; ++i)
        if (next.slots[i].expanded && !next.slots[i].erased()) open.push_back(next.slots[i].below);
    }
  }
  // The slot of another position; its levels are settled when it stands there. It can be linked, with what
  // hangs below, where it is of this tree and of that very type.
  [[nodiscard]] errc link(slot& into, const node_value& from, const target& at) const {
    if (at.wire != ttype::stop && from.wire() != at.wire) return errc::value_type;
    if (from.tree() != &tree_ || from.type() != type_at(at.type)) return errc::value_type;
    if (from.slot()->expanded && !fits_depth(*from.slot()->below, depth_left(at))) return errc::depth_limit;
    into = *from.slot();
    return errc::ok;
  }
  [[nodiscard]] static bool fits_depth(level& top, std::uint32_t depth_left) {
    bool fits = depth_left != 0;
    const std::int32_t change = static_cast<std::int32_t>(depth_left) - 1 - top.depth_left;
    each_level(top, [&](const level& below) { fits = fits && below.depth_left + change >= 0; });
    return fits;
  }

  // A value that exists as wire bytes.
  [[nodiscard]] errc copy(slot& into, const node_value& from, const target& at) {
    spare_buffers spare;
    byte_view bytes = from.bytes();
    const bool is_node = from.kind() == node_value::form::node;
    const errc code = is_node ? bytes_for(*from.tree(), *from.slot(), tree_.protocol, spare, bytes)
                              : convert_bytes(bytes, from.wire(), from.protocol(), tree_.protocol,
                                              tree_.options.bounds, spare.converted);
    if (code != errc::ok) return code;
    if (at.wire != ttype::stop && from.wire() != at.wire) return errc::value_type;
    if (const errc fault = check(bytes, from, at.type); fault != errc::ok) return fault;
    if (bytes.size() > 0xffffffffu) return errc::size_limit;
    const bool shared = is_node && from.tree() == &tree_ && bytes.data() != spare.written.data();
    if (!shared && !retain(bytes)) return errc::output_limit;
    into.bytes = bytes.data();
    into.size = static_cast<std::uint32_t>(bytes.size());
    into.wire = from.wire();
    into.expanded = false;
    return errc::ok;
  }
  // Checked against the type unless the value comes from there.
  [[nodiscard]] errc check(byte_view bytes, const node_value& from, std::uint32_t type) const {
    const thriftlens::type expected = type_at(type);
    const bool known = expected ? from.type() == expected : from.kind() == node_value::form::node;
    if (known) return errc::ok;
    return visit_protocol(tree_.protocol, [&](auto tag) {
      return check_value<decltype(tag)>(bytes, from.wire(), expected, tree_.options.bounds).code;
    });
  }
  // Copies the bytes into the arena.
  [[nodiscard]] bool retain(byte_view& bytes) {
    if (!tree_.charge_given(bytes.size())) return false;
    auto* copied = static_cast<std::uint8_t*>(tree_.memory.allocate(bytes.size(), 1));
    if (!bytes.empty()) std::memcpy(copied, bytes.data(), bytes.size());
    bytes = byte_view(copied, bytes.size());
    return true;
  }

  tree& tree_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::dom
