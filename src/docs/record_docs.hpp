// record_docs: docstrings of framings, messages and Parquet metadata.
#pragma once

namespace thriftlens::python {

inline constexpr char cut_records_doc[] =
    R"doc(The next records of a window of the input: (rows, next, wanted, error, can_continue). A row is
(offset, size, value, message). Used by thriftlens.scan.
)doc";
inline constexpr char framings_doc[] =
    R"doc(The framings of records. See thriftlens.FRAMINGS.
)doc";
inline constexpr char frame_doc[] =
    R"doc(The record with its framing; None is a null record.
)doc";
inline constexpr char read_frame_doc[] =
    R"doc(The frame or line at the start of the data; None if its header is incomplete or malformed.
)doc";
inline constexpr char parquet_nodes_doc[] =
    R"doc(The nodes of a Parquet footer's schema, or those with these dotted paths and their groups:
rows of (number in the list, name, row of its group or -1, level, is a leaf, first leaf, last leaf, begin,
end). See thriftlens.parquet.
)doc";
inline constexpr char detect_doc[] =
    R"doc(Guesses of the format of bytes: rows of (shape, protocol, framing, prefix_size, count, bits, text), the
likeliest first. See thriftlens.detect, which also handles compression.
)doc";
inline constexpr char text_message_doc[] =
    R"doc(The header of a message of Apache's JSON protocol and the position of its struct: (name, kind,
sequence id, begin, end). See thriftlens.read_message.
)doc";
inline constexpr char message_head_doc[] =
    R"doc(The header of an RPC message, which precedes the struct. See thriftlens.Message.
)doc";

}  // namespace thriftlens::python
