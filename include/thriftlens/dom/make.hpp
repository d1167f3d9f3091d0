// make: creates slots of new values: scalars, checked and converted copies, empty structs and containers.
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
#include <optional>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// Converts the bytes of a value to protocol `to`, in `spare` if that is another one.
[[nodiscard]] inline errc convert_bytes(byte_view& bytes, ttype wire, protocol_id from, protocol_id to,
                                        const limits& bounds, buffer& spare) {
  if (from == to) return errc::ok;
  spare.clear();
  const result<void> converted = try_append_converted(from, to, bytes, spare, bounds, wire);
  if (!converted) return converted.error().code();
  bytes = spare;
  return errc::ok;
}

/// Buffers for written or converted bytes; must outlive the use of the bytes.
struct spare_buffers {
  buffer written;
  buffer converted;
};

/// The wire bytes of a slot, written to `spare` if it was changed.
[[nodiscard]] inline errc write_value(const tree& of, const slot& value, buffer& spare, byte_view& bytes) {
  bytes = bytes_of(value);
  if (!value.expanded || !value.below->changed) return errc::ok;
  spare.clear();
  const errc code = visit_protocol(of.protocol, [&](auto tag) {
    tree_writer<decltype(tag)> writer(of, spare);
    return writer.value(value) ? errc::ok : thriftlens::detail::failure_code(writer.failure().code);
  });
  bytes = spare;
  return code;
}
/// The wire bytes of a slot in protocol `to`.
[[nodiscard]] inline errc bytes_for(const tree& of, const slot& value, protocol_id to, spare_buffers& spare,
                                    byte_view& bytes) {
  if (const errc code = write_value(of, value, spare.written, bytes); code != errc::ok) return code;
  return convert_bytes(bytes, value.wire, of.protocol, to, of.options.limits, spare.converted);
}

/// The target of a new value. `type`: its type, or none; then `wire` is its wire type, stop for any.
struct target {
  std::uint32_t type = image::none;
  ttype wire = ttype::stop;
  level* in = nullptr;  ///< null: the root
};

/// Creates values for one tree.
class value_maker {
 public:
  explicit value_maker(tree& in) noexcept : tree_(in) {}

  /// Errors: value_type, value_range, unknown_enum_name, depth_limit, output_limit, or that of the value.
  [[nodiscard]] errc make(slot& into, const node_value& from, target at) {
    using form = node_value::form;
    if (from.code() != errc::ok) return from.code();
    at.wire = tree_.wire_of(at.type, at.wire);
    if (from.kind() == form::node || from.kind() == form::wire) return copy(into, from, at);
    return from.kind() == form::moved ? link(into, from, at) : make_new(into, from, at);
  }
  /// Creates a key of a map; `key` must already have its type.
  [[nodiscard]] errc make_key(slot& into, const map_key& key, target at) {
    if (key.kind() != map_key::form::wire) return make(into, value_of(key), at);
    const ttype wire = tree_.wire_of(at.type, at.wire);
    if (!is_value_type(wire)) return errc::value_type;
    return make(into, node_value::wire(key.bytes(), wire, tree_.protocol), at);
  }
  /// Adjusts the depth of the levels below a linked slot.
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
  [[nodiscard]] static node_value value_of(const map_key& key) noexcept {
    using form = map_key::form;
    if (key.kind() == form::real) return key.real();
    if (key.kind() == form::boolean) return key.boolean();
    if (key.kind() == form::integer) return key.integer();
    return key.text();
  }
  [[nodiscard]] errc make_new(slot& into, node_value value, target at) {
    if (at.wire == ttype::stop) at.wire = value.wire();
    if (!is_value_type(at.wire)) return errc::value_type;
    if (value.kind() == node_value::form::empty) return make_empty(into, at);
    const errc code = fit(value, type_at(at.type), at.wire);
    return code == errc::ok ? encode(into, value, at.wire) : code;
  }
  // `expected` may be empty.
  [[nodiscard]] static errc fit(node_value& value, thriftlens::type expected, ttype wire) noexcept {
    using form = node_value::form;
    if (value.kind() == form::text && expected && expected.is_enum()) return to_number(value, expected);
    if (value.kind() != form::integer) return value.wire() == wire ? errc::ok : errc::value_type;
    if (wire == ttype::double_) return to_double(value);
    if (!is_integer(wire)) return errc::value_type;
    return fits_integer(wire, value.integer()) ? errc::ok : errc::value_range;
  }
  [[nodiscard]] static errc to_number(node_value& name, thriftlens::type of) noexcept {
    const std::optional<std::int32_t> number = of.member_value(name.bytes().text());
    if (!number) return errc::unknown_enum_name;
    name = node_value(*number);
    return errc::ok;
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
    std::uint8_t* const to = allocate(text + 16);
    if (to == nullptr) return errc::output_limit;
    const std::uint8_t* end =
        visit_protocol(tree_.protocol, [&](auto tag) { return put<decltype(tag)>(to, value, wire); });
    into = raw_slot(byte_view(to, static_cast<std::size_t>(end - to)), wire);
    return errc::ok;
  }
  template <protocol P>
  [[nodiscard]] static const std::uint8_t* put(std::uint8_t* to, const node_value& value, ttype wire) {
    if (wire == ttype::string) return put_text<P>(to, value.bytes());
    if (wire == ttype::uuid) return put_raw(to, value.bytes());
    if (wire == ttype::bool_) return P::put_bool(to, value.integer() != 0);
    if (wire == ttype::double_) return P::put_double(to, value.real());
    return put_integer<P>(to, wire, value.integer());
  }
  template <protocol P>
  [[nodiscard]] static std::uint8_t* put_text(std::uint8_t* to, byte_view text) noexcept {
    return put_raw(P::put_size(to, static_cast<std::uint32_t>(text.size())), text);
  }
  [[nodiscard]] static std::uint8_t* put_raw(std::uint8_t* to, byte_view bytes) noexcept {
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    return to + bytes.size();
  }
  // Memory for added values, or null above the limit.
  [[nodiscard]] std::uint8_t* allocate(std::size_t size) {
    if (!tree_.charge_added(size)) return nullptr;
    return static_cast<std::uint8_t*>(tree_.memory.allocate(size, 1));
  }

  [[nodiscard]] errc make_empty(slot& into, const target& at) {
    if (has_children(at.wire)) return make_empty_level(into, at);
    if (at.wire == ttype::uuid) return encode(into, uuid_bytes{}, at.wire);
    return encode(into, std::int8_t{0}, at.wire);  // 0, 0.0, false and ""
  }
  [[nodiscard]] errc make_empty_level(slot& into, const target& at) {
    const std::uint32_t depth = (std::min)(tree_.depth_left(at.in), limits::max_depth);
    if (depth == 0) return errc::depth_limit;
    if (!tree_.charge_added(sizeof(level))) return errc::output_limit;
    level& created = tree_.make_level(at.in, at.wire, at.type, depth - 1);
    created.changed = true;
    if (at.wire != ttype::struct_) set_contents(created);
    into.expand(created);
    return errc::ok;
  }

  // Sets the wire types of the children of an empty container.
  void set_contents(level& created) const noexcept {
    const image::type_node types = tree_.contents(created.type);
    const bool is_map = created.wire == ttype::map;
    if (is_map) created.key = tree_.wire_of(types.first, ttype::stop);
    created.value = tree_.wire_of(is_map ? types.second : types.first, ttype::stop);
  }

  template <class Visit>
  static void each_level(level& top, Visit visit) {
    std::vector<level*> open{&top};
    while (!open.empty()) {
      level& next = *open.back();
      open.pop_back();
      visit(next);
      for (std::uint32_t i = 0; i < next.count; ++i)
        if (next.items[i].expanded && !next.items[i].erased()) open.push_back(next.items[i].below);
    }
  }
  // Links a slot of this tree and of the same type, with the levels below; settle() must follow.
  [[nodiscard]] errc link(slot& into, const node_value& from, const target& at) const {
    if (at.wire != ttype::stop && from.wire() != at.wire) return errc::value_type;
    if (from.tree() != &tree_ || from.type() != type_at(at.type)) return errc::value_type;
    if (from.slot()->expanded && !fits_depth(*from.slot()->below, tree_.depth_left(at.in)))
      return errc::depth_limit;
    into = *from.slot();
    return errc::ok;
  }
  [[nodiscard]] static bool fits_depth(level& top, std::uint32_t depth_left) {
    bool fits = depth_left != 0;
    const std::int32_t change = static_cast<std::int32_t>(depth_left) - 1 - top.depth_left;
    each_level(top, [&](const level& below) { fits = fits && below.depth_left + change >= 0; });
    return fits;
  }

  // Copies a value with wire bytes.
  [[nodiscard]] errc copy(slot& into, const node_value& from, const target& at) {
    spare_buffers spare;
    byte_view bytes;
    if (const errc code = wire_bytes(from, spare, bytes); code != errc::ok) return code;
    if (const errc code = check_bytes(bytes, from, at); code != errc::ok) return code;
    const bool is_copy = from.tree() != &tree_ || bytes.data() == spare.written.data();
    if (is_copy && !retain(bytes)) return errc::output_limit;
    into = raw_slot(bytes, from.wire());
    return errc::ok;
  }
  // The bytes of a value in the protocol of this tree.
  [[nodiscard]] errc wire_bytes(const node_value& from, spare_buffers& spare, byte_view& bytes) const {
    if (from.tree() != nullptr) return bytes_for(*from.tree(), *from.slot(), tree_.protocol, spare, bytes);
    bytes = from.bytes();
    return convert_bytes(bytes, from.wire(), from.protocol(), tree_.protocol, tree_.options.limits,
                         spare.converted);
  }
  // Checks bytes against the type, unless the value was already read as that type.
  [[nodiscard]] errc check_bytes(byte_view bytes, const node_value& from, const target& at) const {
    if (at.wire != ttype::stop && from.wire() != at.wire) return errc::value_type;
    if (bytes.size() > 0xffffffffu) return errc::size_limit;
    const thriftlens::type expected = type_at(at.type);
    if (known_as(from, expected)) return errc::ok;
    if (!same_structs(from.type(), expected)) return errc::value_type;
    return check_bytes(bytes, from.wire(), expected);
  }
  // Whether a value was read as `expected`, or is a node if that is empty.
  [[nodiscard]] static bool known_as(const node_value& value, thriftlens::type expected) noexcept {
    return expected ? value.type() == expected : value.kind() == node_value::form::node;
  }
  [[nodiscard]] errc check_bytes(byte_view bytes, ttype wire, thriftlens::type expected) const {
    return visit_protocol(tree_.protocol, [&](auto tag) {
      return check_value<decltype(tag)>(bytes, wire, expected, tree_.options.limits).code;
    });
  }
  // Copies the bytes into the arena.
  [[nodiscard]] bool retain(byte_view& bytes) {
    std::uint8_t* const copied = allocate(bytes.size());
    if (copied == nullptr) return false;
    static_cast<void>(put_raw(copied, bytes));
    bytes = byte_view(copied, bytes.size());
    return true;
  }

  tree& tree_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
