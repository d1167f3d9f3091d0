// session: one connection that carries Thrift messages, without its socket. Never does I/O, never reads a
// clock, never looks into a message's struct but to find its end.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/first_error.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/struct_skip.hpp>
#include <thriftlens/transport/frame_head.hpp>
#include <thriftlens/transport/in_flight.hpp>
#include <thriftlens/transport/sasl.hpp>
#include <thriftlens/transport/session_event.hpp>
#include <thriftlens/transport/session_options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A connection, seen by one of its sides.
///
/// The events are the same however the bytes are cut. Memory: the message that is arriving, bounded by
/// `frame_size`; of messages that are handed out in parts what came last; persistent headers, bounded by
/// `header_size`. Between messages at most 64 KiB a buffer are retained. Work is linear in the bytes: the
/// end of a message without a frame is found while it arrives, and no byte is looked at more than twice.
///
/// A fault of the peer is an error of next(), with its code and the byte of the connection. The session is
/// dead then: whatever is called returns the same error. Events, and what they borrow, are good until the
/// session's next call.
///
/// A client matches replies by sequence id and name. With `calls` = 0 it matches nothing, for streams that
/// were recorded. gRPC's frames have neither: their messages have no name, and nothing is matched.
///
/// A server's `calls` bounds the calls that wait for their answer: one more is the error calls_limit. Who
/// wants to slow a client down instead reads no more from it while in_flight() is that high.
class session {
 public:
  explicit session(const session_options& how = {});

  /// Appends what goes out before all else: the negotiation of a SASL client. Needed for SASL alone; there it
  /// tells the session what to say or, as a server, to demand: one that was told nothing refuses. The event
  /// `ready` says that it is over; a server's has the headers "user" and "password".
  [[nodiscard]] result<void> try_start(const sasl_credentials& who, buffer& out);
  void start(const sasl_credentials& who, buffer& out) { try_start(who, out).value(); }

  /// Keeps what it needs of the bytes. Bytes for a dead session are dropped.
  void feed(byte_view bytes);
  /// The same without a copy of what next() can use at once: the bytes must stay as they are until next()
  /// answers false or the session is dead; or until the next feed() or lend(), or the session's end.
  void lend(byte_view bytes);
  /// The next event. False where more bytes are needed.
  [[nodiscard]] result<bool> try_next(session_event& event);
  bool next(session_event& event) { return try_next(event).value(); }
  /// Of a call with delivery::open_parts, after each part that is open: what its reader took. A part is all
  /// that has come, perhaps more than the struct; what is not taken comes again when more has come. Errors:
  /// the fault told, which ends the session as one that it finds itself; size_limit where the message is
  /// longer than `frame_size`; bad_option where more is taken than was handed out.
  [[nodiscard]] result<void> try_take(const taken_part& taken);
  void take(const taken_part& taken) { try_take(taken).value(); }
  /// No bytes come any more (of a body, where the transport is http). Error: truncated inside a message.
  /// Calls in flight are left to the caller.
  [[nodiscard]] result<void> try_finish();
  void finish() { try_finish().value(); }

  /// Appends a call to `out`; returns its sequence id. After an error `out` is as before. Errors:
  /// calls_limit, bad_option for a sequence id that is in flight.
  [[nodiscard]] result<std::int32_t> try_append_call(const call_request& call, buffer& out);
  std::int32_t append_call(const call_request& call, buffer& out) {
    return try_append_call(call, out).value();
  }
  /// Appends the answer to a call, in the form in which it came. `to` may be a copy of the event, with texts
  /// of the caller's own: then it may come late and in any order. `kind`: reply or exception. A reply to
  /// "Service:function" is named "function", as Apache's clients expect it.
  [[nodiscard]] result<void> try_append_reply(const session_event& to, message_type kind, byte_view body,
                                              buffer& out, std::span<const header_entry> headers = {});
  void append_reply(const session_event& to, message_type kind, byte_view body, buffer& out,
                    std::span<const header_entry> headers = {}) {
    try_append_reply(to, kind, body, out, headers).value();
  }
  /// Counts a call as answered that gets no reply: its function is oneway, whatever kind the client sent.
  void skip_reply(const session_event& to) noexcept {
    if (to.message.type == message_type::call && owed_ != 0) --owed_;
  }

  /// Gives up a call: its reply is passed over when it comes. False where none is in flight under that id.
  /// A reply in open parts that is arriving is handed out to its end all the same: nobody else can find it.
  bool cancel(std::int32_t sequence_id);
  /// Appends the ids of calls in flight whose deadline is not after `now`.
  void expired(double now, std::vector<std::int32_t>& ids) const { calls_.expired(now, ids); }
  /// Of a client: calls without an answer. Of a server: calls that wait for one.
  [[nodiscard]] std::size_t in_flight() const noexcept;

  /// Of a client: calls that were cancelled and whose replies have not come. A server that answers in order
  /// carries these out before the next call.
  [[nodiscard]] std::size_t overdue() const noexcept { return calls_.overdue(); }

  [[nodiscard]] session_role role() const noexcept { return how_.role; }
  /// As found out; `automatic` before that.
  [[nodiscard]] transport_id transport() const noexcept { return transport_; }
  [[nodiscard]] message_protocol protocol() const noexcept { return protocol_; }
  /// Why it is dead; null while it lives.
  [[nodiscard]] const error* fault() const noexcept { return dead_ ? &*dead_ : nullptr; }
  /// Bytes fed, from the start of the connection.
  [[nodiscard]] std::uint64_t fed() const noexcept { return base_ + arrived().size(); }
  /// Bytes held for messages that are not whole.
  [[nodiscard]] std::size_t held() const noexcept { return arrived().size() - at_; }

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
  enum class step : std::uint8_t { again, wait, event, failed };
  enum class fate : std::uint8_t { whole, parts, passed_over };

  static constexpr std::size_t max_persistent = 64;
  static constexpr std::size_t unframed = static_cast<std::size_t>(-1);

  step advance(session_event& event);
  step advance_start(session_event& event);
  step detect();
  step refuse_foreign();
  step negotiate(session_event& event);
  step answer(detail::sasl_answer&& found, session_event& event);
  step end_negotiation(session_event& event);
  step read_frame();
  step read_sized(std::size_t head);
  step read_grpc();
  step read_headed();
  step read_header(std::size_t size);
  step take_head(const detail::frame_head& head);
  step keep_persistent();
  void add_persistent();
  step read_payload();
  step undo_transforms();
  void skip_inner_size();
  step read_head(session_event& event);
  step begin_bare(session_event& event);
  step begin_body(session_event& event);
  step match(const message_header& found);
  step match_reply(const message_header& found);
  step read_body(session_event& event);
  step read_part(session_event& event);
  step read_open_part(session_event& event);
  void fill_part(session_event& event, std::size_t size) const noexcept;
  step end_parts(session_event& event);
  [[nodiscard]] result<void> check_call(const call_request& call) const;
  [[nodiscard]] bool is_matched(const call_request& call) const noexcept {
    return how_.calls != 0 && call.type != message_type::oneway && transport_ != transport_id::grpc;
  }
  [[nodiscard]] std::int32_t next_id() const noexcept;
  [[nodiscard]] bool is_in_use(std::int32_t id) const noexcept;
  // While it waits: frees what a large message needed.
  void release_memory();
  void keep_lent();
  void drop_consumed() noexcept;
  // Passes bytes of an unframed struct; how many more belong to it. Null where it is wrong.
  std::optional<std::size_t> skip(std::size_t from);
  void fill(session_event& event, session_event::kind what) const noexcept;
  void finish_message() noexcept;
  step reject(errc code, std::size_t at, std::string words = {});
  // What exceeds a limit, the limit, and the option that raises it.
  [[nodiscard]] std::string too_large() const;
  [[nodiscard]] std::string too_large_header(std::string_view what) const;

  [[nodiscard]] byte_view arrived() const noexcept { return lent_.empty() ? byte_view(in_) : lent_; }
  // What has come of the message, from its first byte on or from the next part's; or of what it unfolds to.
  [[nodiscard]] byte_view here() const noexcept {
    const byte_view bytes = is_plain_ ? byte_view(plain_) : arrived();
    const std::size_t at = is_plain_ ? plain_at_ : at_;
    return bytes.part(at, bytes.size() - at);
  }
  [[nodiscard]] std::size_t available() const noexcept { return here().size(); }
  [[nodiscard]] byte_view window(std::size_t from) const noexcept {
    const byte_view bytes = here();
    const std::size_t end = frame_end_ < bytes.size() ? frame_end_ : bytes.size();
    return bytes.part(from, end - from);
  }
  [[nodiscard]] bool is_whole() const noexcept { return frame_end_ <= available(); }
  void consume(std::size_t count) noexcept { (is_plain_ ? plain_at_ : at_) += count; }
  [[nodiscard]] bool has_headers() const noexcept {
    return transport_ == transport_id::header || transport_ == transport_id::ttheader ||
           transport_ == transport_id::ttheader_framed;
  }

  session_options how_;
  transport_id transport_;
  message_protocol protocol_;
  stage stage_ = stage::frame;
  fate fate_ = fate::whole;
  detail::first_error dead_;

  buffer in_;
  byte_view lent_;           // instead of `in_`, which is empty then
  std::size_t at_ = 0;       // the message's first byte in these, or the next part's
  std::uint64_t base_ = 0;   // of the first of these on the connection
  std::uint64_t begin_ = 0;  // of the message on the connection
  std::size_t payload_ = 0;  // after at_, as the next two
  std::size_t frame_end_ = unframed;
  std::size_t body_ = 0;
  detail::struct_skip skip_;
  bool is_open_ = false;         // the reader of the parts finds the end
  std::size_t shown_ = 0;        // bytes that were handed out and are not taken
  std::uint64_t taken_ = 0;      // before them
  std::uint64_t open_size_ = 0;  // of the longest struct

  message_header message_;  // its name is name_
  message_protocol spoken_ = message_protocol::binary;
  transport_id around_ = transport_id::framed;  // of this message
  bool is_compressed_ = false;
  std::string name_;

  buffer header_;  // of THeader and TTHeader; the entries borrow from it
  std::vector<header_entry> entries_;
  std::vector<std::uint32_t> transforms_;
  std::vector<std::pair<std::string, std::string>> persistent_;
  bool is_plain_ = false;  // the message is unfolded in plain_
  buffer plain_;
  std::size_t plain_at_ = 0;
  std::uint64_t begin_plain_ = 0;  // of what it was unfolded from, on the connection

  detail::sasl_negotiation sasl_;
  buffer out_;  // of the negotiation

  detail::in_flight calls_;
  std::int32_t last_id_ = 0;
  std::size_t owed_ = 0;  // answers of a server
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/transport/session.ipp>
#endif
