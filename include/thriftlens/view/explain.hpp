// explain: message and path of a fault, or of a position in wire bytes.
#pragma once

#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/cursor.hpp>
#include <thriftlens/schema/type.hpp>

#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The path from the root of `bytes`, read as `of` (or as a struct without a schema), to the value at
/// `position`. Cold.
template <protocol P>
[[nodiscard]] std::string path_of(byte_view bytes, type of, const wire_position& position,
                                  const limits& bounds = {});

/// The error for a fault of a reader of `bytes` as `of`: message, path and offset. Cold. A contradiction
/// between wire and IDL is explained if the offset is that of the field header or of the container. Bytes of
/// another recognizable format are named as such.
template <protocol P>
[[nodiscard]] error explain(byte_view bytes, type of, const fault& cause, const limits& bounds = {});

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/view/explain.ipp>
#endif
