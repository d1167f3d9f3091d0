// type_identity: compares types without their typedefs. Visits a type only once: nested typedefs of maps
// expand exponentially.
#pragma once

#include <thriftlens/idl/type_resolver.hpp>

#include <compare>
#include <cstdint>
#include <map>
#include <optional>

#include <unordered_map>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Numbers types on demand. Borrows the resolver and the types.
class type_identity {
 public:
  explicit type_identity(const type_resolver& types) noexcept : types_(types) {}

  /// Also false if a type is unresolved. Amortised logarithmic in the number of types.
  [[nodiscard]] bool same(const type_ref& lhs, const type_ref& rhs) {
    const std::uint32_t lhs_number = number(lhs);
    return lhs_number != unknown && lhs_number == number(rhs);
  }

 private:
  static constexpr std::uint32_t unknown = 0xFFFFFFFFu;
  /// Shape; for base types which one; the position of the declaration, or the numbers of the arguments.
  struct structure {
    type_ref::form shape;
    base_type base = base_type::void_;
    declaration_kind kind = declaration_kind::none;
    std::uint32_t first = 0;
    std::uint32_t last = 0;

    friend auto operator<=>(const structure&, const structure&) noexcept = default;
  };

  [[nodiscard]] std::uint32_t number(const type_ref& type) {
    const type_ref* plain = types_.see_through(type);
    if (plain == nullptr) return unknown;
    auto [at, fresh] = numbers_.try_emplace(plain, unknown);
    if (!fresh) return at->second;
    const std::optional<structure> key = structure_of(*plain);
    if (!key) return unknown;
    const auto next = static_cast<std::uint32_t>(known_.size());
    return numbers_[plain] = known_.try_emplace(*key, next).first->second;
  }
  /// Nullopt if an argument is unresolved.
  [[nodiscard]] std::optional<structure> structure_of(const type_ref& type) {
    const declaration_ref& to = type.target;
    if (type.shape == type_ref::form::name)
      return structure{.shape = type.shape, .kind = to.kind, .first = to.program, .last = to.index};
    if (type.arguments.empty()) return structure{.shape = type.shape, .base = type.base};
    const std::uint32_t first = number(type.arguments.front()), last = number(type.arguments.back());
    if (first == unknown || last == unknown) return std::nullopt;
    return structure{.shape = type.shape, .first = first, .last = last};
  }

  const type_resolver& types_;
  std::unordered_map<const type_ref*, std::uint32_t> numbers_;
  std::map<structure, std::uint32_t> known_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
