// located_error: turns an error in the bytes of a value into an error in the message that contains it.
#pragma once

#include <thriftlens/core/error.hpp>

#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// `at`: where the value is; it has offset() and path().
template <class Located>
[[nodiscard]] THRIFTLENS_COLD error located_error(const Located& at, const error& of) {
  if (of.source() != error_source::data) return of;
  std::string path = at.path();
  if (!of.path().empty()) path += of.path().substr(1);  // without its "$"
  return error(of.code(), std::string(of.detail()),
               at.offset() + (of.offset() == error::no_offset ? 0 : of.offset()), std::move(path))
      .with_hint(of.hint());
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
