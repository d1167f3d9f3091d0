// shape: the IDL ids of the parts of a C++ type, for bindings at run time. Immutable.
#pragma once

#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/protocol/ttype.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// A struct has `fields` and `by_id`; a list or set `first`; a map `first` and `second`; other types
/// nothing.
struct shape {
  struct slot {
    std::int16_t id = 0;
    ttype wire = ttype::stop;
    bool bound = false;  ///< false: the IDL has no field of that name
    bool required = false;
    const shape* value = nullptr;
  };

  std::vector<slot> fields;                                 ///< by member, or by alternative of a union
  std::vector<std::pair<std::int16_t, std::size_t>> by_id;  ///< id and member, ids ascending
  const shape* first = nullptr;
  const shape* second = nullptr;

  /// The member with an id, or fields.size().
  [[nodiscard]] std::size_t find(std::int16_t id) const noexcept {
    const auto match = thriftlens::detail::end_of(by_id.begin(), by_id.end(),
                                                  [id](const auto& entry) { return entry.first < id; });
    return match != by_id.end() && match->first == id ? match->second : fields.size();
  }
};

/// Points a dynamic state at a part of its shape during its lifetime; does nothing for other states.
template <class State>
class shape_scope {
 public:
  THRIFTLENS_INLINE shape_scope(State& state, const shape* part) noexcept : state_(state), outer_(state.at) {
    state.at = part;
  }
  THRIFTLENS_INLINE ~shape_scope() { state_.at = outer_; }
  shape_scope(const shape_scope&) = delete;
  shape_scope& operator=(const shape_scope&) = delete;

 private:
  State& state_;
  const shape* outer_;
};
template <class State>
  requires(!State::dynamic)
class shape_scope<State> {
 public:
  THRIFTLENS_INLINE shape_scope(State&, const shape*) noexcept {}
};

/// The shape of elements or keys, of mapped values; null for states without shapes.
template <class State>
[[nodiscard]] THRIFTLENS_INLINE const shape* first_part(const State& state) noexcept {
  if constexpr (State::dynamic)
    return state.at->first;
  else
    return nullptr;
}
template <class State>
[[nodiscard]] THRIFTLENS_INLINE const shape* second_part(const State& state) noexcept {
  if constexpr (State::dynamic)
    return state.at->second;
  else
    return nullptr;
}
/// The shape of a member or alternative by index.
template <class State>
[[nodiscard]] THRIFTLENS_INLINE const shape* member_part(const State& state, std::size_t member) noexcept {
  if constexpr (State::dynamic)
    return state.at->fields[member].value;
  else
    return nullptr;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
