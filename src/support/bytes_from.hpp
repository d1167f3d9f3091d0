// bytes_from: the contents of a buffer as Python bytes. Pages of a large buffer are released while they are
// copied, so that memory use does not double.
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

namespace internal {

inline constexpr std::size_t large_output = std::size_t{4} << 20;

/// Lets the system reclaim the complete pages of a range; they read as zeros afterwards.
inline void release_pages(std::uint8_t* begin, std::uint8_t* end) noexcept {
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

}  // namespace internal

/// The contents of the buffer, which is unspecified afterwards. Null with a Python error set.
[[nodiscard]] inline PyObject* bytes_from(buffer& from) {
  const std::size_t size = from.size();
  if (size < internal::large_output)
    return PyBytes_FromStringAndSize(from.text().data(), static_cast<Py_ssize_t>(size));
  PyObject* bytes = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
  if (bytes == nullptr) return nullptr;
  char* const to = PyBytes_AS_STRING(bytes);
  for (std::size_t at = 0; at < size; at += internal::large_output) {
    const std::size_t piece = std::min(internal::large_output, size - at);
    std::memcpy(to + at, from.data() + at, piece);
    internal::release_pages(from.data() + at, from.data() + at + piece);
  }
  from.clear();
  return bytes;
}

}  // namespace thriftlens::python
