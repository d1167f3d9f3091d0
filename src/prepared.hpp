// prepared: methods of Type whose options are checked and compiled in Python, once for the same options.
// In: a Python function. Out: a method that calls it the first time, and then what it came down to, with the
// data alone. Never takes options for the same that could have changed: only words, numbers, bytes and dicts
// of words are compared.
#pragma once

#include "object.hpp"

#include <thriftlens/protocol/select.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thriftlens::python {

/// What a call came down to.
struct applied {
  /// Runs it on the data arguments of a call of the Type `of`. Null with a Python error set.
  PyObject* (*run)(const applied& what, PyObject* of, PyObject* const* data) = nullptr;
  const void* rules = nullptr;
  protocol_id protocol = protocol_id::binary;
  protocol_id right_protocol = protocol_id::binary;
  bool right_data = false;  ///< two data arguments
  bool keep_order = false;
  std::uint32_t depth = 0;
  std::size_t most = 0;
  std::size_t output_size = 0;
};

/// The calls that were made of one Type. 16 are kept.
class prepared_cache {
 public:
  struct entry {
    PyObject* method = nullptr;  // lives as long as the class
    object names;
    std::vector<object> values;
    object rules;  // owner of what.rules
    applied what;
  };
  /// Null where no call of these options was kept. Good until the next call.
  [[nodiscard]] entry* find(PyObject* method, PyObject* names, PyObject* const* values);
  /// Keeps a call unless its options are of kinds that cannot be compared.
  void put(PyObject* method, PyObject* names, PyObject* const* values, object rules, const applied& what);

 private:
  std::vector<entry> entries_;  // last used first
};

/// Called by what a prepared method calls: says what the call came down to. `rules`: owner of what.rules,
/// borrowed; may be null.
void note(const applied& what, PyObject* rules) noexcept;
/// True where a prepared method is being called by this thread and has not been told yet.
[[nodiscard]] bool is_noting() noexcept;
/// The decorator's class. Borrowed; null with a Python error set.
[[nodiscard]] PyTypeObject* prepared_class();

}  // namespace thriftlens::python
