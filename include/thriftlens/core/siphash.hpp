// siphash: SipHash-2-4, the keyed hash that replaces redacted values. Without a secret key, guessable values
// can be recovered. For hash tables use core/hash.hpp, which is faster.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// SipHash-2-4 under one key.
class redact_hash {
 public:
  using key_bytes = std::array<std::uint8_t, 16>;
  /// The key of options. Converts from key_bytes only, so that a shorter text or number does not compile.
  struct secret_key {
    key_bytes bytes = {};

    constexpr secret_key() noexcept = default;
    constexpr secret_key(const key_bytes& of) noexcept : bytes(of) {}  // NOLINT: implicit on purpose
    template <class T>
      requires(!std::convertible_to<const T&, key_bytes> && !std::same_as<T, secret_key>)
    constexpr secret_key(const T& /*unused*/) {  // NOLINT: implicit on purpose
      static_assert(sizeof(T) == 0, "thriftlens: a key is a std::array<std::uint8_t, 16>");
    }
    friend bool operator==(const secret_key&, const secret_key&) noexcept = default;
  };

  explicit redact_hash(const key_bytes& key = {}) noexcept
      : low_(detail::load_le<std::uint64_t>(key.data())),
        high_(detail::load_le<std::uint64_t>(key.data() + 8)) {}

  [[nodiscard]] std::uint64_t operator()(byte_view bytes) const noexcept {
    state at{low_ ^ 0x736f6d6570736575u, high_ ^ 0x646f72616e646f6du, low_ ^ 0x6c7967656e657261u,
             high_ ^ 0x7465646279746573u};
    const std::uint8_t* p = bytes.data();
    std::size_t remaining = bytes.size();
    for (; remaining >= 8; p += 8, remaining -= 8) at.take(detail::load_le<std::uint64_t>(p));
    at.take(last_word(p, remaining) | static_cast<std::uint64_t>(bytes.size()) << 56);
    at.c ^= 0xff;
    for (int i = 0; i < 4; ++i) at.round();
    return at.a ^ at.b ^ at.c ^ at.d;
  }

 private:
  /// Fewer than eight bytes, the first one lowest.
  [[nodiscard]] static std::uint64_t last_word(const std::uint8_t* p, std::size_t size) noexcept {
    std::uint64_t block = 0;
    for (std::size_t i = 0; i < size; ++i) block |= std::uint64_t{p[i]} << (8 * i);
    return block;
  }
  struct state {
    std::uint64_t a, b, c, d;

    void take(std::uint64_t block) noexcept {
      d ^= block;
      round();
      round();
      a ^= block;
    }
    template <int FirstTurn, int SecondTurn>
    static void half_round(std::uint64_t& to, std::uint64_t& mixed, std::uint64_t& other,
                           std::uint64_t& last) noexcept {
      to += mixed;
      other += last;
      mixed = std::rotl(mixed, FirstTurn) ^ to;
      last = std::rotl(last, SecondTurn) ^ other;
      to = std::rotl(to, 32);
    }
    void round() noexcept {
      half_round<13, 16>(a, b, c, d);
      half_round<17, 21>(c, b, a, d);
    }
  };

  std::uint64_t low_, high_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
