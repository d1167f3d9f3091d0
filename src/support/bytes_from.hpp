// bytes_from: the bytes of a buffer as a Python object. Never holds a large output twice: what was copied
// is given back to the system piece by piece.
#pragma once

#include "support/object.hpp"

#include <thriftlens/core/buffer.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace thriftlens::python {

namespace detail {

inline constexpr std::size_t large_output = std::size_t{4} << 20;

/// Tells the system that the whole pages of a range are not needed; they read as zeros afterwards.
inline void give_back(std::uint8_t* begin, std::uint8_t* end) noexcept {
#ifdef __linux__
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const std::uintptr_t last = reinterpret_cast<std::uintptr_t>(end) / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
#else
  static_cast<void>(begin);
  static_cast<void>(end);
#endif
}

}  // namespace detail

/// The buffer's bytes; the buffer is empty afterwards.
[[nodiscard]] inline PyObject* bytes_from(buffer& from) {
  const std::size_t size = from.size();
  if (size < detail::large_output)
    return PyBytes_FromStringAndSize(from.text().data(), static_cast<Py_ssize_t>(size));
  PyObject* made = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
  if (made == nullptr) return nullptr;
  char* const to = PyBytes_AS_STRING(made);
  for (std::size_t at = 0; at < size; at += detail::large_output) {
    const std::size_t piece = std::min(detail::large_output, size - at);
    std::memcpy(to + at, from.data() + at, piece);
    detail::give_back(from.data() + at, from.data() + at + piece);
  }
  from.clear();
  return made;
}

}  // namespace thriftlens::python
