// explain: message and path of a fault, or of a position in wire bytes.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/schema/tracer.hpp>

#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The path from the root of `bytes`, read as `of` (or as a struct without a schema), to the value at
/// `position`. Cold.
template <protocol P>
[[nodiscard]] std::string path_of(byte_view bytes, type of, const wire_position& position,
                                  const limits& bounds = {}) {
  detail::tracer<P> trace(bytes, of.image(), bounds);
  trace.to_position(of ? of.wire() : ttype::struct_, of ? of.index() : image::none, position);
  return trace.path.text();
}

/// The error for a fault of a reader of `bytes` as `of`: message, path and offset. Cold. A contradiction
/// between wire and IDL is explained if the offset is that of the field header or of the container. Bytes of
/// another recognizable format are named as such.
template <protocol P>
[[nodiscard]] error explain(byte_view bytes, type of, const fault& cause, const limits& bounds = {}) {
  detail::tracer<P> trace(bytes, of.image(), bounds);
  std::size_t offset = cause.offset <= bytes.size() ? cause.offset : bytes.size();
  const ttype wire = of ? of.wire() : ttype::struct_;
  trace.to_offset(wire, of ? of.index() : image::none, offset, &cause);
  if (cause.code == errc::missing_required) trace.to_missing(cause.field_id);
  const bool has_words = cause.code == errc::type_mismatch || cause.code == errc::duplicate_key;
  std::string message = has_words ? std::move(trace.message) : std::string();
  message = words_with_looks(std::move(message), cause.code, bytes, P::id, wire);
  return error(cause.code, std::move(message), cause.offset, trace.path.text());
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
