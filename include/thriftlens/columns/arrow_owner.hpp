// arrow_owner: the data owned by an exported Arrow array, so that it can be checked against a schema. Arrow's
// C data interface carries neither: an array with another schema would be read past its end.
#pragma once

#include <thriftlens/columns/arrow_abi.hpp>
#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Base of the private data of every exported array. Buffers and sizes have the same order.
class arrow_array_owner {
 public:
  arrow_array_owner() = default;
  arrow_array_owner(const arrow_array_owner&) = delete;
  arrow_array_owner& operator=(const arrow_array_owner&) = delete;
  virtual ~arrow_array_owner() = default;

  void add_buffer(const void* data, std::size_t size) {
    buffers.push_back(data);
    sizes.push_back(data == nullptr ? 0 : size);
  }

  std::string format;
  std::vector<const void*> buffers;
  std::vector<std::size_t> sizes;
};

/// The release of every exported array.
inline void release_arrow_array(ArrowArray* array) {
  delete static_cast<arrow_array_owner*>(array->private_data);
  array->private_data = nullptr;
  array->release = nullptr;
}
/// Sets the buffers and the release of an array, which owns `owner` from now on.
inline void give_owner(ArrowArray& array, std::unique_ptr<arrow_array_owner> owner) noexcept {
  array.n_buffers = static_cast<std::int64_t>(owner->buffers.size());
  array.buffers = owner->buffers.data();
  array.release = &release_arrow_array;
  array.private_data = owner.release();
}
/// Null for an array of another library.
[[nodiscard]] inline const arrow_array_owner* owner_of(const ArrowArray& array) noexcept {
  return array.release == &release_arrow_array ? static_cast<const arrow_array_owner*>(array.private_data)
                                               : nullptr;
}

/// Minimum size of one of the first two buffers of an array of `count` values.
[[nodiscard]] std::size_t least_arrow_size(std::string_view format, std::size_t buffer,
                                           std::size_t count) noexcept;
/// Whether the buffers are those of the owner, and the length and offset are in range.
[[nodiscard]] bool is_intact(const arrow_array_owner& owner, const ArrowArray& array) noexcept;
/// Whether an exported array is of this format, and its buffers are large enough for its length and offset.
/// The validity bitmap may be absent.
[[nodiscard]] bool fits_format(const arrow_array_owner& owner, std::string_view format,
                               const ArrowArray& array) noexcept;
/// Describes how an exported array contradicts the format.
[[nodiscard]] std::string contradiction_text(const arrow_array_owner& owner, std::string_view format);

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/columns/arrow_owner.ipp>
#endif
