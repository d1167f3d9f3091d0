// call_cache: what the calls of a Type's methods came down to, found again by their options. Never takes
// options for the same that could have changed: only words, numbers, bytes and dicts of words are
// compared.
#pragma once

#include "call/signature.hpp"
#include "support/locked.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace thriftlens::python {

/// The calls that were made of one Type. 16 are kept.
class call_cache {
 public:
  /// Null where no call of these options was kept.
  [[nodiscard]] std::shared_ptr<const void> find(const signature& of, const arguments& given);
  /// Keeps a call unless its options are of kinds that cannot be compared.
  void put(const signature& of, const arguments& given, std::shared_ptr<const void> compiled);

  [[nodiscard]] std::size_t size();

 private:
  struct entry {
    const signature* of = nullptr;
    object names;
    std::vector<object> values;  // by name; null: whatever is given there
    std::shared_ptr<const void> compiled;

    [[nodiscard]] bool fits(const signature& called, const arguments& given) const;
  };
  mutex mutex_;
  std::vector<entry> entries_;  // last used first
};

/// What a call comes down to: found by its options, or made by `compile(call)`, which may give null with a
/// Python error set. `found`: the positional parameters.
template <class Compiled, class Call, class Compile>
[[nodiscard]] std::shared_ptr<const Compiled> compiled_call(call_cache& cache, const signature_of<Call>& of,
                                                            const arguments& given, PyObject** found,
                                                            Compile&& compile) {
  const auto count = static_cast<Py_ssize_t>(of.count_positionals());
  const bool is_comparable = given.by_position == count;  // all names are those of options
  if (is_comparable) {
    if (std::shared_ptr<const void> before = cache.find(of, given)) {
      for (Py_ssize_t i = 0; i < count; ++i) found[i] = given.values[i];
      return std::static_pointer_cast<const Compiled>(std::move(before));
    }
  }
  Call call;
  if (!of.read(given, found, call)) return nullptr;
  std::shared_ptr<const Compiled> made = compile(std::move(call));
  if (is_comparable && made != nullptr) cache.put(of, given, made);
  return made;
}

}  // namespace thriftlens::python
