// frame_writer: writes one message with the framing of its transport.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/transport/payload_transform.hpp>
#include <thriftlens/transport/session_event.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Appends `message.message` and `message.body` in the transport and protocol of `message`; ignores its
/// offset. `transform` compresses; may be null otherwise. Cost: one copy of the body. After an error `out` is
/// unchanged. Errors: size_limit if the headers or the frame exceed the format; bad_option if the transport
/// cannot carry such headers.
[[nodiscard]] result<void> try_append_frame(const session_event& message, payload_transform* transform,
                                            buffer& out);

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/transport/frame_writer.ipp>
#endif
