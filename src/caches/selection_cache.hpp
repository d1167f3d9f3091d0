// selection_cache: the selections that were used with a type, compiled. Never holds a Type: an object that
// the garbage collector does not see through must not.
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
  /// Nothing with a Python error set. The same text, and the same type, are not compiled again.
  [[nodiscard]] std::optional<selection> find(type of, PyObject* what);

 private:
  static constexpr std::size_t max_entries = 32;
  struct entry {
    object text;
    std::shared_ptr<schema_keys> to_keys;  // of a type: it is held by its schema
    type to;
    selection compiled;
  };
  [[nodiscard]] std::optional<selection> find_known(PyObject* what);

  mutex mutex_;
  std::vector<entry> entries_;
};

}  // namespace thriftlens::python
