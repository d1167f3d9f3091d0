// hash: a fast hash of short texts for lookup tables that are built once.
// In: text and seed. Out: 64 well-mixed bits. Source of the mixing: wyhash by Wang Yi (public domain), multiply and fold.
// Never meant against an adversary who chooses both table and keys: builders try several seeds and bound the probes.
#pragma once

#include <thriftlens/core/endian.hpp>

#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t fold(std::uint64_t left, std::uint64_t right) noexcept {
  __extension__ using wide = unsigned __int128;
  wide product = static_cast<wide>(left) * right;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}
}  // namespace detail

/// Hash of every byte of the text. Reads no byte outside it. About 2 ns for names.
[[nodiscard]] inline std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0) noexcept {
  constexpr std::uint64_t k0 = 0xa0761d6478bd642fu, k1 = 0xe7037ed1a0b428dbu;
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  std::size_t n = text.size();
  std::uint64_t state = seed ^ k0;
  for (; n > 16; p += 16, n -= 16) {
    state = detail::fold(load_le<std::uint64_t>(p) ^ k1, load_le<std::uint64_t>(p + 8) ^ state);
  }
  std::uint64_t a = 0, b = 0;
  if (n >= 8) {
    a = load_le<std::uint64_t>(p);
    b = load_le<std::uint64_t>(p + n - 8);
  } else if (n >= 4) {
    a = load_le<std::uint32_t>(p);
    b = load_le<std::uint32_t>(p + n - 4);
  } else if (n > 0) {
    a = (static_cast<std::uint64_t>(p[0]) << 16) | (static_cast<std::uint64_t>(p[n >> 1]) << 8) | p[n - 1];
  }
  return detail::fold(k1 ^ text.size(), detail::fold(a ^ k1 ^ seed, b ^ state));
}

}  // namespace thriftlens
