// recent_calls: what the calls of one method were read to, found again where the same objects are given by
// name. Never takes objects for the same that can change: words, numbers, True, False and None alone.
#pragma once

#include "support/constants.hpp"
#include "support/locked.hpp"
#include "support/translate_exceptions.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace thriftlens::python {

/// The last four; without a GIL the first four, for the life of the process, so that no thread waits for
/// another. Words in a program are one object each, so that identity finds them.
template <class Call>
class recent_calls {
 public:
  static_assert(std::is_trivially_copyable_v<Call>);
  static constexpr Py_ssize_t max_options = 16;

  [[nodiscard]] bool find(const arguments& given, Call& call) const noexcept {
    for (const slot& each : entries_) {
      const entry* const at = each.load(std::memory_order_acquire);
      if (at == nullptr || !at->fits(given)) continue;
      call = at->call;
      return true;
    }
    return false;
  }
  void put(const arguments& given, const Call& call) {
    if (given.by_name() > max_options || is_full()) return;
    for (Py_ssize_t i = 0; i < given.by_name(); ++i) {
      if (!is_word_or_number(given.named(i))) return;
    }
    keep(std::make_unique<entry>(given, call));
  }

 private:
  struct entry {
    Py_ssize_t count;
    std::array<object, max_options> names;
    std::array<object, max_options> values;
    Call call;

    entry(const arguments& given, const Call& made) : count(given.by_name()), call(made) {
      for (Py_ssize_t i = 0; i < count; ++i) {
        names[static_cast<std::size_t>(i)] = object::share(given.name(i));
        values[static_cast<std::size_t>(i)] = object::share(given.named(i));
      }
    }
    [[nodiscard]] bool fits(const arguments& given) const noexcept {
      if (count != given.by_name()) return false;
      std::size_t i = 0;
      for (Py_ssize_t at = 0; at < count; ++at, ++i) {
        if (values[i].get() != given.named(at) || names[i].get() != given.name(at)) return false;
      }
      return count != 0;
    }
  };
  using slot = std::atomic<const entry*>;

  [[nodiscard]] bool is_full() const noexcept { return has_no_gil && entries_.back() != nullptr; }
  void keep(std::unique_ptr<const entry> made) {
    if constexpr (!has_no_gil) {
      made.reset(entries_[next_++ % entries_.size()].exchange(made.release()));
      return;
    }
    for (slot& each : entries_) {
      const entry* free = nullptr;
      if (!each.compare_exchange_strong(free, made.get())) continue;
      made.release();
      return;
    }
  }

  std::array<slot, 4> entries_ = {};
  std::size_t next_ = 0;
};

}  // namespace thriftlens::python
