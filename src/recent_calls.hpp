// recent_calls: what the calls of one method were read to, found again where the same objects are given by
// name. In: the arguments of a call. Out: the options that a call of the same arguments had. Never takes
// objects for the same that can change: words, numbers, True, False and None alone.
#pragma once

#include "constants.hpp"
#include "object.hpp"
#include "translate_exceptions.hpp"

#include <array>
#include <cstddef>
#include <type_traits>

namespace thriftlens::python {

/// The last four. Words in a program are one object each, so that identity finds them.
template <class Call>
class recent_calls {
 public:
  static_assert(std::is_trivially_copyable_v<Call>);
  static constexpr Py_ssize_t max_options = 16;

  [[nodiscard]] bool find(const arguments& given, Call& call) const noexcept {
    for (const entry& each : entries_) {
      if (!each.fits(given)) continue;
      call = each.call;
      return true;
    }
    return false;
  }
  void put(const arguments& given, const Call& call) {
    if (given.by_name() > max_options) return;
    for (Py_ssize_t i = 0; i < given.by_name(); ++i) {
      if (!is_word_or_number(given.named(i))) return;
    }
    entry& into = entries_[next_++ % entries_.size()];
    into.count = given.by_name();
    into.call = call;
    for (Py_ssize_t i = 0; i < given.by_name(); ++i) {
      into.names[static_cast<std::size_t>(i)] = object::share(given.name(i));
      into.values[static_cast<std::size_t>(i)] = object::share(given.named(i));
    }
  }

 private:
  struct entry {
    Py_ssize_t count = 0;
    std::array<object, max_options> names;
    std::array<object, max_options> values;
    Call call = {};

    [[nodiscard]] bool fits(const arguments& given) const noexcept {
      if (count != given.by_name()) return false;
      std::size_t i = 0;
      for (Py_ssize_t at = 0; at < count; ++at, ++i) {
        if (values[i].get() != given.named(at) || names[i].get() != given.name(at)) return false;
      }
      return count != 0;
    }
  };
  std::array<entry, 4> entries_;
  std::size_t next_ = 0;
};

}  // namespace thriftlens::python
