// fault: an error as a code and a byte offset, without text, for inner loops; converted to `error` later.
#pragma once

#include <thriftlens/core/errc.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Error code and byte offset into the input; `ok` if there is none.
struct fault {
  errc code = errc::ok;
  std::int16_t field_id = 0;  ///< for missing_required and duplicate_field
  std::size_t offset = 0;

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return code != errc::ok; }
  friend constexpr bool operator==(const fault&, const fault&) noexcept = default;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
