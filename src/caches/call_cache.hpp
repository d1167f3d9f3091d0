// call_cache: compiled calls of a Type's methods, by their options. Only calls whose options are str,
// numbers, bytes and dicts of str are cached: other values could change.
#pragma once

#include "call/signature.hpp"
#include "support/locked.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace thriftlens::python {

/// Caches 16 calls of one Type.
class call_cache {
 public:
  /// Null if no call with these options is cached.
  [[nodiscard]] std::shared_ptr<const void> find(const signature& of, const arguments& args);
  /// Caches a call unless its options cannot be compared.
  void put(const signature& of, const arguments& args, std::shared_ptr<const void> compiled);

  [[nodiscard]] std::size_t size();

 private:
  struct entry {
    const signature* of = nullptr;
    object names;
    std::vector<object> values;  // of the names; null matches any value
    std::shared_ptr<const void> compiled;

    /// Copies the values of the options. False, maybe with a Python error set, if one cannot be compared.
    [[nodiscard]] bool take_values(const arguments& args);
    [[nodiscard]] bool fits(const signature& called, const arguments& args) const;
  };
  mutex mutex_;
  std::vector<entry> entries_;  // last used first
};

/// The cached result for a call's options, or else that of `compile(call)`. Null with a Python error set.
/// Fills `positionals`.
template <class Compiled, class Call, class Compile>
[[nodiscard]] std::shared_ptr<const Compiled> compiled_call(call_cache& cache, const signature_of<Call>& of,
                                                            const arguments& args, PyObject** positionals,
                                                            Compile&& compile) {
  const auto count = static_cast<Py_ssize_t>(of.count_positionals());
  const bool is_comparable = args.by_position == count;  // every keyword is an option
  if (is_comparable) {
    if (std::shared_ptr<const void> cached = cache.find(of, args)) {
      for (Py_ssize_t i = 0; i < count; ++i) positionals[i] = args.values[i];
      return std::static_pointer_cast<const Compiled>(std::move(cached));
    }
  }
  Call call;
  if (!of.read(args, positionals, call)) return nullptr;
  std::shared_ptr<const Compiled> compiled = compile(std::move(call));
  if (is_comparable && compiled != nullptr) cache.put(of, args, compiled);
  return compiled;
}

}  // namespace thriftlens::python
