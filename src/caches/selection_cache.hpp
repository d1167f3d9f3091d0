// selection_cache: compiled selections of a type. Does not own Type objects: the garbage collector could not
// traverse the cache.
#pragma once

#include "support/locked.hpp"

#include <thriftlens/path/selection.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace thriftlens::python {

class schema_keys;

class selection_cache {
 public:
  /// The selection of a str, a Type or a sequence of paths. Nothing with a Python error set.
  [[nodiscard]] std::optional<selection> find(type of, PyObject* source);

 private:
  static constexpr std::size_t max_entries = 32;
  struct entry {
    object text;
    std::shared_ptr<schema_keys> to_keys;  // keeps `to` alive
    type to;
    selection compiled;
  };
  [[nodiscard]] std::optional<selection> find_known(PyObject* source);

  mutex mutex_;
  std::vector<entry> entries_;
};

}  // namespace thriftlens::python
