// missing: what a required field that is not there means to whoever reads a whole value.
// In: the caller's wish. Out: one enum that all operations share.
// Never decides which fields are required: the IDL does.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A required field that the bytes do not hold. Trim makes such values on purpose, and damaged field ids look
/// like them. In options: `thriftlens::missing_required missing_required =
/// thriftlens::missing_required::error;`.
enum class missing_required : std::uint8_t {
  error,  ///< errc::missing_required, with the field's path
  omit,   ///< as if it were optional
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
