// number_array: reads numbers of a NumPy array, array.array or memoryview without creating Python objects.
#pragma once

#include "support/object.hpp"

#include <thriftlens/schema/type.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace thriftlens::python {

/// A one-dimensional array of numbers, whose buffer is held.
class number_array {
 public:
  enum class form : std::uint8_t { none, boolean, integer, unsigned_integer, real };

  number_array() noexcept = default;
  number_array(const number_array&) = delete;
  number_array& operator=(const number_array&) = delete;
  ~number_array() {
    if (is_held_) PyBuffer_Release(&buffer_);
  }

  /// Never sets a Python error. False for subclasses too, whose elements may differ from their buffer's.
  [[nodiscard]] bool take(PyObject* from);
  [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(buffer_.shape[0]); }
  /// Whether elements of that kind are such numbers.
  [[nodiscard]] bool fits(type_kind kind) const noexcept;
  /// Converts numbers from `first` on until `to` is full or the array ends, and returns their count.
  /// Integers: stops before one that int64 cannot hold.
  std::size_t copy(std::size_t first, std::span<std::int64_t> to) const noexcept;
  std::size_t copy(std::size_t first, std::span<double> to) const noexcept;
  /// An integer as text.
  [[nodiscard]] std::string text(std::size_t at) const;

 private:
  template <class Work>
  auto with_type(Work&& work) const;
  template <class T>
  [[nodiscard]] T number(std::size_t at) const noexcept;

  Py_buffer buffer_{};
  form form_ = form::none;
  bool is_held_ = false;
  bool is_swapped_ = false;
};

}  // namespace thriftlens::python
