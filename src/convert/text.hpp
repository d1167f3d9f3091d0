// text: UTF-8 bytes as a Python str. Never looks at ASCII twice; CPython's own decoder is slower on short
// text and is left to handle what is broken.
#pragma once

#include "support/object.hpp"

#include <thriftlens/simd/utf8.hpp>

#include <cstring>

namespace thriftlens::python {

namespace detail {

/// Fills a str's storage from valid UTF-8 whose widest character fits it.
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
  Py_UCS4 widest = 0;  ///< 127, 255, 65535 or 0x10ffff, as PyUnicode_New wants it
};

/// Of valid UTF-8: a character begins at every byte that does not continue one, and its lead byte tells its
/// width.
[[nodiscard]] inline text_shape shape_of(byte_view bytes) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101u;
  std::uint8_t most = 0;
  for (const std::uint8_t byte : bytes) most = byte > most ? byte : most;
  std::size_t continued = 0;
  const std::uint8_t* at = bytes.begin();
  for (; bytes.end() - at >= 8; at += 8) {
    const auto eight = thriftlens::detail::load_le<std::uint64_t>(at);
    continued += ((eight >> 7 & ~(eight >> 6) & ones) * ones) >> 56;
  }
  for (; at != bytes.end(); ++at) continued += (*at & 0xc0) == 0x80 ? 1 : 0;
  const std::size_t length = bytes.size() - continued;
  const Py_UCS4 widest = most < 0x80 ? 127 : most < 0xc4 ? 255 : most < 0xf0 ? 65535 : 0x10ffff;
  return {static_cast<Py_ssize_t>(length), widest};
}

}  // namespace detail

/// A new str. Null without a Python error where the bytes are not UTF-8, null with one where memory is short.
[[nodiscard]] inline PyObject* text_of(byte_view bytes) {
  // Python keeps one object for each of the shortest strings.
  if (bytes.size() < 2)
    return bytes.empty() || bytes[0] < 0x80 ? PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, bytes.data(),
                                                                        static_cast<Py_ssize_t>(bytes.size()))
                                            : nullptr;
  if (thriftlens::detail::simd::is_ascii(bytes)) {
    PyObject* made = PyUnicode_New(static_cast<Py_ssize_t>(bytes.size()), 127);
    if (made != nullptr) std::memcpy(PyUnicode_1BYTE_DATA(made), bytes.data(), bytes.size());
    return made;
  }
  if (!thriftlens::detail::simd::valid_utf8(bytes)) return nullptr;
  const detail::text_shape shape = detail::shape_of(bytes);
  if (shape.length < 2)
    return PyUnicode_DecodeUTF8(bytes.text().data(), static_cast<Py_ssize_t>(bytes.size()), nullptr);
  PyObject* made = PyUnicode_New(shape.length, shape.widest);
  if (made == nullptr) return nullptr;
  if (shape.widest == 255)
    detail::widen(bytes.begin(), bytes.end(), PyUnicode_1BYTE_DATA(made));
  else if (shape.widest == 65535)
    detail::widen(bytes.begin(), bytes.end(), PyUnicode_2BYTE_DATA(made));
  else
    detail::widen(bytes.begin(), bytes.end(), PyUnicode_4BYTE_DATA(made));
  return made;
}

}  // namespace thriftlens::python
