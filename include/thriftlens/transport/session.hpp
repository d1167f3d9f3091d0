// session: state of one Thrift connection without its socket. Does no I/O and reads no clock; parses a
// message's struct only to find its end.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/first_error.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/struct_skip.hpp>
#include <thriftlens/transport/frame_head.hpp>
#include <thriftlens/transport/in_flight.hpp>
#include <thriftlens/transport/persistent_headers.hpp>
#include <thriftlens/transport/sasl.hpp>
#include <thriftlens/transport/session_event.hpp>
#include <thriftlens/transport/session_input.hpp>
#include <thriftlens/transport/session_options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A connection, seen by one of its sides.
///
/// Events do not depend on how the bytes are split. Memory: the arriving message, bounded by `frame_size`, or
/// its last part if delivered in parts; persistent headers, bounded by `header_size`. At most 64 KiB per
/// buffer are retained between messages. Cost: linear; the end of an unframed message is found while it
/// arrives, and a byte is examined at most two times.
///
/// A violation by the peer is an error of next() with a code and the byte offset on the connection. The
/// session is then dead: every call returns the same error. Events and what they borrow are valid until the
/// next call of the session.
///
/// A client matches replies by sequence id and name. `calls` = 0 disables matching, for recorded streams.
/// gRPC frames carry neither id nor name and are not matched.
///
/// `calls` of a server bounds the unanswered calls: one more is the error calls_limit. To apply back pressure
/// instead, stop reading from the client while in_flight() is at the limit.
class session {
 public:
  explicit session(const session_options& options = {});

  /// Starts SASL negotiation and appends a client's first frames. Required only for SASL; sets the
  /// credentials to send or, for a server, to require (a server without them refuses). The event `ready` ends
  /// the negotiation; a server's has the headers "user" and "password".
  [[nodiscard]] result<void> try_start(const sasl_credentials& credentials, buffer& out);
  void start(const sasl_credentials& credentials, buffer& out) { try_start(credentials, out).value(); }

  /// Copies the bytes. A dead session discards them.
  void feed(byte_view bytes);
  /// Like feed(), but borrows what next() can use at once: the bytes must remain valid until next() returns
  /// false or fails, feed() or lend() is called, or the session is destroyed.
  void lend(byte_view bytes);
  /// Reads the next event. False if more bytes are needed.
  [[nodiscard]] result<bool> try_next(session_event& event);
  bool next(session_event& event) { return try_next(event).value(); }
  /// For delivery::open_parts, after every open part: reports what the reader consumed. A part has all bytes
  /// that have arrived, possibly beyond the struct; unconsumed bytes are delivered again with the next part.
  /// Errors: the reported fault, which ends the session; size_limit if the message exceeds `frame_size`;
  /// bad_option if more was consumed than delivered.
  [[nodiscard]] result<void> try_take(const taken_part& taken);
  void take(const taken_part& taken) { try_take(taken).value(); }
  /// End of input (of the HTTP body for transport http). Error: truncated within a message. Calls in flight
  /// are the caller's concern.
  [[nodiscard]] result<void> try_finish();
  void finish() { try_finish().value(); }

  /// Appends a call to `out`; returns its sequence id. After an error `out` is unchanged. Errors:
  /// calls_limit, bad_option for a sequence id that is in flight.
  [[nodiscard]] result<std::int32_t> try_append_call(const call_request& call, buffer& out);
  std::int32_t append_call(const call_request& call, buffer& out) {
    return try_append_call(call, out).value();
  }
  /// Appends the reply to a call in the transport and protocol of the call. `to` may be a copy of the event
  /// that owns its strings, to reply later and in any order. `kind`: reply or exception. A reply to
  /// "Service:function" is named "function", as Apache's clients expect.
  [[nodiscard]] result<void> try_append_reply(const session_event& to, message_type kind, byte_view body,
                                              buffer& out, std::span<const header_entry> headers = {});
  void append_reply(const session_event& to, message_type kind, byte_view body, buffer& out,
                    std::span<const header_entry> headers = {}) {
    try_append_reply(to, kind, body, out, headers).value();
  }
  /// Counts a call as answered without a reply: its function is oneway, whatever type the client sent.
  void skip_reply(const session_event& to) noexcept {
    if (to.message.type == message_type::call && owed_ != 0) --owed_;
  }

  /// Cancels a call: its reply will be ignored. False if no call with that id is in flight. A reply in open
  /// parts that is arriving is still delivered completely, because only its reader finds its end.
  bool cancel(std::int32_t sequence_id);
  /// Appends the ids of calls in flight whose deadline is not after `time`.
  void expired(double time, std::vector<std::int32_t>& ids) const { calls_.expired(time, ids); }
  /// Unanswered calls.
  [[nodiscard]] std::size_t in_flight() const noexcept;

  /// Client: cancelled calls whose replies have not arrived. A server that replies in order executes these
  /// before the next call.
  [[nodiscard]] std::size_t overdue() const noexcept { return calls_.overdue(); }

  [[nodiscard]] session_role role() const noexcept { return options_.role; }
  /// As detected; `automatic` before detection.
  [[nodiscard]] transport_id transport() const noexcept { return transport_; }
  [[nodiscard]] message_protocol protocol() const noexcept { return protocol_; }
  /// The error that ended the session; null while it is usable.
  [[nodiscard]] const error* fault() const noexcept { return dead_ ? &*dead_ : nullptr; }
  /// Number of bytes fed.
  [[nodiscard]] std::uint64_t fed() const noexcept { return in_.fed(); }
  /// Number of bytes buffered for incomplete messages.
  [[nodiscard]] std::size_t held() const noexcept { return in_.remaining().size(); }

 private:
  enum class stage : std::uint8_t {
    detect,
    negotiate,
    ready,
    refused,
    frame,
    payload,
    head,
    body,
    parts,
    end
  };
  enum class step : std::uint8_t { proceed, wait, event, failed };
  enum class disposition : std::uint8_t { complete, parts, ignored };

  static constexpr std::size_t unframed = static_cast<std::size_t>(-1);

  step advance(session_event& event);
  step advance_start(session_event& event);
  step detect();
  step refuse_foreign();
  step negotiate(session_event& event);
  step answer(detail::sasl_answer&& result, session_event& event);
  step end_negotiation(session_event& event);
  step read_frame();
  step read_sized(std::size_t head);
  step read_grpc();
  step read_headed();
  step read_header(std::size_t size);
  step take_head(const detail::frame_head& head);
  step read_payload();
  step undo_transforms();
  void skip_inner_size();
  step read_head(session_event& event);
  step begin_bare(session_event& event);
  step begin_body(session_event& event);
  step match(const message_header& header);
  step match_reply(const message_header& header);
  [[nodiscard]] bool is_over_limit(const message_header& call) const noexcept {
    return options_.calls != 0 && owed_ >= options_.calls && call.type == message_type::call;
  }
  step read_body(session_event& event);
  step read_part(session_event& event);
  step read_open_part(session_event& event);
  void fill_part(session_event& event, std::size_t size) const noexcept;
  step end_parts(session_event& event);
  [[nodiscard]] result<void> check_call(const call_request& call) const;
  [[nodiscard]] bool is_matched(const call_request& call) const noexcept {
    return options_.calls != 0 && call.type != message_type::oneway && transport_ != transport_id::grpc;
  }
  [[nodiscard]] std::int32_t next_id() const noexcept;
  [[nodiscard]] bool is_in_use(std::int32_t id) const noexcept;
  void release_memory();
  // Skips bytes of an unframed struct; returns their number, or nullopt for malformed bytes.
  std::optional<std::size_t> skip(std::size_t from);
  void fill(session_event& event, session_event_kind kind) const noexcept;
  void finish_message() noexcept;
  step reject(errc code, std::size_t at, std::string message = {});
  [[nodiscard]] std::string too_large() const;
  [[nodiscard]] std::string too_large_header(std::string_view subject) const;

  // Available bytes of the message or of its next part, decompressed if it is compressed.
  [[nodiscard]] byte_view here() const noexcept {
    return is_plain_ ? byte_view(plain_).part(plain_at_, plain_.size() - plain_at_) : in_.remaining();
  }
  [[nodiscard]] std::size_t available() const noexcept { return here().size(); }
  [[nodiscard]] byte_view window(std::size_t from) const noexcept {
    const byte_view bytes = here();
    const std::size_t end = frame_end_ < bytes.size() ? frame_end_ : bytes.size();
    return bytes.part(from, end - from);
  }
  [[nodiscard]] bool is_complete() const noexcept { return frame_end_ <= available(); }
  void consume(std::size_t count) noexcept {
    if (is_plain_)
      plain_at_ += count;
    else
      in_.consume(count);
  }
  [[nodiscard]] bool has_headers() const noexcept {
    return transport_ == transport_id::header || transport_ == transport_id::ttheader ||
           transport_ == transport_id::ttheader_framed;
  }

  session_options options_;
  transport_id transport_;
  message_protocol protocol_;
  stage stage_ = stage::frame;
  disposition disposition_ = disposition::complete;
  detail::first_error dead_;

  detail::session_input in_;  // at the message or its next part
  std::uint64_t begin_ = 0;   // connection offset of the message
  std::size_t payload_ = 0;   // relative to the position of in_, like the next two
  std::size_t frame_end_ = unframed;
  std::size_t body_ = 0;
  detail::struct_skip skip_;
  bool is_open_ = false;         // the reader of open parts finds the end
  std::size_t shown_ = 0;        // delivered bytes that are not consumed
  std::uint64_t taken_ = 0;      // consumed bytes before them
  std::uint64_t open_size_ = 0;  // maximum size of the struct

  message_header message_;  // its name is name_
  message_protocol spoken_ = message_protocol::binary;
  transport_id around_ = transport_id::framed;  // of this message
  bool is_compressed_ = false;
  std::string name_;

  buffer header_;  // of THeader and TTHeader; entries_ borrows from it
  std::vector<header_entry> entries_;
  std::vector<std::uint32_t> transforms_;
  detail::persistent_headers persistent_;
  bool is_plain_ = false;  // plain_ has the decompressed message
  buffer plain_;
  std::size_t plain_at_ = 0;
  std::uint64_t begin_plain_ = 0;  // connection offset of the compressed bytes

  detail::sasl_negotiation sasl_;
  buffer out_;  // of the negotiation

  detail::in_flight calls_;
  std::int32_t last_id_ = 0;
  std::size_t owed_ = 0;  // unanswered calls of a server
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/transport/session.ipp>
#endif
