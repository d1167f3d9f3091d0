// pass: bodies of pass.hpp.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/rewrite/pass.hpp>
#include <thriftlens/rewrite/values.hpp>
#include <thriftlens/view/explain.hpp>

#include <cstring>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

THRIFTLENS_COLD THRIFTLENS_BODY error edit_failure(errc code, const edit_entry& of, std::size_t where) {
  return error(code, code == errc::duplicate_key ? std::string(duplicate_element_text) : std::string(), where,
               std::string(of.target_path.text()));
}

/// The path of a struct of that type above the target of an edit.
[[nodiscard]] THRIFTLENS_COLD inline std::string_view parent_path(std::uint32_t in, const path& target) {
  std::size_t depth = target.steps().size() - 1;
  while (depth != 0 && target.steps()[depth - 1].type != in) --depth;
  const std::string_view parent = target.text().substr(0, target.steps()[depth].offset);
  return parent.empty() ? "$" : parent;
}
/// The error of an edit that creates a struct without one of its required fields.
[[nodiscard]] THRIFTLENS_COLD inline error creation_failure(const schema_image* schema, std::uint32_t in,
                                                            std::uint32_t field, const edit_entry& of,
                                                            std::size_t where) {
  const std::string_view name = field_info(schema, field).name();
  return error(errc::missing_required,
               joined({type(schema, in).name(), ".", name, " is required in the created struct"}), where,
               joined({parent_path(in, of.target_path), ".", name}));
}

/// The error of a failed pass; `trailing`: bytes follow the value. In bytes of another format, no value is
/// reported as absent.
template <protocol P>
[[nodiscard]] THRIFTLENS_COLD error rewrite_failure(const view<P>& of, const rewrite_request<P>& request,
                                                    const rewrite_state<P>& pass, bool trailing) {
  const bool of_bytes = trailing || pass.in.failed();
  if (!of_bytes && pass.failing_edit < request.entries.size()) {
    const edit_entry& edit = request.entries[pass.failing_edit];
    const view<P> target = of.at(edit.target_path);  // its error names the first missing step
    if (pass.code == errc::missing_required)
      return creation_failure(pass.schema, pass.missing.type, pass.missing.field, edit, pass.where);
    const bool is_missing = pass.code == errc::absent || pass.code == errc::bad_index;
    return is_missing && target.presence() == presence::absent ? absent_failure(target.error())
                                                               : edit_failure(pass.code, edit, pass.where);
  }
  const fault reason = trailing ? fault{errc::trailing_bytes, 0, pass.in.offset()} : pass.failure();
  return explain<P>(of.whole(), of.root_type(), reason, of.bounds());
}
template <protocol P>
result<rewrite_report> run_rewrite(const view<P>& of, rewrite_request<P> request, splicer& out) {
  for (;;) {
    rewrite_state<P> pass(of, request, out);
    const bool ended = value_rewriter<P>(pass).run();
    const bool trailing = ended && of.is_root() && !pass.in.at_end();
    if (ended && !trailing && pass.code == errc::ok) return pass.report;
    out.restart();
    const bool may_be_there = pass.is_guess || (!ended && pass.code == errc::absent);
    if (request.two_pass || !(pass.out_of_order || may_be_there))
      return rewrite_failure(of, request, pass, trailing);
    request.two_pass = true;
  }
}
template <protocol P>
result<rewrite_report> run_rewrite(const view<P>& of, const rewrite_request<P>& request, std::size_t max_size,
                                   buffer& out) {
  splicer pieces(out, splicer::never);
  pieces.bound(max_size);
  static_cast<void>(out.prepare(of.whole().size() + request.values.size() + 64));
  return run_rewrite(of, request, pieces);
}

[[nodiscard]] inline bool is_part(byte_view piece, byte_view of) noexcept {
  return piece.begin() >= of.begin() && piece.end() <= of.end();
}
/// Whether all pieces of the old value keep their offsets.
[[nodiscard]] inline bool keeps_offsets(byte_view old, const gathered& changed) noexcept {
  const std::uint8_t* at = old.begin();
  for (const byte_view piece : changed.pieces()) {
    if (is_part(piece, old) && piece.begin() != at) return false;
    if (piece.size() > static_cast<std::size_t>(old.end() - at)) return false;
    at += piece.size();
  }
  return at == old.end();
}
THRIFTLENS_BODY result<void> overwrite(std::span<std::uint8_t> bytes, byte_view old,
                                       const gathered& changed) {
  if (bytes.size() != old.size() || !keeps_offsets(old, changed)) return error(errc::not_same_size);
  std::uint8_t* to = bytes.data();
  for (const byte_view piece : changed.pieces()) {
    if (!is_part(piece, old)) std::memcpy(to, piece.data(), piece.size());
    to += piece.size();
  }
  return {};
}

#if defined(THRIFTLENS_COMPILED)
template result<rewrite_report> run_rewrite(const view<binary>&, rewrite_request<binary>, splicer&);
template result<rewrite_report> run_rewrite(const view<compact>&, rewrite_request<compact>, splicer&);
template result<rewrite_report> run_rewrite(const view<binary>&, const rewrite_request<binary>&, std::size_t,
                                            buffer&);
template result<rewrite_report> run_rewrite(const view<compact>&, const rewrite_request<compact>&,
                                            std::size_t, buffer&);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
