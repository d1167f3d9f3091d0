// located_error: the error of a value's own bytes as an error of the message that the value is a part of.
// Its path and offset count from the start of the message, as those of views do.
// Used by every call that takes a view and reads the bytes of its value alone.
#pragma once

#include <thriftlens/core/error.hpp>

#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// `at`: where the value is; it has offset() and path().
template <class Located>
[[nodiscard]] THRIFTLENS_COLD error located_error(const Located& at, const error& of) {
  if (of.source() != error_source::data) return of;
  const std::size_t offset = of.offset() == error::no_offset ? 0 : of.offset();
  std::string path = at.path();
  if (!of.path().empty()) path += of.path().substr(1);  // without its "$"
  return error(of.code(), std::string(of.detail()), at.offset() + offset, std::move(path));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
