// const_keys: duplicate keys of maps and struct constants.
#pragma once

#include <thriftlens/core/hash.hpp>
#include <thriftlens/core/pod_vector.hpp>
#include <thriftlens/idl/program.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Compares resolved values. Seeded with its address, because values may be untrusted.
class const_keys {
 public:
  /// The last value of a key wins and takes the position of the first. Returns the positions of further
  /// occurrences, valid until the next call. Linear in the value.
  [[nodiscard]] THRIFTLENS_COLD std::span<const position> drop_duplicates(const_value& value) {
    duplicates_.clear();
    const std::size_t pairs = value.items.size() / 2;
    if (pairs < 2) return {};
    buckets_.assign(std::bit_ceil(pairs * 2), 0);
    // Safe: the parser created the nodes as mutable objects in the arena.
    auto* items = const_cast<const_value*>(value.items.data());
    std::uint32_t unique = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      std::uint32_t& bucket = bucket_of(items, items[2 * i]);
      if (bucket != 0) duplicates_.push_back(items[2 * i].where);
      if (bucket == 0) bucket = ++unique;
      move_pair(items, i, bucket - 1);
    }
    value.items = value.items.first(2 * std::size_t{unique});
    return {duplicates_.data(), duplicates_.size()};
  }

 private:
  static void move_pair(const_value* items, std::size_t from, std::size_t to) noexcept {
    if (from == to) return;
    items[2 * to] = items[2 * from];
    items[2 * to + 1] = items[2 * from + 1];
  }
  /// Holds 1 + the pair that has the key, or 0.
  [[nodiscard]] std::uint32_t& bucket_of(const const_value* items, const const_value& key) noexcept {
    std::size_t at = thriftlens::detail::first_slot(hash(key), buckets_.size() - 1);
    while (buckets_[at] != 0 && !equal(items[2 * (buckets_[at] - 1)], key))
      at = (at + 1) & (buckets_.size() - 1);
    return buckets_[at];
  }
  [[nodiscard]] THRIFTLENS_COLD std::uint64_t hash(const const_value& value) const noexcept {
    std::uint64_t sum = static_cast<std::uint64_t>(value.shape) + 1;
    for (const const_value& item : value.items) sum = mix(sum, hash(item) ^ seed());
    return mix(sum ^ hash_scalar(value), 0xE7037ED1A0B428DBu);
  }
  /// Hash of the value without its items.
  [[nodiscard]] std::uint64_t hash_scalar(const const_value& value) const noexcept {
    if (value.shape == const_value::form::real) return std::bit_cast<std::uint64_t>(value.real + 0.0);
    if (value.shape == const_value::form::string) return thriftlens::detail::hash_text(value.text, seed());
    return static_cast<std::uint64_t>(value.integer) ^ seed();
  }
  [[nodiscard]] static std::uint64_t mix(std::uint64_t sum, std::uint64_t next) noexcept {
    return thriftlens::detail::fold(sum ^ 0x9E3779B97F4A7C15u, next);
  }
  /// Compares resolved values, whose integer is 0 for containers and structs.
  [[nodiscard]] THRIFTLENS_COLD static bool equal(const const_value& lhs, const const_value& rhs) noexcept {
    if (lhs.shape != rhs.shape) return false;
    if (lhs.shape == const_value::form::real) return !(lhs.real < rhs.real) && !(rhs.real < lhs.real);
    if (lhs.shape == const_value::form::string) return lhs.text == rhs.text;
    if (lhs.integer != rhs.integer || lhs.items.size() != rhs.items.size()) return false;
    for (std::size_t i = 0; i < lhs.items.size(); ++i)
      if (!equal(lhs.items[i], rhs.items[i])) return false;
    return true;
  }
  [[nodiscard]] std::uint64_t seed() const noexcept {
    return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(this));
  }

  thriftlens::detail::pod_vector<std::uint32_t> buckets_;
  thriftlens::detail::pod_vector<position> duplicates_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
