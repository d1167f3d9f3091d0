// recent_calls: caches parsed options of a method by the identity of the arguments. Only immutable arguments
// are cached: short str, int, bool and None.
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

/// The last four calls. In free-threaded builds the first four, forever, which needs no lock. String literals
/// are interned, so comparing identities suffices.
template <class Call>
class recent_calls {
 public:
  static_assert(std::is_trivially_copyable_v<Call>);
  static constexpr Py_ssize_t max_options = 16;

  [[nodiscard]] bool find(const arguments& args, Call& call) const noexcept {
    for (const slot& cached : entries_) {
      const entry* const at = cached.load(std::memory_order_acquire);
      if (at == nullptr || !at->fits(args)) continue;
      call = at->call;
      return true;
    }
    return false;
  }
  void put(const arguments& args, const Call& call) {
    if (args.by_name() > max_options || is_full()) return;
    for (Py_ssize_t i = 0; i < args.by_name(); ++i) {
      if (!is_word_or_number(args.named(i))) return;
    }
    keep(std::make_unique<entry>(args, call));
  }

 private:
  struct entry {
    Py_ssize_t count;
    std::array<object, max_options> names;
    std::array<object, max_options> values;
    Call call;

    entry(const arguments& args, const Call& compiled) : count(args.by_name()), call(compiled) {
      for (Py_ssize_t i = 0; i < count; ++i) {
        names[static_cast<std::size_t>(i)] = object::share(args.name(i));
        values[static_cast<std::size_t>(i)] = object::share(args.named(i));
      }
    }
    [[nodiscard]] bool fits(const arguments& args) const noexcept {
      if (count != args.by_name()) return false;
      std::size_t i = 0;
      for (Py_ssize_t at = 0; at < count; ++at, ++i) {
        if (values[i].get() != args.named(at) || names[i].get() != args.name(at)) return false;
      }
      return count != 0;
    }
  };
  using slot = std::atomic<const entry*>;

  [[nodiscard]] bool is_full() const noexcept { return has_no_gil && entries_.back() != nullptr; }
  void keep(std::unique_ptr<const entry> added) {
    if constexpr (!has_no_gil) {
      added.reset(entries_[next_++ % entries_.size()].exchange(added.release()));
      return;
    }
    for (slot& cached : entries_) {
      const entry* free = nullptr;
      if (!cached.compare_exchange_strong(free, added.get())) continue;
      added.release();
      return;
    }
  }

  std::array<slot, 4> entries_ = {};
  std::size_t next_ = 0;
};

}  // namespace thriftlens::python
