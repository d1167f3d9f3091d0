// arrow_blobs: a column of byte strings of another library, through Arrow's C data interface.
#pragma once

#include <thriftlens/columns/arrow_abi.hpp>
#include <thriftlens/columns/arrow_owner.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/result.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Borrowed: valid while the array is. Reads binary, string, their large and view forms, and fixed-size
/// binary.
class arrow_blobs {
 public:
  /// Errors: wrong_type if the array is of another type, or if its structs contradict each other.
  [[nodiscard]] static result<arrow_blobs> try_make(const ArrowSchema& schema, const ArrowArray& array) {
    arrow_blobs blobs;
    if (schema.release == nullptr || array.release == nullptr || schema.format == nullptr)
      return error(errc::wrong_type, "the Arrow array or schema was released");
    if (!blobs.take_format(schema.format) || schema.dictionary != nullptr)
      return error(
          errc::wrong_type,
          detail::joined({"records must be a column of binary, not of Arrow's format ", schema.format}));
    const detail::arrow_array_owner* const owner = detail::owner_of(array);
    if (owner != nullptr && !detail::fits_format(*owner, schema.format, array))
      return error(errc::wrong_type, detail::contradiction_text(*owner, schema.format));
    if (!blobs.take_buffers(array)) return error(errc::wrong_type, "the Arrow array is inconsistent");
    return blobs;
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool is_null(std::size_t index) const noexcept {
    const std::size_t at = offset_ + index;
    return validity_ != nullptr && (validity_[at / 8] >> at % 8 & 1) == 0;
  }
  /// The bytes of a value that is not null. Errors: wrong_type if its offsets are out of range.
  [[nodiscard]] result<byte_view> try_value(std::size_t index) const {
    const std::size_t at = offset_ + index;
    switch (layout_) {
      case layout::narrow:
        return between(get<std::int32_t>(values_, at), get<std::int32_t>(values_, at + 1));
      case layout::large:
        return between(get<std::int64_t>(values_, at), get<std::int64_t>(values_, at + 1));
      case layout::fixed:
        return byte_view(values_ + at * width_, width_);
      case layout::view:
        break;
    }
    return view_at(at);
  }

 private:
  enum class layout : std::uint8_t { narrow, large, fixed, view };

  template <class T>
  [[nodiscard]] static T get(const std::uint8_t* from, std::size_t index) noexcept {
    T value;
    std::memcpy(&value, from + index * sizeof value, sizeof value);
    return value;
  }
  [[nodiscard]] static error broken() {
    return error(errc::wrong_type, "the offsets of the Arrow array are out of range");
  }

  bool take_format(std::string_view format) {
    if (format == "z" || format == "u") return true;
    if (format == "Z" || format == "U") {
      layout_ = layout::large;
      return true;
    }
    if (format == "vz" || format == "vu") {
      layout_ = layout::view;
      return true;
    }
    if (!format.starts_with("w:") || format.size() > 11) return false;
    layout_ = layout::fixed;
    for (const char digit : format.substr(2)) {
      if (digit < '0' || digit > '9') return false;
      width_ = width_ * 10 + static_cast<std::size_t>(digit - '0');
    }
    return width_ != 0;
  }
  bool take_buffers(const ArrowArray& array) {
    const std::int64_t least = layout_ == layout::fixed ? 2 : 3;
    const bool right_count = layout_ == layout::view ? array.n_buffers >= least : array.n_buffers == least;
    if (!right_count || array.buffers == nullptr || array.length < 0 || array.offset < 0) return false;
    size_ = static_cast<std::size_t>(array.length);
    offset_ = static_cast<std::size_t>(array.offset);
    buffers_ = array.buffers;
    if (array.null_count != 0) validity_ = bytes(0);
    if (array.null_count > 0 && validity_ == nullptr && size_ != 0) return false;
    values_ = bytes(1);
    if (size_ != 0 && values_ == nullptr) return false;
    if (layout_ != layout::view) {
      data_ = layout_ == layout::fixed ? nullptr : bytes(2);
      return true;
    }
    // The last buffer has the sizes of those between.
    variadic_ = static_cast<std::size_t>(array.n_buffers - least);
    sizes_ = bytes(variadic_ + 2);
    return variadic_ == 0 || sizes_ != nullptr;
  }
  [[nodiscard]] const std::uint8_t* bytes(std::size_t buffer) const noexcept {
    return static_cast<const std::uint8_t*>(buffers_[buffer]);
  }
  [[nodiscard]] result<byte_view> between(std::int64_t begin, std::int64_t end) const {
    if (begin < 0 || end < begin || (data_ == nullptr && end != begin)) return broken();
    if (begin == end) return byte_view();
    return byte_view(data_ + begin, static_cast<std::size_t>(end - begin));
  }
  // 16 bytes: the size, then up to 12 bytes of the value; or its first four, a buffer and an offset in it.
  [[nodiscard]] result<byte_view> view_at(std::size_t at) const {
    const std::uint8_t* const view = values_ + at * 16;
    const auto size = get<std::int32_t>(view, 0);
    if (size < 0) return broken();
    if (size <= 12) return byte_view(view + 4, static_cast<std::size_t>(size));
    const auto buffer = get<std::int32_t>(view, 2), begin = get<std::int32_t>(view, 3);
    if (buffer < 0 || static_cast<std::size_t>(buffer) >= variadic_ || begin < 0) return broken();
    const auto held = get<std::int64_t>(sizes_, static_cast<std::size_t>(buffer));
    const std::uint8_t* const from = bytes(static_cast<std::size_t>(buffer) + 2);
    if (from == nullptr || std::int64_t{begin} + size > held) return broken();
    return byte_view(from + begin, static_cast<std::size_t>(size));
  }

  layout layout_ = layout::narrow;
  std::size_t width_ = 0;
  std::size_t size_ = 0;
  std::size_t offset_ = 0;
  std::size_t variadic_ = 0;
  const void* const* buffers_ = nullptr;
  const std::uint8_t* validity_ = nullptr;
  const std::uint8_t* values_ = nullptr;
  const std::uint8_t* data_ = nullptr;
  const std::uint8_t* sizes_ = nullptr;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
