// text: converts UTF-8 to a Python str, faster than CPython's decoder for short text.
#pragma once

#include "support/object.hpp"

#include <thriftlens/simd/utf8.hpp>

#include <cstring>

namespace thriftlens::python {

namespace internal {

/// Fills the storage of a str from valid UTF-8 whose widest character fits Char.
template <class Char>
inline void widen(const std::uint8_t* at, const std::uint8_t* end, Char* to) noexcept {
  while (at != end) {
    const std::uint32_t lead = *at;
    if (lead < 0x80) {
      *to++ = static_cast<Char>(lead);
      at += 1;
    } else if (sizeof(Char) == 1 || lead < 0xe0) {
      *to++ = static_cast<Char>((lead & 0x1f) << 6 | (at[1] & 0x3fu));
      at += 2;
    } else if (sizeof(Char) == 2 || lead < 0xf0) {
      *to++ = static_cast<Char>((lead & 0x0f) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu));
      at += 3;
    } else {
      *to++ = static_cast<Char>((lead & 0x07) << 18 | (at[1] & 0x3fu) << 12 | (at[2] & 0x3fu) << 6 |
                                (at[3] & 0x3fu));
      at += 4;
    }
  }
}

struct text_shape {
  Py_ssize_t length = 0;
  Py_UCS4 widest = 0;  ///< 127, 255, 65535 or 0x10ffff, for PyUnicode_New
};

/// Measures valid UTF-8: every byte that is not a continuation byte starts a character and determines its
/// width.
[[nodiscard]] inline text_shape shape_of(byte_view bytes) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101u;
  std::uint8_t max_byte = 0;
  for (const std::uint8_t byte : bytes) max_byte = byte > max_byte ? byte : max_byte;
  std::size_t continued = 0;
  const std::uint8_t* at = bytes.begin();
  for (; bytes.end() - at >= 8; at += 8) {
    const auto eight = detail::load_le<std::uint64_t>(at);
    continued += ((eight >> 7 & ~(eight >> 6) & ones) * ones) >> 56;
  }
  for (; at != bytes.end(); ++at) continued += (*at & 0xc0) == 0x80 ? 1 : 0;
  const std::size_t length = bytes.size() - continued;
  const Py_UCS4 widest = max_byte < 0x80 ? 127 : max_byte < 0xc4 ? 255 : max_byte < 0xf0 ? 65535 : 0x10ffff;
  return {static_cast<Py_ssize_t>(length), widest};
}

}  // namespace internal

/// Like text_of, for text of at least two bytes that are not all ASCII.
[[nodiscard]] THRIFTLENS_INLINE PyObject* wide_text_of(byte_view bytes) {
  if (!detail::simd::valid_utf8(bytes)) return nullptr;
  const internal::text_shape shape = internal::shape_of(bytes);
  if (shape.length < 2)
    return PyUnicode_DecodeUTF8(bytes.text().data(), static_cast<Py_ssize_t>(bytes.size()), nullptr);
  PyObject* str = PyUnicode_New(shape.length, shape.widest);
  if (str == nullptr) return nullptr;
  if (shape.widest == 255)
    internal::widen(bytes.begin(), bytes.end(), PyUnicode_1BYTE_DATA(str));
  else if (shape.widest == 65535)
    internal::widen(bytes.begin(), bytes.end(), PyUnicode_2BYTE_DATA(str));
  else
    internal::widen(bytes.begin(), bytes.end(), PyUnicode_4BYTE_DATA(str));
  return str;
}
/// A new str. Null without a Python error if the bytes are not UTF-8, null with one if memory is exhausted.
[[nodiscard]] inline PyObject* text_of(byte_view bytes) {
  // Python caches strings of length 0 and 1.
  if (bytes.size() < 2)
    return bytes.empty() || bytes[0] < 0x80 ? PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, bytes.data(),
                                                                        static_cast<Py_ssize_t>(bytes.size()))
                                            : nullptr;
  if (!detail::simd::is_ascii(bytes)) return wide_text_of(bytes);
  PyObject* str = PyUnicode_New(static_cast<Py_ssize_t>(bytes.size()), 127);
  if (str != nullptr) std::memcpy(PyUnicode_1BYTE_DATA(str), bytes.data(), bytes.size());
  return str;
}

}  // namespace thriftlens::python
