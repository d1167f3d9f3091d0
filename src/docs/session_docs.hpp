// session_docs: docstrings of sessions.
#pragma once

namespace thriftlens::python {

inline constexpr char session_class_doc[] =
    R"doc(Session(role, *, transport='buffered', ...)
--

The protocol state of a connection, without I/O. Private: used by thriftlens.connect and thriftlens.serve.
)doc";
inline constexpr char session_start_doc[] =
    "start($self)\n--\n\nThe first bytes to send; empty if there is no negotiation.";
inline constexpr char session_feed_doc[] =
    "feed($self, data, /)\n--\n\nAdds received bytes. Raises the session's error if it has failed.";
inline constexpr char session_lend_doc[] =
    "lend($self, data, /)\n--\n\nLike feed, without a copy: the bytes must not change until next returns "
    "None.";
inline constexpr char session_next_doc[] =
    "next($self)\n--\n\nThe next event, or None if more bytes are needed. Raises DecodeError for invalid "
    "input\n"
    "from the peer, and so do later calls of all methods.";
inline constexpr char session_finish_doc[] =
    "finish($self)\n--\n\nEnds the input. Raises DecodeError inside a message.";
inline constexpr char session_cancel_doc[] =
    "cancel($self, sequence_id, /)\n--\n\nCancels a call: its reply is ignored. False if it is not in "
    "flight.";
inline constexpr char session_expired_doc[] =
    "expired($self, now, /)\n--\n\nThe sequence ids of calls in flight whose deadline has passed at `now`.";
inline constexpr char session_call_doc[] =
    R"doc(The sequence id of a call and the bytes to send. `arguments` is the struct in the session's
protocol.
)doc";
inline constexpr char session_reply_doc[] =
    R"doc(The bytes of the reply to a call, in the protocol and transport of the call: `kind` is 'reply' or
'exception'.
)doc";

}  // namespace thriftlens::python
