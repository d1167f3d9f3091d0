// redact: bodies of redact.hpp.
#pragma once

#include <thriftlens/policy/redact.hpp>

#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/rewrite/fast/fast_rewrite.hpp>
#include <thriftlens/rewrite/pass.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// A path of the data without its keys, which may be confidential: `$.by_mail{*}.name`. Linear.
[[nodiscard]] THRIFTLENS_COLD THRIFTLENS_BODY std::string path_without_keys(std::string_view path) {
  std::string result;
  bool is_quoted = false, is_inside = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (!is_inside) {
      is_inside = c == '{';
      result += is_inside ? "{*}" : std::string(1, c);
    } else if (is_quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == '}') {
      is_inside = is_quoted;
    }
  }
  return result;
}
THRIFTLENS_COLD THRIFTLENS_BODY error without_keys(const error& of) {
  return of.at(path_without_keys(of.path()));
}

/// Redacts a struct that its prefix template covers completely, under rules that drop fields or replace
/// numbers and strings by constants. Keep it a local variable: writes to the output may alias any object that
/// a pointer reaches, so its members could not stay in registers.
template <protocol P>
struct prefix_redactor {
  const rewrite_program& rules;
  buffer& out;
  byte_ptr end;
  byte_ptr copied;  ///< the end of the bytes that were written or left out
  std::uint8_t* to;
  redact_report report = {};

  /// Whether the prefix template covers the struct and the rules act inside it.
  [[nodiscard]] static bool serves(const view<P>& from, const rewrite_program& rules) noexcept {
    if (!P::traits.has_fixed_layout || !rules.is_fast || from.wire() != ttype::struct_) return false;
    if (rules.root.node == redact_target::none || rules.root.replacement != redact_target::none) return false;
    const image::struct_node& self = from.image()->struct_of(from.location().type);
    return self.prefix.complete && self.prefix.levels <= from.location().at.depth_left;
  }
  /// The end of the struct at `at`, or nullptr to fall back.
  [[nodiscard]] THRIFTLENS_INLINE byte_ptr run(const redact_node& node, const shape_ref& prefix,
                                               std::uint32_t segments, byte_ptr at) {
    auto change = node.prefix_edges.data();
    const auto last_change = change + node.prefix_edges.size();
    for (std::uint32_t segment = 0; segment < segments; ++segment) {
      const byte_ptr segment_end = after_segment(prefix, segment, at, end);
      if (segment_end == nullptr) return nullptr;
      for (; change != last_change && change->segment == segment; ++change) {
        if (!change_field(node.fields[change->edge], at + change->at, segment_end)) return nullptr;
      }
      at = segment_end;
    }
    flush(at);
    return at;
  }

 private:
  /// Changes the field with its header at `header`, in a segment that ends at `segment_end`. False to fall
  /// back.
  [[nodiscard]] THRIFTLENS_INLINE bool change_field(const redact_node::field_edge& edge, byte_ptr header,
                                                    byte_ptr segment_end) {
    if (!is_plain(edge)) return false;
    const redact_replacement& change = rules.replacements[edge.to.replacement];
    const byte_ptr value = header + 3;
    if (change.kind == replacement_form::drop) {
      flush(header);
      ++report.dropped;
    } else {
      flush(value);
      put(change, edge.wire);
      ++report.replaced;
    }
    // A string is the last of its segment.
    const std::size_t width = fixed_width(edge.wire);
    copied = width != 0 ? value + width : segment_end;
    return true;
  }
  /// A number or string that is dropped or replaced by a constant.
  [[nodiscard]] THRIFTLENS_INLINE bool is_plain(const redact_node::field_edge& edge) const noexcept {
    if (edge.to.node != redact_target::none || is_mask(rules.replacements[edge.to.replacement].kind))
      return false;
    return fixed_width(edge.wire) != 0 || edge.wire == ttype::string;
  }
  THRIFTLENS_INLINE void flush(byte_ptr until) noexcept {
    to = copy_run(to, copied, static_cast<std::size_t>(until - copied), end);
    copied = until;
  }
  THRIFTLENS_INLINE void put(const redact_replacement& change, ttype wire) {
    buffer spare;
    const byte_view bytes = rules.template bytes_of<P>(change, wire, spare);
    if (bytes.size() > 4)
      to = out.prepare_after(to, bytes.size() + static_cast<std::size_t>(end - copied) + 64);
    copy_exactly(to, bytes.data(), bytes.size());
    to += bytes.size();
  }
};

/// nullopt if the general path must redact the struct; the output is unchanged then.
template <protocol P>
[[nodiscard]] THRIFTLENS_INLINE std::optional<redact_report> redact_prefix(const view<P>& from,
                                                                           const rewrite_program& rules,
                                                                           buffer& out) {
  if (!prefix_redactor<P>::serves(from, rules)) return std::nullopt;
  const wire_location& location = from.location();
  const image::struct_node& self = from.image()->struct_of(location.type);
  const std::size_t size = from.whole().size(), initial_size = out.size();
  prefix_redactor<P> pass{rules, out, from.whole().end(), location.at.at, out.prepare(size + 64)};
  const byte_ptr end = pass.run(rules.nodes[rules.root.node], from.image()->prefix(self),
                                self.prefix.segments.size, location.at.at);
  if (end == nullptr || (from.is_root() && end != pass.end)) return std::nullopt;
  const auto written = static_cast<std::size_t>(pass.to - out.data()) - initial_size;
  if (written > from.bounds().max_output(size)) return std::nullopt;
  out.commit(pass.to);
  return pass.report;
}

template <protocol P>
[[nodiscard]] THRIFTLENS_NOINLINE result<redact_report> redact_general(buffer& out, const view<P>& from,
                                                                       const redaction& rules) {
  rollback guard(out);
  const rewrite_request<P> request{.rules = &rules.program()};
  const std::size_t max_size = from.bounds().max_output(from.whole().size());
  const result<rewrite_report> outcome = run_rewrite(from, request, max_size, out);
  if (!outcome) return without_keys(outcome.error());
  guard.keep();
  return redact_report(*outcome);
}

}  // namespace detail

template <protocol P>
result<redact_report> try_append_redacted(const view<P>& from, const redaction& rules, buffer& out) {
  if (from.code() != errc::ok) return from.error();
  if (detail::overlaps(from.whole(), out)) return detail::overlap_error();
  if (rules.from() != from.type()) return error(errc::wrong_type, "the redaction is for a different type");
  if (const std::optional<redact_report> report = detail::redact_prefix(from, rules.program(), out))
    return *report;
  const detail::fast_request request{.rules = &rules.program()};
  if (detail::fast_rewriter<P, false, true, false> fast(from, request, out); fast.run())
    return redact_report(fast.report);
  return detail::redact_general(out, from, rules);
}

#if defined(THRIFTLENS_COMPILED)
template result<redact_report> try_append_redacted(const view<binary>&, const redaction&, buffer&);
template result<redact_report> try_append_redacted(const view<compact>&, const redaction&, buffer&);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
