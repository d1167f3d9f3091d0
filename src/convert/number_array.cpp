// number_array: the format of a buffer, and conversion of its numbers.
#include "convert/number_array.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

namespace thriftlens::python {

namespace {

bool is_array(PyObject* from) {
  if (PyObject_CheckBuffer(from) == 0) return false;
  const std::string_view name = Py_TYPE(from)->tp_name;
  return name == "numpy.ndarray" || name == "array.array" || name == "memoryview";
}

number_array::form form_of(char code) {
  using form = number_array::form;
  if (std::string_view("bhilqn").find(code) != std::string_view::npos) return form::integer;
  if (std::string_view("BHILQN").find(code) != std::string_view::npos) return form::unsigned_integer;
  if (code == 'f' || code == 'd') return form::real;
  return code == '?' ? form::boolean : form::none;
}

}  // namespace

bool number_array::take(PyObject* from) {
  if (!is_array(from)) return false;
  if (PyObject_GetBuffer(from, &buffer_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    return false;
  }
  is_held_ = true;
  std::string_view format = buffer_.format == nullptr ? "B" : buffer_.format;
  const bool is_little = std::endian::native == std::endian::little;
  if (!format.empty() && std::string_view("@=<>!").find(format[0]) != std::string_view::npos) {
    is_swapped_ = format[0] == '<' ? !is_little : (format[0] == '>' || format[0] == '!') && is_little;
    format.remove_prefix(1);
  }
  form_ = format.size() == 1 && buffer_.ndim == 1 ? form_of(format[0]) : form::none;
  return form_ != form::none;
}

bool number_array::fits(type_kind kind) const noexcept {
  const bool is_integer = form_ == form::integer || form_ == form::unsigned_integer;
  switch (kind) {
    case type_kind::bool_:
      return form_ == form::boolean;
    case type_kind::double_:
      return form_ == form::real || is_integer;
    case type_kind::i8:
    case type_kind::i16:
    case type_kind::i32:
    case type_kind::i64:
    case type_kind::enum_:
      return is_integer;
    default:
      return false;
  }
}

template <class T>
T number_array::number(std::size_t at) const noexcept {
  const auto offset = static_cast<std::ptrdiff_t>(at) * buffer_.strides[0];
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, static_cast<const unsigned char*>(buffer_.buf) + offset, sizeof(T));
  if (is_swapped_) std::reverse(bytes, bytes + sizeof(T));
  return std::bit_cast<T>(bytes);
}

template <class Work>
auto number_array::with_type(Work&& work) const {
  const bool is_signed = form_ == form::integer;
  if (form_ == form::real) return buffer_.itemsize == 4 ? work(float()) : work(double());
  switch (buffer_.itemsize) {
    case 1:
      return is_signed ? work(std::int8_t()) : work(std::uint8_t());
    case 2:
      return is_signed ? work(std::int16_t()) : work(std::uint16_t());
    case 4:
      return is_signed ? work(std::int32_t()) : work(std::uint32_t());
    default:
      return is_signed ? work(std::int64_t()) : work(std::uint64_t());
  }
}

std::size_t number_array::copy(std::size_t first, std::span<std::int64_t> to) const noexcept {
  const std::size_t count = std::min(to.size(), size() - first);
  return with_type([&](auto type) -> std::size_t {
    using number_type = decltype(type);
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = number<number_type>(first + i);
      if constexpr (std::is_same_v<number_type, std::uint64_t>) {
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return i;
      }
      to[i] = static_cast<std::int64_t>(value);
    }
    return count;
  });
}
std::size_t number_array::copy(std::size_t first, std::span<double> to) const noexcept {
  const std::size_t count = std::min(to.size(), size() - first);
  return with_type([&](auto type) {
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<double>(number<decltype(type)>(first + i));
    return count;
  });
}

std::string number_array::text(std::size_t at) const {
  return with_type([&](auto type) { return std::to_string(number<decltype(type)>(at)); });
}

}  // namespace thriftlens::python
