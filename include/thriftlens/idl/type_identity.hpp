// type_identity: compares types without their typedefs. Visits a type only once: nested typedefs of maps
// expand exponentially.
#pragma once

#include <thriftlens/core/number_table.hpp>
#include <thriftlens/idl/type_resolver.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Numbers types on demand. Borrows the resolver and the types.
class type_identity {
 public:
  explicit type_identity(const type_resolver& types) noexcept : types_(types) {}

  /// Also false if a type is unresolved. Amortised O(1).
  [[nodiscard]] bool same(const type_ref& lhs, const type_ref& rhs) {
    const std::uint32_t lhs_number = number(lhs);
    return lhs_number != unknown && lhs_number == number(rhs);
  }

 private:
  using number_table = thriftlens::detail::number_table;
  static constexpr std::uint32_t unknown = 0xFFFFFFFFu;
  [[nodiscard]] THRIFTLENS_COLD std::uint32_t number(const type_ref& type) {
    const type_ref* plain = types_.see_through(type);
    if (plain == nullptr) return unknown;
    if (const std::uint32_t known = numbers_.find(plain); known != number_table::none) return known;
    const std::optional<std::uint64_t> structure = structure_of(*plain);
    if (!structure) return unknown;
    const auto [value, fresh] = structures_[static_cast<std::size_t>(plain->shape)].insert(*structure, next_);
    if (fresh) ++next_;
    numbers_.insert(plain, value);
    return value;
  }
  /// Among types of its shape: which base type, the declaration, or the numbers of the arguments. Nullopt if
  /// an argument is unresolved.
  [[nodiscard]] std::optional<std::uint64_t> structure_of(const type_ref& type) {
    if (type.shape == type_ref::form::name) {
      const std::uint64_t is_enum = type.target.kind == declaration_kind::enum_ ? 1 : 0;
      return (is_enum << 31 | type.target.program) << 32 | type.target.index;
    }
    if (type.arguments.empty()) return static_cast<std::uint64_t>(type.base);
    const std::uint64_t first = number(type.arguments.front()), last = number(type.arguments.back());
    if (first == unknown || last == unknown) return std::nullopt;
    return first << 32 | last;
  }

  const type_resolver& types_;
  number_table numbers_;        ///< of types as written
  number_table structures_[5];  ///< of types that differ, by shape
  std::uint32_t next_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
