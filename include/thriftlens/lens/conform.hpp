// conform: whether wire bytes are one value of a type.
// In: bytes, a type. Out: ok, or the first contradiction.
// Never looks at requiredness, enum numbers or encodings of text (validate does); unknown fields are fine.
#pragma once

#include <thriftlens/lens/children.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
/// Checks the value at `spot` and leaves `end` behind it. Recursion is bounded by the depth in the spot.
template <protocol P>
[[nodiscard]] inline fault conform_at(byte_view bytes, const schema_image* image, const wire_spot& spot, const std::uint8_t*& end) noexcept {
  if (spot.wire != ttype::struct_ && !is_container(spot.wire)) {
    typename P::reader in(bytes);
    in.seek(spot.at);
    bool done = in.skip(spot.wire);
    end = in.at();
    return done ? fault{} : in.fault();
  }
  children<P> inside(bytes, image, spot);
  auto check = [&](const wire_spot& part) -> fault {
    bool flat = part.type == image::none || (part.wire != ttype::struct_ && !is_container(part.wire));
    const std::uint8_t* unused = nullptr;
    return flat ? fault{} : conform_at<P>(bytes, image, part, unused);
  };
  while (inside.next()) {
    if (spot.wire == ttype::map) {
      if (fault why = check(inside.key())) return why;
    }
    if (fault why = check(inside.value())) return why;
  }
  if (inside.code() != errc::ok) return {inside.code(), 0, static_cast<std::size_t>(inside.broken_at().at - bytes.begin())};
  end = inside.end();
  return {};
}
}  // namespace detail

/// ok where `bytes` are exactly one value of type `of` in protocol P, a bool as an element has it. Costs at most bytes x depth.
/// Faults: those of the reader, type_mismatch, trailing_bytes.
template <protocol P>
[[nodiscard]] fault conforms(byte_view bytes, type of, const limits& bounds = {}) noexcept {
  typename P::reader in(bytes, bounds);
  const std::uint8_t* end = nullptr;
  if (fault why = detail::conform_at<P>(bytes, of.image(), {in.here(), of.index(), of.wire()}, end)) return why;
  return end == bytes.end() ? fault{} : fault{errc::trailing_bytes, 0, static_cast<std::size_t>(end - bytes.begin())};
}

}  // namespace thriftlens
