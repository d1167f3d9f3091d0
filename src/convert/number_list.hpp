// number_list: the elements of a list from an array of numbers.
#pragma once

#include "convert/number_array.hpp"

#include <thriftlens/core/buffer.hpp>

#include <array>

namespace thriftlens::python {

/// Appends numbers until one that `store` returns null for; returns their count.
template <class Number, class Store>
std::size_t append_numbers(buffer& out, const number_array& from, Store store) {
  constexpr std::size_t max_width = 10;
  std::array<Number, 512> block;
  std::size_t total = 0;
  while (total < from.size()) {
    const std::size_t count = from.copy(total, block);
    std::uint8_t* to = out.prepare(count * max_width + 16);
    std::size_t at = 0;
    for (std::uint8_t* next = to; at < count && (next = store(to, block[at])) != nullptr; ++at) to = next;
    out.commit(to);
    total += at;
    if (at < block.size()) break;
  }
  return total;
}
template <class Int>
std::size_t append_integers(buffer& out, const number_array& from,
                            std::uint8_t* (*store)(std::uint8_t*, Int) noexcept) {
  return append_numbers<std::int64_t>(out, from, [store](std::uint8_t* to, std::int64_t value) {
    const auto narrow = static_cast<Int>(value);
    return narrow == value ? store(to, narrow) : nullptr;
  });
}
/// Appends the elements of a list of that kind. Returns how many were in its range: all, or the index of the
/// first that was not.
template <class Protocol>
std::size_t append_numbers(buffer& out, type_kind kind, const number_array& from) {
  const auto put_bool = [](std::uint8_t* to, std::int64_t value) {
    return Protocol::put_bool(to, value != 0);
  };
  switch (kind) {
    case type_kind::bool_:
      return append_numbers<std::int64_t>(out, from, put_bool);
    case type_kind::double_:
      return append_numbers<double>(
          out, from, [](std::uint8_t* to, double value) { return Protocol::put_double(to, value); });
    case type_kind::i8:
      return append_integers(out, from, &Protocol::put_i8);
    case type_kind::i16:
      return append_integers(out, from, &Protocol::put_i16);
    case type_kind::i64:
      return append_integers(out, from, &Protocol::put_i64);
    default:
      return append_integers(out, from, &Protocol::put_i32);
  }
}

}  // namespace thriftlens::python
