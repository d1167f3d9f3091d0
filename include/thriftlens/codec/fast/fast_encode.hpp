// fast_encode: encodes flat values below the limits into a buffer. Returns false, with the output unchanged,
// if the general encoder has to do it.
#pragma once

#include <thriftlens/codec/flat.hpp>
#include <thriftlens/codec/options.hpp>
#include <thriftlens/codec/parts.hpp>
#include <thriftlens/core/buffer.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// Whether fast_encode supports the options. Options added later are not supported by default.
template <class T>
[[nodiscard]] THRIFTLENS_INLINE bool fast_encode_serves(const encode_options& options) noexcept {
  encode_options known;
  known.limits = options.limits;
  return known == options && options.limits.depth >= flat_depth<T>();
}

/// Appends a flat value below the limits; see encode_any() for others.
template <protocol Protocol, class T>
[[nodiscard]] THRIFTLENS_INLINE bool fast_encode(const T& value, buffer& out, const encode_options& options) {
  if constexpr (is_flat_element<T>) {
    const auto texts = flat_text<false>(value);
    if (texts > max_wire_size || !fast_encode_serves<T>(options)) return false;
    const auto max_size = flat_base<Protocol, T>() + texts;
    if (!numbers_fit(value) || max_size > options.limits.max_given()) return false;
    // Growth would move strings that lie in the buffer.
    if constexpr (refers_to_bytes<T>)
      if (out.capacity() - out.size() < max_size) return false;
    flat_target<Protocol> target;
    out.commit(put_flat(target, out.prepare(max_size), value));
    return true;
  } else {
    return false;
  }
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
