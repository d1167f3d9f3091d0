// in_flight: the calls of a client that wait for replies, by sequence id, and ids whose replies are
// ignored.
#pragma once

#include <thriftlens/transport/id_ranges.hpp>
#include <thriftlens/transport/session_event.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

struct waiting_call {
  std::int32_t sequence_id = 0;
  delivery reply = delivery::complete;
  std::optional<double> deadline = {};
  std::string name = {};
};

/// Calls in the order in which they were sent, so that the one answered next is found at the front.
class in_flight {
 public:
  explicit in_flight(std::size_t max_calls) noexcept
      : max_calls_(max_calls), oneways_(max_calls), cancelled_(max_calls) {}

  [[nodiscard]] std::size_t size() const noexcept { return waiting_.size(); }
  [[nodiscard]] bool is_full() const noexcept { return waiting_.size() >= max_calls_; }
  /// Null if no call waits for that id.
  [[nodiscard]] const waiting_call* find(std::int32_t id) const noexcept {
    const auto at = std::find_if(waiting_.begin(), waiting_.end(),
                                 [id](const waiting_call& waiting) { return waiting.sequence_id == id; });
    return at != waiting_.end() ? &*at : nullptr;
  }
  void add(waiting_call&& call) { waiting_.push_back(std::move(call)); }
  /// False if no call waits for that id.
  bool remove(std::int32_t id) noexcept {
    const auto at = std::find_if(waiting_.begin(), waiting_.end(),
                                 [id](const waiting_call& waiting) { return waiting.sequence_id == id; });
    if (at == waiting_.end()) return false;
    waiting_.erase(at);
    return true;
  }
  /// Replies with that id are ignored from now on.
  void ignore_oneway(std::int32_t id) { oneways_.insert(id); }
  void ignore_cancelled(std::int32_t id) {
    cancelled_.insert(id);
    ++overdue_;
  }
  [[nodiscard]] bool is_ignored(std::int32_t id) const noexcept {
    return cancelled_.contains(id) || oneways_.contains(id);
  }
  /// Called for each arriving reply that is ignored.
  void note_ignored_reply(std::int32_t id) noexcept {
    if (overdue_ != 0 && cancelled_.contains(id)) --overdue_;
  }
  /// Cancelled calls whose replies have not arrived.
  [[nodiscard]] std::size_t overdue() const noexcept { return overdue_; }
  /// Appends the ids of calls whose deadline is not after `time`.
  void expired(double time, std::vector<std::int32_t>& ids) const {
    for (const waiting_call& call : waiting_) {
      if (call.deadline && *call.deadline <= time) ids.push_back(call.sequence_id);
    }
  }

 private:
  std::size_t max_calls_;
  std::deque<waiting_call> waiting_;
  id_ranges oneways_;
  id_ranges cancelled_;
  std::size_t overdue_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
