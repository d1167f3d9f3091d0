// write: writes the slots of a tree as wire bytes. Values that were not opened are copied unchanged.
#pragma once

#include <thriftlens/core/fault.hpp>
#include <thriftlens/dom/key_index.hpp>
#include <thriftlens/dom/tree.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/protocol/select.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// Writes values in the protocol of the tree, P. Linear in opened and changed values, plus one copy of the
/// rest.
template <protocol P>
class tree_writer {
 public:
  tree_writer(const tree& from, buffer& out) noexcept
      : tree_(from),
        out_(out),
        max_size_(thriftlens::detail::output_end(out.size(), from.options.limits.max_given())) {}

  /// Writes a value as the complete output. After false see failure() and level_of_fault(); the output is
  /// then partial.
  [[nodiscard]] bool write_complete(const slot& of) { return value(of) && fits(); }
  /// Like write_complete, without a final check of the output limit.
  [[nodiscard]] bool value(const slot& of, std::uint32_t depth_left = limits::max_depth) {
    if (is_raw(of)) return put(bytes_of(of));
    if (depth_left == 0) return reject(errc::depth_limit, *of.below, 0);
    if (of.wire == ttype::struct_) return fields(*of.below, depth_left - 1);
    return of.wire == ttype::map ? entries(*of.below, depth_left - 1) : elements(*of.below, depth_left - 1);
  }
  [[nodiscard]] const fault& failure() const noexcept { return failure_; }
  [[nodiscard]] const level* level_of_fault() const noexcept { return where_; }

 private:
  // Adjacent bytes of the source that are adjacent in the output.
  struct run {
    const std::uint8_t* begin = nullptr;
    const std::uint8_t* end = nullptr;
  };

  [[nodiscard]] static bool is_raw(const slot& of) noexcept { return !of.expanded || !of.below->changed; }
  THRIFTLENS_COLD bool reject(errc code, const level& where, std::int16_t id) noexcept {
    failure_ = {code, id, 0};
    where_ = &where;
    return false;
  }
  THRIFTLENS_INLINE bool put(byte_view bytes) {
    out_.append(bytes);
    return fits();
  }
  [[nodiscard]] bool fits() noexcept {
    if (out_.size() <= max_size_) [[likely]]
      return true;
    failure_.code = errc::output_limit;
    return false;
  }
  THRIFTLENS_INLINE bool flush(run& pending) {
    if (pending.begin == pending.end) return true;
    const byte_view bytes(pending.begin, static_cast<std::size_t>(pending.end - pending.begin));
    pending = {};
    return put(bytes);
  }

  [[nodiscard]] bool fields(const level& of, std::uint32_t depth_left) {
    run pending;
    std::int16_t last_id = 0;
    for (const slot *at = of.items, *end = at + of.count; at != end; ++at)
      if (!at->erased() && !field(*at, pending, last_id, depth_left)) return false;
    if (!flush(pending)) return false;
    out_.push_back(0);
    return has_required(of);
  }
  THRIFTLENS_INLINE bool field(const slot& of, run& pending, std::int16_t& last_id,
                               std::uint32_t depth_left) {
    const bool raw = is_raw(of);
    if (raw && follows(pending, of)) {
      pending.end = bytes_of(of).end();
      return true;
    }
    if (!flush(pending)) return false;
    if (put_header_of(of, last_id)) return true;
    return raw ? join(pending, bytes_of(of)) : value(of, depth_left);
  }
  // True if the header contains the value.
  THRIFTLENS_INLINE bool put_header_of(const slot& of, std::int16_t& last_id) {
    const bool is_inline = P::traits.has_inline_bool && of.wire == ttype::bool_;
    out_.commit(
        put_header<P>(out_.prepare(P::max_field_header), {of.wire, of.id}, is_inline && truth(of), last_id));
    return is_inline;
  }
  // Whether a field and its header follow the pending bytes. Compares the bytes of the header, so nothing
  // else can be between them. (Headers without a fixed layout are always rewritten.)
  [[nodiscard]] THRIFTLENS_INLINE bool follows(const run& pending, const slot& next) const noexcept {
    if constexpr (P::traits.has_fixed_layout) {
      if (pending.begin == pending.end) return false;
      if (pending.end + 3 != bytes_of(next).begin()) return false;
      return pending.end[0] == static_cast<std::uint8_t>(next.wire) &&
             load_be<std::int16_t>(pending.end + 1) == next.id;
    } else {
      return false;
    }
  }
  [[nodiscard]] static bool truth(const slot& of) noexcept {
    bool value = false;
    typename P::reader in(bytes_of(of));
    static_cast<void>(in.read_bool(value));
    return value;
  }
  // Whether a slot is a required field with the wire type of the IDL.
  [[nodiscard]] bool is_required(const image::struct_node& in, const slot& field) const noexcept {
    const image::field_node* known = tree_.field(&in, field.id);
    return known != nullptr && known->wire == field.wire && (known->flags & image::required) != 0;
  }
  [[nodiscard]] bool has_required(const level& of) noexcept {
    const image::struct_node* known = tree_.structure(of.type);
    if (known == nullptr || known->required_count == 0) return true;
    const auto present = std::count_if(of.items, of.items + of.count,
                                       [&](const slot& field) { return is_required(*known, field); });
    return static_cast<std::uint32_t>(present) == known->required_count || may_lack(of, *known);
  }
  THRIFTLENS_COLD bool may_lack(const level& of, const image::struct_node& known) noexcept {
    if (tree_.options.missing_required != on_missing::error) return true;
    const image::field_node* missing = tree_.missing_field(known, {of.items, of.count});
    return missing == nullptr || reject(errc::missing_required, of, missing->id);
  }

  [[nodiscard]] bool elements(const level& of, std::uint32_t depth_left) {
    const list_header header{of.value, of.live()};
    const std::size_t begin = out_.size();
    out_.commit(of.wire == ttype::set ? P::put_set(out_.prepare(P::max_list_header), header)
                                      : P::put_list(out_.prepare(P::max_list_header), header));
    if (!values(of, depth_left)) return false;
    return of.wire != ttype::set || of.type == image::none || has_unique_elements(of, begin);
  }
  // Of a set that was written from `begin` on.
  [[nodiscard]] bool has_unique_elements(const level& of, std::size_t begin) {
    if (tree_.options.duplicates != on_duplicate::error) return true;
    const byte_view written(out_.data() + begin, out_.size() - begin);
    return !repeats_key<P>(written, ttype::set) || reject(errc::duplicate_key, of, 0);
  }
  [[nodiscard]] bool entries(const level& of, std::uint32_t depth_left) {
    out_.commit(P::put_map(out_.prepare(P::max_map_header), {of.key, of.value, of.live()}));
    return values(of, depth_left);
  }
  [[nodiscard]] bool values(const level& of, std::uint32_t depth_left) {
    run pending;
    for (const slot *at = of.items, *end = at + of.count; at != end; ++at) {
      if (at->erased()) continue;
      if (!is_raw(*at)) {
        if (!flush(pending) || !value(*at, depth_left)) return false;
      } else if (!join(pending, bytes_of(*at))) {
        return false;
      }
    }
    return flush(pending);
  }
  THRIFTLENS_INLINE bool join(run& pending, byte_view bytes) {
    if (pending.end != bytes.begin()) {
      if (!flush(pending)) return false;
      pending.begin = bytes.begin();
    }
    pending.end = bytes.end();
    return true;
  }

  const tree& tree_;
  buffer& out_;
  std::size_t max_size_;
  fault failure_;
  const level* where_ = nullptr;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
