// throwing: errors of C++ results and Python calls as error_is_set.
#pragma once

#include "convert/value.hpp"
#include "support/translate_exceptions.hpp"

namespace thriftlens::python {

/// Throws the Python error that is set after a failure.
inline void require(bool is_successful) {
  if (!is_successful) throw error_is_set();
}
template <class T>
[[nodiscard]] T value_or_throw(result<T> value) {
  if (value) return *std::move(value);
  raise_error(value.error());
  throw error_is_set();
}
template <class T>
void require(const result<T>& status) {
  if (status) return;
  raise_error(status.error());
  throw error_is_set();
}

}  // namespace thriftlens::python
