// trim: a smaller value made of the parts that a selection keeps.
#pragma once

#include <thriftlens/edit/rewrite_program.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/view/view.hpp>

#include <cstddef>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What a trim did.
struct trim_report {
  std::size_t dropped_fields =
      0;  ///< fields on the wire that are not in the result, each counted once with all it held
};

/// Appends what `what` keeps of the value to `out`. Fields keep their order and bytes (Compact: header deltas
/// are fixed). What is left may lack fields that the IDL requires: whoever reads it whole (to_json, decode,
/// document, validate) takes on_missing::omit. To cut and write JSON in one pass there is
/// `to_json(view, {.select = &what})`. Errors, after which `out` is as before: wrong_type (a selection of
/// another type), faults of the bytes, type_mismatch, duplicate_field, trailing_bytes behind a whole message,
/// unknown_field by option, missing_required for a target type's fields.
template <protocol P>
[[nodiscard]] result<trim_report> try_append_trimmed(const view<P>& from, const selection& what, buffer& out,
                                                     const trim_options& options = {});

template <protocol P>
trim_report append_trimmed(const view<P>& from, const selection& what, buffer& out,
                           const trim_options& options = {}) {
  return try_append_trimmed(from, what, out, options).value();
}

/// The same by the text of a selection, which is compiled at each call: keep a compiled one for many values.
/// Errors: also those of selection::try_compile.
template <protocol P>
[[nodiscard]] result<trim_report> try_append_trimmed(const view<P>& from, std::string_view text, buffer& out,
                                                     const trim_options& options = {}) {
  if (from.code() != errc::ok) return from.error();
  const result<selection> what = selection::try_compile(from.type(), text);
  if (!what) return what.error();
  return try_append_trimmed(from, *what, out, options);
}
template <protocol P>
trim_report append_trimmed(const view<P>& from, std::string_view text, buffer& out,
                           const trim_options& options = {}) {
  return try_append_trimmed(from, text, out, options).value();
}

/// The parts of the value that `what` keeps. One pass and one copy of what is kept.
template <protocol P>
[[nodiscard]] result<buffer> try_trim(const view<P>& from, const selection& what,
                                      const trim_options& options = {}, trim_report* report = nullptr) {
  buffer out;
  result<trim_report> done = try_append_trimmed(from, what, out, options);
  if (!done) return std::move(done).error();
  if (report != nullptr) *report = *done;
  return out;
}
template <protocol P>
[[nodiscard]] buffer trim(const view<P>& from, const selection& what, const trim_options& options = {},
                          trim_report* report = nullptr) {
  return try_trim(from, what, options, report).value();
}

/// The part that `target` knows, by field ids: what a reader of that type would see. Makes the selection
/// first; keep one from selection::compile() for many values. Errors: also type_mismatch where the types
/// contradict each other.
template <protocol P>
[[nodiscard]] result<buffer> try_trim(const view<P>& from, type target, const trim_options& options = {},
                                      trim_report* report = nullptr) {
  if (from.code() != errc::ok) return from.error();
  result<selection> what = selection::try_compile(from.type(), target);
  if (!what) return std::move(what).error();
  return try_trim(from, *what, options, report);
}
template <protocol P>
[[nodiscard]] buffer trim(const view<P>& from, type target, const trim_options& options = {},
                          trim_report* report = nullptr) {
  return try_trim(from, target, options, report).value();
}

/// The same by the text of a selection (see selection.hpp), which is compiled at each call. Errors: also
/// those of selection::try_compile.
template <protocol P>
[[nodiscard]] result<buffer> try_trim(const view<P>& from, std::string_view text,
                                      const trim_options& options = {}, trim_report* report = nullptr) {
  if (from.code() != errc::ok) return from.error();
  result<selection> what = selection::try_compile(from.type(), text);
  if (!what) return std::move(what).error();
  return try_trim(from, *what, options, report);
}
template <protocol P>
[[nodiscard]] buffer trim(const view<P>& from, std::string_view text, const trim_options& options = {},
                          trim_report* report = nullptr) {
  return try_trim(from, text, options, report).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/edit/trim.ipp>
#endif
