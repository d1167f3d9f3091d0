// scan: field headers and values of both protocols by pointer, for hot loops.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/schema/image.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A field header; type stop ends the struct. `inline_bool` is Compact's value in the header, else -1.
struct scan_field {
  ttype type = ttype::stop;
  std::int16_t id = 0;
  std::int8_t inline_bool = -1;
};

/// Compares the last byte first, where different keys of one size mostly differ.
[[nodiscard]] THRIFTLENS_INLINE bool same_text(byte_view lhs, byte_view rhs) noexcept {
  if (lhs.size() != rhs.size()) return false;
  return lhs.empty() ||
         (lhs[lhs.size() - 1] == rhs[lhs.size() - 1] && std::memcmp(lhs.data(), rhs.data(), lhs.size()) == 0);
}

/// Protocols with headers and sizes of fixed layout, which templates can match.
template <class P>
concept fixed_layout_protocol = protocol<P> && P::traits.has_fixed_layout;

/// State of a skipper that learns from consecutive structs; empty for others.
struct no_row_shapes {
  struct row {};
};
template <class Skipper>
struct row_shapes_of {
  using type = no_row_shapes;
};
template <class Skipper>
  requires requires { typename Skipper::row_shapes; }
struct row_shapes_of<Skipper> {
  using type = typename Skipper::row_shapes;
};

/// For any protocol, through its get functions and its skipper. Without prefix templates or layouts.
template <protocol P>
class scanner {
  using skipper = typename P::skipper;
  using row_shapes = typename row_shapes_of<skipper>::type;
  static constexpr bool learns = !std::is_same_v<row_shapes, no_row_shapes>;

 public:
  explicit scanner(const std::uint8_t* end) noexcept : end_(end), skipper_(end) {
    if constexpr (learns) skipper_.share(shapes_);
  }
  scanner(const scanner&) = delete;  // the skipper refers to it
  scanner& operator=(const scanner&) = delete;

  [[nodiscard]] THRIFTLENS_INLINE bool next(const std::uint8_t*& at, scan_field& field,
                                            std::int16_t& last_id) noexcept {
    wire_field field_read;
    errc code = errc::ok;
    at = P::get_field(at, end_, last_id, field_read, code);
    if (at == nullptr) [[unlikely]]
      return false;
    field = {field_read.header.type, field_read.header.id, field_read.inline_bool};
    return true;
  }
  /// Steps over leading fields with ids below `id`, or fewer of them. `depth_left` includes the struct.
  [[nodiscard]] THRIFTLENS_INLINE bool pass_below(const std::uint8_t*& at, std::int16_t& last_id, int id,
                                                  std::uint32_t depth_left) noexcept {
    if constexpr (requires { skipper_.skip_below(at, last_id, id, depth_left); })
      at = skipper_.skip_below(at, last_id, id, depth_left);
    return at != nullptr;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool skip(const std::uint8_t*& at, const scan_field& field,
                                            std::uint32_t depth_left) noexcept {
    return field.inline_bool >= 0 || skip(at, field.type, depth_left);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool skip(const std::uint8_t*& at, ttype type,
                                            std::uint32_t depth_left) noexcept {
    return (at = skipper_.skip(at, type, depth_left)) != nullptr;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool text(const std::uint8_t*& at, byte_view& value) noexcept {
    errc code = errc::ok;
    const std::uint8_t* text_end = P::get_bytes(at, end_, 0xffffffffu, value, code);
    if (text_end == nullptr) [[unlikely]]
      return false;
    at = text_end;
    return true;
  }

  [[nodiscard]] THRIFTLENS_INLINE bool skip_known(const std::uint8_t*& at, ttype wire, std::uint32_t /*type*/,
                                                  const schema_image& /*image*/,
                                                  std::uint32_t depth_left) noexcept {
    return (at = skipper_.skip(at, wire, depth_left)) != nullptr;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool skip_field(const std::uint8_t*& at, const scan_field& field,
                                                  std::uint32_t /*of*/, const schema_image& /*image*/,
                                                  std::uint32_t depth_left) noexcept {
    return skip(at, field, depth_left);
  }
  [[nodiscard]] static bool is_at(const std::uint8_t*, const shape_ref&, std::size_t) noexcept {
    return false;
  }
  [[nodiscard]] static bool pass(const std::uint8_t*&, const shape_ref&, std::size_t) noexcept {
    return false;
  }

  /// Binary's layouts do not exist here.
  struct no_layouts {};
  struct layout_lease {
    explicit layout_lease(no_layouts) noexcept {}
    [[nodiscard]] static shape_ref learn(const std::uint8_t*) noexcept { return {}; }
  };
  [[nodiscard]] static no_layouts layouts() noexcept { return {}; }

  /// Skips consecutive values. Structs are compared with the previous ones if the skipper learns.
  class layout_predictor {
   public:
    layout_predictor(scanner& in, std::size_t count, std::uint32_t /*type*/, const schema_image& /*image*/,
                     std::uint32_t /*depth_left*/) noexcept {
      if constexpr (learns) {
        is_row_ = in.skipper_.is_row(count);
        row_.remaining = count;
      }
    }
    [[nodiscard]] THRIFTLENS_INLINE bool skip(scanner& in, const std::uint8_t*& at, ttype wire,
                                              std::uint32_t depth_left) noexcept {
      if constexpr (learns) {
        if (is_row_ && wire == ttype::struct_) {
          at = in.skipper_.skip_next(at, depth_left, row_);
          --row_.remaining;
          return at != nullptr;
        }
      }
      return in.skip(at, wire, depth_left);
    }

   private:
    bool is_row_ = false;
    typename row_shapes::row row_;
  };

  /// Size of a value of that wire type, 0 if it varies.
  [[nodiscard]] static std::size_t width(ttype wire) noexcept { return element_width<P>(wire); }
  [[nodiscard]] const std::uint8_t* end() const noexcept { return end_; }

 private:
  const std::uint8_t* end_;
  skipper skipper_;
  row_shapes shapes_;
};

/// For protocols with fixed layout of headers and sizes: structs are compared with the expected layout.
template <fixed_layout_protocol P>
class scanner<P> {
 public:
  explicit scanner(const std::uint8_t* end) noexcept : end_(end), skipper_(end) {}

  /// Reads the header at `at` and moves past it. `last_id` is not used.
  [[nodiscard]] THRIFTLENS_INLINE bool next(const std::uint8_t*& at, scan_field& field,
                                            std::int16_t& /*last_id*/) noexcept {
    // By value: a pointer whose address is passed out of line would stay in memory.
    if (remaining(at) < 3) [[unlikely]] {
      field = {};
      return at != end_ && *at++ == 0;
    }
    field.type = static_cast<ttype>(*at);
    field.id = load_be<std::int16_t>(at + 1);
    at += field.type == ttype::stop ? 1 : 3;
    return true;
  }
  /// No step: a header takes as long as this.
  [[nodiscard]] static constexpr bool pass_below(const std::uint8_t*&, std::int16_t&, int,
                                                 std::uint32_t) noexcept {
    return true;
  }
  /// Steps over the value of a field. `depth_left` includes it if it is a struct or container.
  [[nodiscard]] THRIFTLENS_INLINE bool skip(const std::uint8_t*& at, const scan_field& field,
                                            std::uint32_t depth_left) noexcept {
    return skip(at, field.type, depth_left);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool skip(const std::uint8_t*& at, ttype type,
                                            std::uint32_t depth_left) noexcept {
    if (const std::size_t width = fixed_width(type)) {
      if (remaining(at) < width) [[unlikely]]
        return false;
      at = binary_after<8, 4, 1>(at, width);
      return true;
    }
    byte_view unused;
    if (type == ttype::string) return text(at, unused);
    return (at = skipper_.skip(at, type, depth_left)) != nullptr;
  }
  /// Steps over a value whose IDL type is known.
  [[nodiscard]] THRIFTLENS_INLINE bool skip_known(const std::uint8_t*& at, ttype wire, std::uint32_t type,
                                                  const schema_image& image,
                                                  std::uint32_t depth_left) noexcept {
    if (wire < ttype::struct_) return skip(at, wire, depth_left);
    if (const shape_ref layout = image.shape_inside(type)) {
      if (wire == ttype::struct_) {
        if (layout.levels <= depth_left && match(at, layout)) return true;
      } else {
        skipper_.layouts().expect(layout);
      }
    }
    return (at = skipper_.skip(at, wire, depth_left)) != nullptr;
  }
  /// Steps over a field of the struct type `of`.
  [[nodiscard]] THRIFTLENS_INLINE bool skip_field(const std::uint8_t*& at, const scan_field& field,
                                                  std::uint32_t of, const schema_image& image,
                                                  std::uint32_t depth_left) noexcept {
    if (field.type < ttype::struct_) [[likely]]
      return skip(at, field.type, depth_left);
    const std::uint32_t node = image.find_field(image.struct_of(of), field.id);
    if (node == image::none || image.fields[node].wire != field.type) [[unlikely]]
      return skip(at, field.type, depth_left);
    return skip_known(at, field.type, image.fields[node].type, image, depth_left);
  }
  /// Steps over `segments` segments of the prefix template of the struct at `at`. False: the struct differs,
  /// `at` is unchanged.
  [[nodiscard]] THRIFTLENS_INLINE bool pass(const std::uint8_t*& at, const shape_ref& prefix,
                                            std::size_t segments) const noexcept {
    const std::uint8_t* to = at;
    for (const shape_segment* part = prefix.segments; segments != 0; --segments, ++part) {
      if (!part->is_at(to, end_, prefix.blocks)) [[unlikely]]
        return false;
      if ((to = part->after(to, end_)) == nullptr) [[unlikely]]
        return false;
    }
    at = to;
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool is_at(const std::uint8_t* at, const shape_ref& prefix,
                                             std::size_t segment) const noexcept {
    return prefix.segments[segment].is_at(at, end_, prefix.blocks);
  }
  /// The string at `at`.
  [[nodiscard]] THRIFTLENS_INLINE bool text(const std::uint8_t*& at, byte_view& value) noexcept {
    if (remaining(at) < 4) [[unlikely]]
      return false;
    const auto size = load_be<std::uint32_t>(at);
    if (size > remaining(at) - 4) [[unlikely]]
      return false;
    value = byte_view(at + 4, size);
    at += 4 + std::size_t{size};
    return true;
  }

  using layout_lease = detail::layout_lease;
  [[nodiscard]] learned_layouts& layouts() noexcept { return skipper_.layouts(); }

  /// Skips consecutive values. A struct is compared with the layout of the previous ones, the first with that
  /// of its type.
  class layout_predictor {
   public:
    /// For `count` values of that type in a container.
    layout_predictor(scanner& in, std::size_t count, std::uint32_t type, const schema_image& image,
                     std::uint32_t depth_left) noexcept
        : row_(in.layouts(), image.shape_inside(type), depth_left, count) {}
    [[nodiscard]] THRIFTLENS_INLINE bool skip(scanner& in, const std::uint8_t*& at, ttype wire,
                                              std::uint32_t depth_left) noexcept {
      if (wire != ttype::struct_) return in.skip(at, wire, depth_left);
      const std::uint8_t* const struct_end = row_.match(at, in.end_);
      if (struct_end == nullptr) [[unlikely]]
        return skip_mismatch(in, at, depth_left);
      at = struct_end;
      return true;
    }

   private:
    THRIFTLENS_NOINLINE bool skip_mismatch(scanner& in, const std::uint8_t*& at,
                                           std::uint32_t depth_left) noexcept {
      const std::uint8_t* const begin = at;
      if ((at = in.skipper_.skip_struct(begin, depth_left)) == nullptr) return false;
      row_.miss(begin);
      return true;
    }
    layout_row row_;
  };

  /// Size of a value of that wire type, 0 if it varies.
  [[nodiscard]] static std::size_t width(ttype wire) noexcept { return element_width<P>(wire); }
  [[nodiscard]] const std::uint8_t* end() const noexcept { return end_; }

 private:
  [[nodiscard]] std::size_t remaining(const std::uint8_t* at) const noexcept {
    return static_cast<std::size_t>(end_ - at);
  }
  /// Skips a struct with this layout. False: it has another one, `at` is unchanged.
  [[nodiscard]] THRIFTLENS_INLINE bool match(const std::uint8_t*& at,
                                             const shape_ref& layout) const noexcept {
    const std::uint8_t* const struct_end = layout.match(at, end_);
    if (struct_end == nullptr) [[unlikely]]
      return false;
    at = struct_end;
    return true;
  }

  const std::uint8_t* end_;
  binary_skipper skipper_;
};

/// Steps over consecutive values of one IDL type.
template <class Scanner>
[[nodiscard]] bool skip_row(Scanner& in, const std::uint8_t*& at, ttype wire, std::uint32_t type,
                            const schema_image& image, std::size_t count, std::uint32_t depth_left) noexcept {
  if (const std::size_t width = in.width(wire)) {
    if (std::uint64_t{width} * count > static_cast<std::size_t>(in.end() - at)) [[unlikely]]
      return false;
    at += width * count;
    return true;
  }
  typename Scanner::layout_predictor row(in, count, type, image, depth_left);
  for (; count != 0; --count) {
    if (!row.skip(in, at, wire, depth_left)) [[unlikely]]
      return false;
  }
  return true;
}

/// In blocks of sixteen bytes: compilers emit slow string instructions for larger constant sizes.
template <std::size_t Size>
THRIFTLENS_INLINE void copy_block(std::uint8_t* to, const std::uint8_t* from) noexcept {
  constexpr std::size_t step = Size < 16 ? Size : 16;
  for (std::size_t i = 0; i < Size; i += step) std::memcpy(to + i, from + i, step);
}
template <std::size_t Size>
THRIFTLENS_INLINE void copy_both_ends(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  copy_block<Size>(to, from);
  copy_block<Size>(to + size - Size, from + size - Size);
}
/// Copies a run of less than 2 * Size bytes.
template <std::size_t Size>
THRIFTLENS_INLINE void copy_below_twice(std::uint8_t* to, const std::uint8_t* from,
                                        std::size_t size) noexcept {
  if (size >= Size)
    copy_both_ends<Size>(to, from, size);
  else if constexpr (Size > 4)
    copy_below_twice<Size / 2>(to, from, size);
  else
    for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
}
/// Copies a run that may be long or end near `end`.
THRIFTLENS_INLINE void copy_exactly(std::uint8_t* to, const std::uint8_t* from, std::size_t size) noexcept {
  if (size >= 128)
    std::memcpy(to, from, size);
  else
    copy_below_twice<64>(to, from, size);
}
/// Copies a short run by blocks: reads and writes up to 64 bytes if both sides have the capacity.
[[nodiscard]] THRIFTLENS_INLINE std::uint8_t* copy_run(std::uint8_t* to, const std::uint8_t* from,
                                                       std::size_t size, const std::uint8_t* end) noexcept {
  if (size <= 64 && end - from >= 64) [[likely]] {
    copy_block<16>(to, from);
    if (size > 16) {
      copy_block<16>(to + 16, from + 16);
      if (size > 32) copy_block<32>(to + 32, from + 32);
    }
  } else {
    copy_exactly(to, from, size);
  }
  return to + size;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
