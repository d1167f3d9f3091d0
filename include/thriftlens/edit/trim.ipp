// trim: bodies of trim.hpp.
#pragma once

#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/rewrite/fast/fast_trim.hpp>
#include <thriftlens/rewrite/pass.hpp>

#include <cstddef>
#include <optional>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

template <protocol P>
[[nodiscard]] THRIFTLENS_NOINLINE result<trim_report> trim_general(buffer& out, const view<P>& from,
                                                                   const rewrite_request<P>& request) {
  rollback guard(out);
  const std::size_t max_size = request.trimming.limits.max_output(from.whole().size());
  result<rewrite_report> outcome = run_rewrite(from, request, max_size, out);
  if (!outcome) return std::move(outcome).error();
  guard.keep();
  return trim_report{outcome->trimmed};
}

}  // namespace detail

template <protocol P>
result<trim_report> try_append_trimmed(const view<P>& from, const selection& selected, buffer& out,
                                       const trim_options& options) {
  if (from.code() != errc::ok) return from.error();
  if (detail::overlaps(from.whole(), out)) return detail::overlap_error();
  if (selected.from() != from.type()) return error(errc::wrong_type, "the selection is for a different type");
  if (detail::fast_trim<P>::serves(selected, options)) {
    if (const std::optional<std::size_t> dropped = detail::fast_trim<P>::run(from, selected, out))
      return trim_report{*dropped};
  }
  return detail::trim_general(out, from, {.selected = &selected, .trimming = options});
}

#if defined(THRIFTLENS_COMPILED)
template result<trim_report> try_append_trimmed(const view<binary>&, const selection&, buffer&,
                                                const trim_options&);
template result<trim_report> try_append_trimmed(const view<compact>&, const selection&, buffer&,
                                                const trim_options&);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
