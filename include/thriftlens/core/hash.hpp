// hash: a fast hash of short texts (mixing of wyhash by Wang Yi, public domain). Tables of untrusted keys
// need a secret seed and bounded probing.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/uint128.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

[[nodiscard]] THRIFTLENS_INLINE std::uint64_t fold(std::uint64_t lhs, std::uint64_t rhs) noexcept {
  const uint128 product = product_of(lhs, rhs);
  return lower_half(product) ^ upper_half(product);
}

inline constexpr std::uint64_t hash_key_0 = 0xa0761d6478bd642fu, hash_key_1 = 0xe7037ed1a0b428dbu;

/// Up to seven bytes as a number, the first one lowest.
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t load_short_le(const std::uint8_t* p, std::size_t n) noexcept {
  if (n >= 4)
    return load_le<std::uint32_t>(p) | std::uint64_t{load_le<std::uint32_t>(p + n - 4)} << (8 * (n - 4));
  if (n == 0) return 0;
  const std::uint64_t middle = std::uint64_t{p[n >> 1]} << (8 * (n >> 1));
  return p[0] | middle | std::uint64_t{p[n - 1]} << (8 * (n - 1));
}
/// `a` and `b`: the first and last eight of the last 1 to 16 bytes; of fewer than eight both are all of them.
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t finish_hash(std::uint64_t a, std::uint64_t b, std::size_t size,
                                                          std::uint64_t seed, std::uint64_t state) noexcept {
  return fold(hash_key_1 ^ size, fold(a ^ hash_key_1 ^ seed, b ^ state));
}

/// First slot to probe in a table of `mask` + 1 slots, a power of two.
[[nodiscard]] THRIFTLENS_INLINE std::size_t first_slot(std::uint64_t hash, std::size_t mask) noexcept {
  return static_cast<std::size_t>(hash) & mask;
}

/// Hash of a number. Folds two times: with one fold, consecutive numbers cluster for one seed in thirty, and
/// tables of them fail.
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t hash_number(std::uint64_t number, std::uint64_t seed) noexcept {
  return fold(hash_key_1 ^ seed, fold(number ^ seed, 0x9e3779b97f4a7c15u ^ (seed >> 1)));
}

/// Hash of all bytes of the text; reads no byte outside it. About 2 ns for names. Both factors of every
/// multiplication contain the seed, so input cannot be crafted to make a factor zero.
[[nodiscard]] inline std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0) noexcept {
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  std::size_t n = text.size();
  std::uint64_t state = seed ^ detail::hash_key_0;
  for (; n > 16; p += 16, n -= 16) {
    state = detail::fold(load_le<std::uint64_t>(p) ^ detail::hash_key_1 ^ seed,
                         load_le<std::uint64_t>(p + 8) ^ state);
  }
  if (n < 8) {
    const std::uint64_t bytes = detail::load_short_le(p, n);
    return detail::finish_hash(bytes, bytes, text.size(), seed, state);
  }
  return detail::finish_hash(load_le<std::uint64_t>(p), load_le<std::uint64_t>(p + n - 8), text.size(), seed,
                             state);
}

/// Same for 1 to 16 bytes at `p`, where at least eight are readable: no branch on the size.
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t hash_short_text(const std::uint8_t* p, std::size_t n,
                                                              std::uint64_t seed) noexcept {
  const std::uint64_t byte_mask = n < 8 ? (std::uint64_t{1} << (8 * n)) - 1 : ~std::uint64_t{0};
  const std::uint64_t first = load_le<std::uint64_t>(p) & byte_mask;
  const std::uint64_t last = load_le<std::uint64_t>(p + (n < 8 ? 0 : n - 8)) & byte_mask;
  return detail::finish_hash(first, last, n, seed, seed ^ detail::hash_key_0);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
