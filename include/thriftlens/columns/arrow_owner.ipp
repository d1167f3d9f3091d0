// arrow_owner: bodies of arrow_owner.hpp.
#pragma once

#include <thriftlens/columns/arrow_format.hpp>
#include <thriftlens/columns/arrow_owner.hpp>
#include <thriftlens/core/joined.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

THRIFTLENS_BODY std::size_t least_arrow_size(std::string_view format, std::size_t buffer,
                                             std::size_t count) noexcept {
  if (count == 0) return 0;
  if (format.starts_with("+ud:")) return buffer == 0 ? count : count * sizeof(std::int32_t);
  if (buffer == 0 || format == "b") return (count + 7) / 8;
  if (has_arrow_offsets(format)) return (count + 1) * sizeof(std::int32_t);
  return count * arrow_value_width(format);
}
THRIFTLENS_BODY bool is_intact(const arrow_array_owner& owner, const ArrowArray& array) noexcept {
  constexpr std::int64_t longest = std::int64_t{1} << 48;
  const bool has_buffers = array.n_buffers == static_cast<std::int64_t>(owner.buffers.size()) &&
                           array.buffers == owner.buffers.data();
  return has_buffers && array.length >= 0 && array.length <= longest && array.offset >= 0 &&
         array.offset <= longest;
}
THRIFTLENS_BODY bool fits_format(const arrow_array_owner& owner, std::string_view format,
                                 const ArrowArray& array) noexcept {
  if (owner.format != format || !is_intact(owner, array)) return false;
  const auto count = static_cast<std::size_t>(array.offset + array.length);
  const std::size_t checked = owner.sizes.size() < 2 ? owner.sizes.size() : 2;
  for (std::size_t i = 0; i < checked; ++i) {
    const bool is_absent = i == 0 && !format.starts_with("+u") && owner.buffers[0] == nullptr;
    if (!is_absent && owner.sizes[i] < least_arrow_size(format, i, count)) return false;
  }
  return true;
}
THRIFTLENS_BODY std::string contradiction_text(const arrow_array_owner& owner, std::string_view format) {
  if (owner.format == format) return "the buffers of the Arrow array are too short for its length";
  return joined({"expected ", arrow_type_name(format), " as in the Arrow schema, found ",
                 arrow_type_name(owner.format)});
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
