// throwing: errors of C++ results and Python calls as pybind11's exceptions.
#pragma once

#include "bind/bind.hpp"
#include "convert/value.hpp"

namespace thriftlens::python {

/// Throws the Python error that is set after a failure.
inline void require(bool is_successful) {
  if (!is_successful) throw pybind11::error_already_set();
}
template <class T>
[[nodiscard]] T value_or_throw(result<T> value) {
  if (value) return *std::move(value);
  raise_error(value.error());
  throw pybind11::error_already_set();
}
template <class T>
void require(const result<T>& status) {
  if (status) return;
  raise_error(status.error());
  throw pybind11::error_already_set();
}

}  // namespace thriftlens::python
