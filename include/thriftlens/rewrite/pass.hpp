// pass: runs a request over a value, in one or two passes, and reports its errors.
#pragma once

#include <thriftlens/core/gather.hpp>
#include <thriftlens/protocol/splice.hpp>
#include <thriftlens/rewrite/request.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The error of an edit, which names its path.
[[nodiscard]] error edit_failure(errc code, const edit_entry& of, std::size_t where);
/// The error of an edit below a value that is absent.
[[nodiscard]] THRIFTLENS_COLD inline error absent_failure(const error& absent) {
  if (absent.code() != errc::absent) return absent;
  return error(errc::absent, "the value is absent; create() adds it", absent.offset(), absent.path());
}

/// One general pass, or a second one if a created or missed field may occur later.
template <protocol P>
[[nodiscard]] result<rewrite_report> run_rewrite(const view<P>& of, rewrite_request<P> request, splicer& out);
/// The same at the end of a buffer of which `max_size` more bytes may be used.
template <protocol P>
[[nodiscard]] result<rewrite_report> run_rewrite(const view<P>& of, const rewrite_request<P>& request,
                                                 std::size_t max_size, buffer& out);

/// Writes the new pieces of a changed value over `bytes`, which are those of `old`. Error: not_same_size
/// if bytes would move; then nothing is written.
[[nodiscard]] result<void> overwrite(std::span<std::uint8_t> bytes, byte_view old, const gathered& changed);

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/rewrite/pass.ipp>
#endif
