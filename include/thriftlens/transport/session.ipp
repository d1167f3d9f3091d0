// session: bodies of session.hpp.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/overlap.hpp>
#include <thriftlens/transport/first_bytes.hpp>
#include <thriftlens/transport/frame_writer.hpp>
#include <thriftlens/transport/retained_memory.hpp>
#include <thriftlens/transport/session.hpp>
#include <thriftlens/transport/theader.hpp>
#include <thriftlens/transport/ttheader.hpp>

#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

THRIFTLENS_BODY session::session(const session_options& options)
    : options_(options),
      transport_(options.transport),
      protocol_(options.protocol),
      stage_(options.transport == transport_id::automatic ? stage::detect
             : options.transport == transport_id::sasl    ? stage::negotiate
                                                          : stage::frame),
      calls_(options.calls) {}

THRIFTLENS_BODY result<void> session::try_start(const sasl_credentials& credentials, buffer& out) {
  if (dead_) return *dead_;
  if (options_.role == session_role::server) {
    sasl_.begin_server(credentials);
    return {};
  }
  if (options_.transport == transport_id::automatic || options_.protocol == message_protocol::automatic)
    return error(errc::bad_option, "transport and protocol of a client must not be automatic");
  if (transport_ != transport_id::sasl) return {};
  if (credentials.user.size() + credentials.password.size() > options_.header_size)
    return error(errc::size_limit, "the user or password is too long");
  sasl_.begin_client(credentials, out);
  return {};
}

THRIFTLENS_BODY void session::feed(byte_view bytes) {
  if (!dead_) in_.feed(bytes);
}
THRIFTLENS_BODY void session::lend(byte_view bytes) {
  if (!dead_) in_.lend(bytes);
}

THRIFTLENS_BODY result<bool> session::try_next(session_event& event) {
  if (dead_) return *dead_;
  step outcome = step::proceed;
  while (outcome == step::proceed) outcome = advance(event);
  if (outcome != step::event) in_.copy_lent();
  if (outcome == step::failed) return *dead_;
  if (outcome == step::wait) release_memory();
  return outcome == step::event;
}

THRIFTLENS_BODY session::step session::advance(session_event& event) {
  switch (stage_) {
    case stage::frame:
      return read_frame();
    case stage::payload:
      return read_payload();
    case stage::head:
      return read_head(event);
    case stage::body:
      return read_body(event);
    case stage::parts:
      return read_part(event);
    case stage::end:
      return end_parts(event);
    default:
      return advance_start(event);
  }
}
THRIFTLENS_BODY session::step session::advance_start(session_event& event) {
  if (stage_ == stage::detect) return detect();
  if (stage_ == stage::negotiate) return negotiate(event);
  return end_negotiation(event);
}

// Replaces buffers that are much larger than their content: an idle connection does not retain the memory of
// its largest message.
THRIFTLENS_BODY void session::release_memory() {
  in_.release_memory();
  if (stage_ != stage::frame) return;
  detail::clear_retaining(plain_);
  if (header_.capacity() > detail::retained_capacity / 16) header_ = {};
  if (name_.capacity() > detail::retained_capacity / 16) name_ = {};
  if (entries_.capacity() > detail::persistent_headers::max_count) entries_ = {};
}

THRIFTLENS_BODY session::step session::detect() {
  const detail::first_look look = detail::look_at_first_bytes(here(), options_.max_frame());
  if (look.needs_more_bytes) return step::wait;
  if (look.transport == transport_id::automatic) {
    return reject(errc::bad_frame, 0,
                  look.foreign.empty() ? "expected a Thrift transport, found unknown bytes"
                                       : detail::foreign_message(look.foreign));
  }
  transport_ = look.transport;
  if (protocol_ == message_protocol::automatic) protocol_ = look.protocol;
  stage_ = transport_ == transport_id::sasl ? stage::negotiate : stage::frame;
  return step::proceed;
}

// At the start of a connection with a configured transport: rejects a foreign protocol at once instead of
// waiting for the bytes of a misread frame size.
THRIFTLENS_BODY session::step session::refuse_foreign() {
  if (begin_ != 0 || transport_ == transport_id::grpc) return step::proceed;
  const bool has_frames = transport_ != transport_id::buffered && transport_ != transport_id::http;
  const detail::foreign_look look = detail::look_for_foreign(here(), has_frames ? options_.max_frame() : 0);
  if (look.needs_more_bytes) return step::wait;
  if (look.name.empty()) return step::proceed;
  return reject(has_frames ? errc::bad_frame : errc::bad_message, 0, detail::foreign_message(look.name));
}

THRIFTLENS_BODY session::step session::negotiate(session_event& event) {
  begin_ = in_.offset();
  const byte_view bytes = here();
  if (bytes.empty()) return step::wait;
  if (const step refused = refuse_foreign(); refused != step::proceed) return refused;
  if (bytes[0] < 1 || bytes[0] > 5)
    return reject(errc::bad_frame, 0, "expected a frame of a SASL negotiation, found another first byte");
  if (bytes.size() < detail::sasl_head_size) return step::wait;
  const std::size_t size = detail::load_be<std::uint32_t>(bytes.data() + 1);
  if (size > options_.header_size)
    return reject(errc::size_limit, 1, too_large_header("a frame of the SASL negotiation"));
  if (bytes.size() - detail::sasl_head_size < size) return step::wait;
  const std::string_view text = bytes.part(detail::sasl_head_size, size).text();
  out_.clear();
  detail::sasl_answer result = options_.role == session_role::client
                                   ? sasl_.take_as_client(bytes[0], text)
                                   : sasl_.take_as_server(bytes[0], text, out_);
  if (result.status == detail::sasl_answer::state::unexpected)
    return reject(errc::bad_frame, 0, "unexpected frame in a SASL negotiation");
  consume(detail::sasl_head_size + size);
  return answer(std::move(result), event);
}
// The response is sent before the outcome is reported.
THRIFTLENS_BODY session::step session::answer(detail::sasl_answer&& result, session_event& event) {
  if (result.status == detail::sasl_answer::state::complete) stage_ = stage::ready;
  if (result.status == detail::sasl_answer::state::refused) {
    stage_ = stage::refused;
    name_ = std::move(result.message);
  }
  if (out_.empty()) return step::proceed;
  event = {.kind = session_event_kind::send, .transport = transport_, .body = out_, .offset = begin_};
  return step::event;
}
THRIFTLENS_BODY session::step session::end_negotiation(session_event& event) {
  if (stage_ == stage::refused) {
    dead_ = error(errc::refused, name_, static_cast<std::size_t>(begin_));
    return step::failed;
  }
  stage_ = stage::frame;
  event = {.kind = session_event_kind::ready, .transport = transport_, .offset = begin_};
  if (options_.role == session_role::server) {
    entries_ = {{"user", sasl_.user()}, {"password", sasl_.password()}};
    event.headers = entries_;
  }
  return step::event;
}

THRIFTLENS_BODY session::step session::read_frame() {
  begin_ = in_.offset();
  around_ = transport_;
  is_compressed_ = false;
  entries_.clear();
  if (available() == 0) return step::wait;
  if (const step refused = refuse_foreign(); refused != step::proceed) return refused;
  if (transport_ == transport_id::framed || transport_ == transport_id::sasl) return read_sized(4);
  if (transport_ == transport_id::grpc) return read_grpc();
  if (has_headers()) return read_headed();
  payload_ = 0;
  frame_end_ = unframed;
  stage_ = stage::head;
  return step::proceed;
}
THRIFTLENS_BODY session::step session::read_sized(std::size_t head) {
  if (available() < head) return step::wait;
  const auto size = detail::load_be<std::uint32_t>(here().data() + head - 4);
  const byte_view from_size = here().part(head - 4, available() - (head - 4));
  if (std::string message = detail::size_error(from_size, options_.max_frame()); !message.empty())
    return reject(errc::bad_frame, head - 4, std::move(message));
  if (size > options_.max_frame()) {
    return reject(errc::size_limit, head - 4,
                  detail::joined({"a frame of ", size, " bytes exceeds the limit of ", options_.max_frame(),
                                  " (option frame_size)"}));
  }
  payload_ = head;
  frame_end_ = head + size;
  stage_ = stage::head;
  return step::proceed;
}
THRIFTLENS_BODY session::step session::read_grpc() {
  const std::uint8_t flag = here()[0];
  if (flag > 1) return reject(errc::bad_frame, 0, "the first byte of a gRPC frame is neither 0 nor 1");
  const step sized = read_sized(5);
  if (flag == 0 || sized != step::proceed) return sized;
  transforms_ = {payload_transform::gzip};
  stage_ = stage::payload;
  return step::proceed;
}

THRIFTLENS_BODY session::step session::read_headed() {
  const byte_view bytes = here();
  const std::uint16_t magic =
      transport_ == transport_id::header ? detail::theader_magic : detail::ttheader_magic;
  if (bytes.size() < 6) return step::wait;
  if (detail::magic_of(bytes) != magic) {
    return reject(errc::bad_frame, 4,
                  magic == detail::theader_magic ? "expected a frame with the magic of THeader, 0x0fff"
                                                 : "expected a frame with the magic of TTHeader, 0x1000");
  }
  if (bytes.size() < detail::fixed_head_size) return step::wait;
  const step sized = read_sized(4);
  stage_ = stage::frame;  // until its header has arrived
  if (sized == step::failed) return sized;
  const std::size_t size = detail::header_size_of(bytes);
  if (detail::fixed_head_size + size > frame_end_)
    return reject(errc::bad_frame, 12, "the header of a frame exceeds the frame");
  if (size > options_.header_size)
    return reject(errc::size_limit, 12, too_large_header("the header of a frame"));
  return bytes.size() < detail::fixed_head_size + size ? step::wait : read_header(size);
}
THRIFTLENS_BODY session::step session::read_header(std::size_t size) {
  header_.clear();
  header_.append(here().part(detail::fixed_head_size, size));
  detail::frame_head head;
  const struct fault fault = transport_ == transport_id::header ? detail::theader_reader(header_).read(head)
                                                                : detail::ttheader_reader(header_).read(head);
  if (fault) {
    return reject(fault.code, detail::fixed_head_size + fault.offset, "the header of a frame is malformed");
  }
  payload_ = detail::fixed_head_size + size;
  stage_ = stage::payload;
  return take_head(head);
}
THRIFTLENS_BODY session::step session::take_head(const detail::frame_head& head) {
  if (head.protocol != detail::head_binary && head.protocol != detail::head_compact) {
    return reject(errc::bad_frame, detail::fixed_head_size,
                  detail::joined({"protocol ", head.protocol, " in the header of a frame is unknown"}));
  }
  // Kitex writes Binary for all protocols.
  spoken_ = transport_ != transport_id::header      ? message_protocol::automatic
            : head.protocol == detail::head_compact ? message_protocol::compact
                                                    : message_protocol::binary;
  entries_ = head.entries;
  transforms_ = head.transforms;
  if (std::string message = persistent_.merge(entries_, options_.header_size); !message.empty())
    return reject(errc::size_limit, detail::fixed_head_size, std::move(message));
  return step::proceed;
}
THRIFTLENS_BODY session::step session::read_payload() {
  if (!transforms_.empty()) {
    if (!is_complete()) return step::wait;
    if (undo_transforms() == step::failed) return step::failed;
  } else if (transport_ != transport_id::header) {
    if (window(payload_).size() < 4 && !is_complete()) return step::wait;
    skip_inner_size();
  }
  stage_ = stage::head;
  return step::proceed;
}
// TTHeader-framed: the payload has a 4-byte size prefix.
THRIFTLENS_BODY void session::skip_inner_size() {
  const byte_view payload = window(payload_);
  around_ = transport_id::ttheader;
  if (payload.size() < 4) return;
  const std::size_t remaining = frame_end_ - payload_ - 4;
  if (detail::load_be<std::uint32_t>(payload.data()) != remaining) return;
  around_ = transport_id::ttheader_framed;
  payload_ += 4;
}
THRIFTLENS_BODY session::step session::undo_transforms() {
  const bool is_grpc = transport_ == transport_id::grpc;
  const std::uint32_t known = is_grpc ? payload_transform::gzip : payload_transform::zlib;
  const bool is_known = transforms_.size() == 1 && transforms_[0] == known;
  if (!is_known) return reject(errc::bad_frame, payload_, "unsupported transform");
  if (options_.transform == nullptr) {
    return reject(errc::bad_frame, payload_,
                  std::string("the session has no transform for ") + (is_grpc ? "gzip" : "zlib"));
  }
  plain_.clear();
  if (!options_.transform->undo(transforms_[0], window(payload_), options_.max_frame(), plain_)) {
    return reject(errc::bad_frame, payload_,
                  detail::joined({"a compressed frame is invalid or expands to more than ",
                                  options_.max_frame(), " bytes (option frame_size)"}));
  }
  begin_plain_ = in_.offset() + payload_;
  in_.consume(frame_end_);
  is_plain_ = is_compressed_ = true;
  plain_at_ = payload_ = 0;
  frame_end_ = plain_.size();
  return step::proceed;
}
THRIFTLENS_BODY session::step session::read_head(session_event& event) {
  if (transport_ == transport_id::grpc) return begin_bare(event);
  const message_protocol spoken = has_headers() ? spoken_ : protocol_;
  const byte_view bytes = window(payload_);
  const detail::message_front front = detail::read_message_front(bytes, spoken, options_.header_size);
  if (detail::has_bad_old_name(bytes, spoken, options_.header_size))
    return reject(errc::bad_message, payload_, "expected the name of a function, found other bytes");
  if (front.fault.code == errc::truncated && !is_complete()) return step::wait;
  if (front.fault) {
    const detail::foreign_look foreign = detail::look_for_foreign(bytes, 0);
    if (foreign.needs_more_bytes && !is_complete()) return step::wait;
    std::string message = front.fault.code == errc::size_limit ? too_large_header("the name of a method")
                                                               : detail::foreign_message(foreign.name);
    if (bytes.empty()) message = "expected a message, found an empty frame";
    return reject(front.fault.code, payload_ + front.fault.offset, std::move(message));
  }
  name_ = front.message.name;
  message_ = front.message;
  spoken_ = detail::message_protocol_of(front.protocol, front.message.strict);
  body_ = payload_ + front.size;
  const step matched = match(front.message);
  return matched == step::proceed ? begin_body(event) : matched;
}
// A struct without a message header.
THRIFTLENS_BODY session::step session::begin_bare(session_event& event) {
  name_.clear();
  message_ = {};
  message_.type = options_.role == session_role::server ? message_type::call : message_type::reply;
  spoken_ = protocol_ == message_protocol::automatic ? message_protocol::binary : protocol_;
  body_ = payload_;
  disposition_ = disposition::complete;
  return begin_body(event);
}
THRIFTLENS_BODY session::step session::begin_body(session_event& event) {
  const std::size_t head = body_;
  is_open_ = is_open_ && frame_end_ == unframed;
  shown_ = 0;
  taken_ = 0;
  if (frame_end_ == unframed) {
    open_size_ = options_.max_frame() > head ? options_.max_frame() - head : 0;
    skip_.start(detail::protocol_of(spoken_), options_.limits.depth, open_size_);
  }
  if (disposition_ == disposition::complete) {
    stage_ = stage::body;
    return step::proceed;
  }
  consume(body_);
  frame_end_ = frame_end_ == unframed ? unframed : frame_end_ - body_;
  payload_ = body_ = 0;
  stage_ = stage::parts;
  if (disposition_ == disposition::ignored) return step::proceed;
  fill(event, session_event_kind::head);
  event.is_open = is_open_;
  return step::event;
}

THRIFTLENS_BODY session::step session::match(const message_header& header) {
  const bool is_reply = header.type == message_type::reply || header.type == message_type::exception;
  disposition_ = disposition::complete;
  is_open_ = false;
  if (options_.role == session_role::server) {
    if (is_reply) return reject(errc::bad_message, payload_, "a client sent a reply");
    return is_over_limit(header) ? reject(errc::calls_limit, payload_) : step::proceed;
  }
  if (!is_reply) return reject(errc::bad_message, payload_, "a server sent a call");
  return options_.calls == 0 ? step::proceed : match_reply(header);
}
THRIFTLENS_BODY session::step session::match_reply(const message_header& header) {
  const detail::waiting_call* call = calls_.find(header.sequence_id);
  if (call == nullptr) {
    if (!calls_.is_ignored(header.sequence_id)) {
      return reject(errc::bad_sequence_id, payload_,
                    detail::joined({"no call waits for a reply under sequence id ", header.sequence_id}));
    }
    disposition_ = disposition::ignored;
    return step::proceed;
  }
  const bool is_exception = header.type == message_type::exception;
  // A server that could not parse the call does not know its name.
  const bool is_named = header.name == call->name || header.name == detail::function_name(call->name);
  if (!is_named && !(is_exception && header.name.empty())) {
    return reject(errc::wrong_method_name, payload_,
                  detail::joined({"expected a reply to ", call->name, ", found one to ",
                                  detail::in_quotes(header.name)}));
  }
  if (call->reply != delivery::complete && !is_exception) {
    disposition_ = disposition::parts;
    is_open_ = call->reply == delivery::open_parts;
  }
  return step::proceed;
}

THRIFTLENS_BODY std::optional<std::size_t> session::skip(std::size_t from) {
  const std::uint64_t previously_passed = skip_.passed();
  const std::size_t passed = skip_.feed(window(from));
  if (!skip_.fault()) return passed;
  reject(skip_.fault().code, from + skip_.fault().offset - static_cast<std::size_t>(previously_passed));
  return std::nullopt;
}

THRIFTLENS_BODY session::step session::read_body(session_event& event) {
  std::size_t size = frame_end_ - body_;
  if (frame_end_ == unframed) {
    if (!skip(body_ + static_cast<std::size_t>(skip_.passed()))) return step::failed;
    if (!skip_.at_end()) return step::wait;
    size = static_cast<std::size_t>(skip_.passed());
  } else if (!is_complete()) {
    return step::wait;
  }
  fill(event, session_event_kind::message);
  event.body = here().part(body_, size);
  consume(body_ + size);
  const bool is_reported = disposition_ == disposition::complete;
  finish_message();
  return is_reported ? step::event : step::proceed;
}

THRIFTLENS_BODY session::step session::read_part(session_event& event) {
  if (is_open_) return read_open_part(event);
  std::size_t size = window(0).size();
  if (frame_end_ == unframed) {
    const std::optional<std::size_t> passed = skip(0);
    if (!passed) return step::failed;
    size = *passed;
  }
  const bool is_last = frame_end_ == unframed ? skip_.at_end() : size == frame_end_;
  if (size == 0 && !is_last) return step::wait;
  fill_part(event, size);
  consume(size);
  if (frame_end_ != unframed) frame_end_ -= size;
  if (is_last) stage_ = stage::end;
  return disposition_ == disposition::ignored || size == 0 ? step::proceed : step::event;
}
THRIFTLENS_BODY void session::fill_part(session_event& event, std::size_t size) const noexcept {
  fill(event, session_event_kind::part);
  event.body = here().part(0, size);
  event.offset = is_plain_ ? begin_plain_ : in_.offset();
  event.is_open = is_open_;
}
THRIFTLENS_BODY session::step session::read_open_part(session_event& event) {
  const std::uint64_t max_size = open_size_ - taken_;
  const std::size_t size = available() < max_size ? available() : static_cast<std::size_t>(max_size);
  if (size <= shown_) return available() > size ? reject(errc::size_limit, size) : step::wait;
  shown_ = size;
  fill_part(event, size);
  return step::event;
}
THRIFTLENS_BODY result<void> session::try_take(const taken_part& taken) {
  if (dead_) return *dead_;
  if (!is_open_ || stage_ != stage::parts || taken.used > shown_)
    return error(errc::bad_option, "more bytes were consumed than delivered in open parts");
  if (taken.fault) {
    reject(taken.fault.code, static_cast<std::size_t>(taken.fault.offset - taken_));
    return *dead_;
  }
  consume(taken.used);
  taken_ += taken.used;
  shown_ -= taken.used;
  if (taken.least_left > open_size_ - taken_) {
    reject(errc::size_limit, 0);
    return *dead_;
  }
  if (taken.least_left == 0) stage_ = stage::end;
  return {};
}
THRIFTLENS_BODY session::step session::end_parts(session_event& event) {
  const bool is_reported = disposition_ == disposition::parts || is_open_;
  if (is_reported) fill(event, session_event_kind::end);
  finish_message();
  return is_reported ? step::event : step::proceed;
}

THRIFTLENS_BODY void session::fill(session_event& event, session_event_kind kind) const noexcept {
  event = {.kind = kind,
           .protocol = spoken_,
           .transport = around_,
           .is_compressed = is_compressed_,
           .message = message_,
           .headers = entries_,
           .offset = begin_};
  event.message.name = name_;
}
THRIFTLENS_BODY void session::finish_message() noexcept {
  stage_ = stage::frame;
  is_plain_ = false;
  if (transport_ == transport_id::grpc) return;
  if (options_.role == session_role::server) {
    owed_ += message_.type == message_type::call ? 1 : 0;
  } else if (disposition_ == disposition::ignored) {
    calls_.note_ignored_reply(message_.sequence_id);
  } else {
    calls_.remove(message_.sequence_id);
  }
}

THRIFTLENS_BODY std::string session::too_large() const {
  return detail::joined(
      {"the message exceeds the limit of ", options_.max_frame(), " bytes (option frame_size)"});
}
THRIFTLENS_BODY std::string session::too_large_header(std::string_view subject) const {
  return detail::joined(
      {subject, " exceeds the limit of ", options_.header_size, " bytes (option header_size)"});
}
THRIFTLENS_BODY session::step session::reject(errc code, std::size_t at, std::string message) {
  // Decompressed bytes have no offset on the connection: the error points to the compressed ones.
  const std::uint64_t where = is_plain_ ? begin_plain_ : in_.offset() + at;
  if (code == errc::size_limit && message.empty()) message = too_large();
  dead_ = error(code, std::move(message), static_cast<std::size_t>(where));
  return step::failed;
}

THRIFTLENS_BODY result<void> session::try_finish() {
  if (dead_) return *dead_;
  const bool is_between = stage_ == stage::frame || stage_ == stage::detect || stage_ == stage::negotiate;
  if (is_between && available() == 0) return {};
  dead_ = error(errc::truncated, "the connection ends in the middle of a message",
                static_cast<std::size_t>(is_between ? in_.offset() : begin_));
  return *dead_;
}

THRIFTLENS_BODY result<void> session::check_call(const call_request& call) const {
  if (dead_) return *dead_;
  if (options_.role == session_role::server) return error(errc::bad_option, "a server cannot make calls");
  if (stage_ == stage::negotiate || stage_ == stage::ready)
    return error(errc::bad_option, "calls come after the negotiation");
  if (call.name.size() > options_.header_size)
    return error(errc::size_limit, "the name of a method is too long");
  if (is_matched(call) && calls_.is_full()) return error(errc::calls_limit);
  if (call.sequence_id && is_in_use(*call.sequence_id)) {
    return error(errc::bad_option,
                 detail::joined({"a call is in flight under sequence id ", *call.sequence_id}));
  }
  return {};
}
// A reply in open parts is delivered even if its call was cancelled.
THRIFTLENS_BODY bool session::is_in_use(std::int32_t id) const noexcept {
  const bool is_handed_out = is_open_ && (stage_ == stage::parts || stage_ == stage::end);
  return calls_.find(id) != nullptr || (is_handed_out && message_.sequence_id == id);
}
THRIFTLENS_BODY std::int32_t session::next_id() const noexcept {
  std::int32_t id = last_id_;
  do {
    id = id == 0x7fffffff ? 1 : id + 1;
  } while (is_in_use(id));
  return id;
}
THRIFTLENS_BODY result<std::int32_t> session::try_append_call(const call_request& call, buffer& out) {
  if (const result<void> may = check_call(call); !may) return may.error();
  if (detail::overlaps(call.arguments, out) || detail::overlaps(byte_view(call.name), out))
    return detail::overlap_error();
  const std::int32_t id = call.sequence_id ? *call.sequence_id : next_id();
  session_event event{.protocol = protocol_, .transport = transport_, .is_compressed = call.is_compressed};
  event.message = {.name = call.name, .type = call.type, .sequence_id = id};
  event.body = call.arguments;
  event.headers = call.headers;
  if (const result<void> written = detail::try_append_frame(event, options_.transform, out); !written)
    return written.error();
  if (!call.sequence_id) last_id_ = id;
  if (is_matched(call)) {
    calls_.add(
        {.sequence_id = id, .reply = call.reply, .deadline = call.deadline, .name = std::string(call.name)});
  } else if (call.type == message_type::oneway) {
    calls_.ignore_oneway(id);
  }
  return id;
}

THRIFTLENS_BODY result<void> session::try_append_reply(const session_event& to, message_type kind,
                                                       byte_view body, buffer& out,
                                                       std::span<const header_entry> headers) {
  if (dead_) return *dead_;
  if (detail::overlaps(body, out)) return detail::overlap_error();
  if (kind != message_type::reply && kind != message_type::exception)
    return error(errc::bad_option, "the kind of an answer must be reply or exception");
  session_event event = to;
  event.message.name = detail::function_name(to.message.name);
  event.message.type = kind;
  event.body = body;
  event.headers = headers;
  result<void> written = detail::try_append_frame(event, options_.transform, out);
  if (written) skip_reply(to);
  return written;
}

THRIFTLENS_BODY bool session::cancel(std::int32_t sequence_id) {
  if (!calls_.remove(sequence_id)) return false;
  const bool is_arriving = stage_ == stage::parts || stage_ == stage::end || stage_ == stage::body;
  if (is_arriving && message_.sequence_id == sequence_id) {
    // Undivided, its bytes remain buffered until it is complete.
    disposition_ = disposition::ignored;
  }
  calls_.ignore_cancelled(sequence_id);
  return true;
}

THRIFTLENS_BODY std::size_t session::in_flight() const noexcept {
  return options_.role == session_role::server ? owed_ : calls_.size();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
