// explain: bodies of explain.hpp.
#pragma once

#include <thriftlens/view/explain.hpp>

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/schema/tracer.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

template <protocol P>
[[nodiscard]] THRIFTLENS_COLD std::string path_of(byte_view bytes, type of, const wire_position& position,
                                                  const limits& bounds) {
  tracer<P> trace(bytes, of.image(), bounds);
  trace.to_position(of ? of.wire() : ttype::struct_, of ? of.index() : image::none, position);
  return trace.path.text();
}

template <protocol P>
[[nodiscard]] THRIFTLENS_COLD error explain(byte_view bytes, type of, const fault& cause,
                                            const limits& bounds) {
  tracer<P> trace(bytes, of.image(), bounds);
  std::size_t offset = cause.offset <= bytes.size() ? cause.offset : bytes.size();
  const ttype wire = of ? of.wire() : ttype::struct_;
  trace.to_offset(wire, of ? of.index() : image::none, offset, &cause);
  if (cause.code == errc::missing_required) trace.to_missing(cause.field_id);
  const bool has_words = cause.code == errc::type_mismatch || cause.code == errc::duplicate_key;
  std::string detail = has_words ? std::move(trace.message) : std::string();
  return with_looks(error(cause.code, std::move(detail), cause.offset, trace.path.text()), bytes, P::id,
                    wire);
}

#if defined(THRIFTLENS_COMPILED)
template std::string path_of<binary>(byte_view, type, const wire_position&, const limits&);
template error explain<binary>(byte_view, type, const fault&, const limits&);
template std::string path_of<compact>(byte_view, type, const wire_position&, const limits&);
template error explain<compact>(byte_view, type, const fault&, const limits&);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
