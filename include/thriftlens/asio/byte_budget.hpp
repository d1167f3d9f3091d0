// byte_budget: a bound on the bytes that all connections of a server hold together.
#pragma once

#include <thriftlens/core/config.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Below the limit no connection waits. Above it every connection still gets an equal share; one that holds
/// its share or more is not read. Bytes that only clients can release (partial calls, unread replies) may
/// fill half of the limit; above that no connection may hold more than its share of them. Thread-safe.
class byte_budget {
 public:
  explicit byte_budget(std::size_t limit) noexcept : limit_(limit) {}

  [[nodiscard]] std::size_t total() {
    const std::lock_guard lock(mutex_);
    return total_;
  }

  /// The bytes that one connection holds; none once it is destroyed.
  class account {
   public:
    /// `resume` is called on any thread. It must neither throw nor use the budget.
    account(byte_budget& budget, std::function<void()> resume) : budget_(budget), resume_(std::move(resume)) {
      const std::lock_guard lock(budget_.mutex_);
      ++budget_.accounts_;
    }
    account(const account&) = delete;
    account& operator=(const account&) = delete;
    ~account() {
      const std::lock_guard lock(budget_.mutex_);
      std::erase(budget_.waiting_, this);
      --budget_.accounts_;
      budget_.set(*this, 0, false);
    }

    /// Replaces the size. `is_passive`: only the client can release these bytes; false if they are too many.
    bool set(std::size_t size, bool is_passive) {
      const std::lock_guard lock(budget_.mutex_);
      budget_.set(*this, size, is_passive);
      return !is_passive || budget_.passive_ <= budget_.limit_ / 2 || size < budget_.share();
    }
    /// Whether the connection must not read; then `resume` is called as soon as others have released bytes.
    [[nodiscard]] bool must_wait() {
      const std::lock_guard lock(budget_.mutex_);
      if (budget_.total_ < budget_.limit_ || size_ < budget_.share()) return false;
      budget_.waiting_.push_back(this);
      return true;
    }

   private:
    friend byte_budget;

    byte_budget& budget_;
    std::function<void()> resume_;
    std::size_t size_ = 0;
    bool is_passive_ = false;
  };

 private:
  [[nodiscard]] std::size_t share() const noexcept { return (std::max)(limit_ / accounts_, std::size_t{1}); }
  void set(account& owner, std::size_t size, bool is_passive) noexcept {
    total_ += size - owner.size_;
    passive_ += (is_passive ? size : 0) - (owner.is_passive_ ? owner.size_ : 0);
    owner.size_ = size;
    owner.is_passive_ = is_passive;
    if (total_ >= limit_) return;
    for (const account* waiting : waiting_) waiting->resume_();
    waiting_.clear();
  }

  std::mutex mutex_;
  std::size_t limit_;
  std::size_t total_ = 0;
  std::size_t passive_ = 0;
  std::size_t accounts_ = 0;
  std::vector<account*> waiting_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
