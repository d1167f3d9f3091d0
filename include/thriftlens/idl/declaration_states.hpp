// declaration_states: a state for every declaration of one kind in all programs.
#pragma once

#include <thriftlens/core/pod_vector.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

template <class State>
class declaration_states {
 public:
  /// Adds the next program, with so many declarations.
  void add_program(std::size_t count) {
    begins_.push_back(states_.size());
    states_.resize(states_.size() + count);
  }
  [[nodiscard]] State& at(std::uint32_t program, std::uint32_t index) noexcept {
    return states_[begins_[program] + index];
  }
  [[nodiscard]] const State& at(std::uint32_t program, std::uint32_t index) const noexcept {
    return states_[begins_[program] + index];
  }

 private:
  thriftlens::detail::pod_vector<State> states_;
  thriftlens::detail::pod_vector<std::size_t> begins_;  ///< of programs
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
