// explain: from a fault, or from a place in wire bytes, to the words and the path a person needs.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/schema/tracer.hpp>

#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The path from the root of `bytes`, read as `of` (or as a struct without a schema), to the value at
/// `place`. Cold.
template <protocol P>
[[nodiscard]] std::string path_of(byte_view bytes, type of, const wire_position& place,
                                  const limits& bounds = {}) {
  detail::tracer<P> trace(bytes, of.image(), bounds);
  trace.to_place(of ? of.wire() : ttype::struct_, of ? of.index() : image::none, place);
  return trace.path.text();
}

/// The error for a fault that a reader of `bytes` as `of` met: its words, path and offset. Cold.
/// A contradiction between wire and IDL is explained where the offset is that of the field header or of the
/// container. Bytes that are no such value at all but look like something known are called so.
template <protocol P>
[[nodiscard]] error explain(byte_view bytes, type of, const fault& why, const limits& bounds = {}) {
  detail::tracer<P> trace(bytes, of.image(), bounds);
  std::size_t offset = why.offset <= bytes.size() ? why.offset : bytes.size();
  const ttype wire = of ? of.wire() : ttype::struct_;
  trace.to_offset(wire, of ? of.index() : image::none, offset, &why);
  if (why.code == errc::missing_required) trace.to_missing(why.field_id);
  const bool has_words = why.code == errc::type_mismatch || why.code == errc::duplicate_key;
  std::string words = has_words ? std::move(trace.words) : std::string();
  words = words_with_looks(std::move(words), why.code, bytes, P::id, wire);
  return error(why.code, std::move(words), why.offset, trace.path.text());
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
