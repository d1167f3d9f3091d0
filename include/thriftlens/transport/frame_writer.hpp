// frame_writer: one message with what stands around it on a connection.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/transport/payload_transform.hpp>
#include <thriftlens/transport/session_event.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Writes `what.message` and `what.body` as `what` says; its offset does not count. `transform`: for what is
/// compressed, else null. Cost: one copy of the body. After an error `out` is as before; errors: size_limit
/// where the headers or the frame are larger than their sizes in the format; bad_option where the transport
/// has no place for headers of that kind.
[[nodiscard]] result<void> try_append_frame(const session_event& what, payload_transform* transform,
                                            buffer& out);

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/transport/frame_writer.ipp>
#endif
