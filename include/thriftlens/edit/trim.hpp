// trim: a smaller value with the parts that a selection names.
#pragma once

#include <thriftlens/path/selection.hpp>
#include <thriftlens/rewrite/program.hpp>
#include <thriftlens/view/view.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Counts of a trim.
struct trim_report {
  std::size_t dropped_fields = 0;  ///< dropped fields, not counting fields inside them
};

/// Appends the selected parts of the value to `out`. Fields keep their order and bytes (Compact: header
/// deltas are fixed). The result may lack fields that the IDL requires: read it (to_json, decode, document,
/// validate) with on_missing::omit. A union whose member is not selected has no member in the result, and
/// elements of a set may become equal. To cut
/// and write JSON in one pass there is `to_json(view, {.select = &selected})`. Errors, after which `out` is
/// as before: wrong_type (a selection of another type), faults of the bytes, type_mismatch, duplicate_field,
/// trailing_bytes after a whole message, unknown_field by option, missing_required for a target type's
/// fields.
template <protocol P>
[[nodiscard]] result<trim_report> try_append_trimmed(const view<P>& from, const selection& selected,
                                                     buffer& out, const trim_options& options = {});

template <protocol P>
trim_report append_trimmed(const view<P>& from, const selection& selected, buffer& out,
                           const trim_options& options = {}) {
  return try_append_trimmed(from, selected, out, options).value();
}

/// As above with the text of a selection, the texts of paths, or a target type: of it the part that a reader
/// of that type would see, by field ids. Compiles the selection at each call: compile it once for many
/// values. Errors: also those of selection::try_compile.
template <protocol P, class Source>
[[nodiscard]] result<trim_report> try_append_trimmed(const view<P>& from, const Source& source, buffer& out,
                                                     const trim_options& options = {}) {
  if (from.code() != errc::ok) return from.error();
  const result<selection> selected = selection::try_compile(from.type(), source);
  if (!selected) return selected.error();
  return try_append_trimmed(from, *selected, out, options);
}
template <protocol P, class Source>
trim_report append_trimmed(const view<P>& from, const Source& source, buffer& out,
                           const trim_options& options = {}) {
  return try_append_trimmed(from, source, out, options).value();
}
template <protocol P>
[[nodiscard]] result<trim_report> try_append_trimmed(const view<P>& from, detail::path_list paths,
                                                     buffer& out, const trim_options& options = {}) {
  return try_append_trimmed(from, std::span(paths.begin(), paths.size()), out, options);
}
template <protocol P>
trim_report append_trimmed(const view<P>& from, detail::path_list paths, buffer& out,
                           const trim_options& options = {}) {
  return try_append_trimmed(from, paths, out, options).value();
}

/// The selected parts of the value, by a compiled selection or as above. One pass and one copy of the output.
template <protocol P, class Source>
[[nodiscard]] result<buffer> try_trim(const view<P>& from, const Source& source,
                                      const trim_options& options = {}, trim_report* report = nullptr) {
  buffer out;
  result<trim_report> trimmed = try_append_trimmed(from, source, out, options);
  if (!trimmed) return std::move(trimmed).error();
  if (report != nullptr) *report = *trimmed;
  return out;
}
template <protocol P, class Source>
[[nodiscard]] buffer trim(const view<P>& from, const Source& source, const trim_options& options = {},
                          trim_report* report = nullptr) {
  return try_trim(from, source, options, report).value();
}
template <protocol P>
[[nodiscard]] result<buffer> try_trim(const view<P>& from, detail::path_list paths,
                                      const trim_options& options = {}, trim_report* report = nullptr) {
  return try_trim(from, std::span(paths.begin(), paths.size()), options, report);
}
template <protocol P>
[[nodiscard]] buffer trim(const view<P>& from, detail::path_list paths, const trim_options& options = {},
                          trim_report* report = nullptr) {
  return try_trim(from, paths, options, report).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/edit/trim.ipp>
#endif
