// session: bodies of session.hpp.
// In: its declarations. Out: what thriftlens::compiled holds, or every unit that is header-only.
// Never declares what a user calls.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/transport/frame_writer.hpp>
#include <thriftlens/transport/session.hpp>

#include <cstring>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

THRIFTLENS_BODY session::session(const session_options& how)
    : how_(how), transport_(how.transport), protocol_(how.protocol), calls_(how.calls) {}

THRIFTLENS_BODY void session::feed(byte_view bytes) {
  if (dead_) return;
  // Moved only where that is no more than what was read since.
  if (at_ > in_.size() / 2 || at_ == in_.size()) {
    const std::size_t left = available();
    if (left != 0) std::memmove(in_.data(), in_.data() + at_, left);
    in_.truncate(left);
    base_ += at_;
    at_ = 0;
  }
  in_.append(bytes);
}

THRIFTLENS_BODY result<bool> session::try_next(session_event& event) {
  if (dead_) return *dead_;
  step done = step::again;
  while (done == step::again) done = advance(event);
  if (done == step::failed) return *dead_;
  return done == step::event;
}

THRIFTLENS_BODY session::step session::advance(session_event& event) {
  switch (stage_) {
    case stage::frame:
      return read_frame();
    case stage::head:
      return read_head(event);
    case stage::body:
      return read_body(event);
    case stage::parts:
      return read_part(event);
    case stage::end:
      return end_parts(event);
  }
  return step::wait;
}

THRIFTLENS_BODY session::step session::read_frame() {
  begin_ = base_ + at_;
  if (available() == 0) return step::wait;
  if (transport_ == transport_id::framed || transport_ == transport_id::sasl) return read_sized(4);
  payload_ = 0;
  frame_end_ = unframed;
  stage_ = stage::head;
  return step::again;
}
THRIFTLENS_BODY session::step session::read_sized(std::size_t head) {
  if (available() < head) return step::wait;
  const auto size = detail::load_be<std::uint32_t>(in_.data() + at_ + head - 4);
  if (size > 0x7fffffffu) return fail(errc::bad_frame, head - 4, "the size of a frame is negative");
  if (size > how_.max_frame()) {
    return fail(errc::size_limit, head - 4,
                "a frame of " + std::to_string(size) + " bytes exceeds the limit of " +
                    std::to_string(how_.max_frame()));
  }
  payload_ = head;
  frame_end_ = head + size;
  stage_ = stage::head;
  return step::again;
}

THRIFTLENS_BODY session::step session::read_head(session_event& event) {
  const detail::message_front found =
      detail::read_message_front(window(payload_), protocol_, how_.header_size);
  if (found.fault.code == errc::truncated && !is_whole()) return step::wait;
  if (found.fault) return fail(found.fault.code, payload_ + found.fault.offset);
  name_ = found.message.name;
  message_ = found.message;
  spoken_ = detail::message_protocol_of(found.protocol, found.message.strict);
  body_ = payload_ + found.size;
  const step matched = match(found.message);
  return matched == step::again ? begin_body(event) : matched;
}
THRIFTLENS_BODY session::step session::begin_body(session_event& event) {
  const std::size_t head = body_;
  if (frame_end_ == unframed) {
    const std::size_t max_size = how_.max_frame();
    skip_.start(detail::protocol_of(spoken_), how_.limits.depth, max_size > head ? max_size - head : 0);
  }
  if (fate_ == fate::whole) {
    stage_ = stage::body;
    return step::again;
  }
  at_ += body_;
  frame_end_ = frame_end_ == unframed ? unframed : frame_end_ - body_;
  payload_ = body_ = 0;
  stage_ = stage::parts;
  if (fate_ == fate::passed_over) return step::again;
  fill(event, session_event::kind::head);
  return step::event;
}

THRIFTLENS_BODY session::step session::match(const message_header& found) {
  const bool is_reply = found.type == message_type::reply || found.type == message_type::exception;
  fate_ = fate::whole;
  if (how_.role == session_role::server) {
    return is_reply ? fail(errc::bad_message, payload_, "a client sent a reply") : step::again;
  }
  if (!is_reply) return fail(errc::bad_message, payload_, "a server sent a call");
  return how_.calls == 0 ? step::again : match_reply(found);
}
namespace detail {
/// Multiplexed services are called as "Service:method" and answer as "method".
[[nodiscard]] inline bool answers(std::string_view reply, std::string_view call) noexcept {
  if (reply == call) return true;
  const std::size_t colon = call.rfind(':');
  return colon != std::string_view::npos && reply == call.substr(colon + 1);
}
}  // namespace detail
THRIFTLENS_BODY session::step session::match_reply(const message_header& found) {
  const detail::waiting_call* call = calls_.find(found.sequence_id);
  if (call == nullptr) {
    if (!calls_.is_passed_over(found.sequence_id)) {
      return fail(errc::bad_sequence_id, payload_,
                  "no call waits for a reply under sequence id " + std::to_string(found.sequence_id));
    }
    fate_ = fate::passed_over;
    return step::again;
  }
  const bool is_exception = found.type == message_type::exception;
  // Servers that could not read the call do not know its name.
  if (!detail::answers(found.name, call->name) && !(is_exception && found.name.empty())) {
    return fail(errc::wrong_method_name, payload_,
                "expected a reply of " + call->name + ", found one of " + std::string(found.name));
  }
  if (call->reply == delivery::parts && !is_exception) fate_ = fate::parts;
  return step::again;
}

THRIFTLENS_BODY std::optional<std::size_t> session::skip(std::size_t from) {
  const std::uint64_t before = skip_.passed();
  const std::size_t passed = skip_.feed(window(from));
  if (!skip_.fault()) return passed;
  fail(skip_.fault().code, from + skip_.fault().offset - static_cast<std::size_t>(before));
  return std::nullopt;
}

THRIFTLENS_BODY session::step session::read_body(session_event& event) {
  std::size_t size = frame_end_ - body_;
  if (frame_end_ == unframed) {
    if (!skip(body_ + static_cast<std::size_t>(skip_.passed()))) return step::failed;
    if (!skip_.is_done()) return step::wait;
    size = static_cast<std::size_t>(skip_.passed());
  } else if (!is_whole()) {
    return step::wait;
  }
  fill(event, session_event::kind::message);
  event.body = byte_view(in_).part(at_ + body_, size);
  at_ += body_ + size;
  const bool is_heard = fate_ == fate::whole;
  finish_message();
  return is_heard ? step::event : step::again;
}

THRIFTLENS_BODY session::step session::read_part(session_event& event) {
  std::size_t size = window(0).size();
  if (frame_end_ == unframed) {
    const std::optional<std::size_t> passed = skip(0);
    if (!passed) return step::failed;
    size = *passed;
  }
  const std::uint64_t offset = base_ + at_;
  const bool is_last = frame_end_ == unframed ? skip_.is_done() : size == frame_end_;
  if (size == 0 && !is_last) return step::wait;
  fill(event, session_event::kind::part);
  event.body = byte_view(in_).part(at_, size);
  event.offset = offset;
  at_ += size;
  if (frame_end_ != unframed) frame_end_ -= size;
  if (is_last) stage_ = stage::end;
  return fate_ == fate::passed_over || size == 0 ? step::again : step::event;
}
THRIFTLENS_BODY session::step session::end_parts(session_event& event) {
  const bool is_heard = fate_ == fate::parts;
  if (is_heard) fill(event, session_event::kind::end);
  finish_message();
  return is_heard ? step::event : step::again;
}

THRIFTLENS_BODY void session::fill(session_event& event, session_event::kind what) const noexcept {
  event = {.what = what, .protocol = spoken_, .transport = transport_, .message = message_, .offset = begin_};
  event.message.name = name_;
}
THRIFTLENS_BODY void session::finish_message() noexcept {
  stage_ = stage::frame;
  if (how_.role == session_role::server) {
    owed_ += message_.type == message_type::call ? 1 : 0;
  } else if (fate_ == fate::passed_over) {
    calls_.forget_passed_over(message_.sequence_id);
  } else {
    calls_.remove(message_.sequence_id);
  }
}

THRIFTLENS_BODY session::step session::fail(errc code, std::size_t at, std::string words) {
  dead_ = error(code, std::move(words), static_cast<std::size_t>(base_) + at_ + at);
  return step::failed;
}

THRIFTLENS_BODY result<void> session::try_finish() {
  if (dead_) return *dead_;
  if (stage_ == stage::frame && available() == 0) return {};
  dead_ = error(errc::truncated, "the connection ends in the middle of a message",
                static_cast<std::size_t>(stage_ == stage::frame ? base_ + at_ : begin_));
  return *dead_;
}

THRIFTLENS_BODY result<std::int32_t> session::try_append_call(const call_request& call, buffer& out) {
  if (dead_) return *dead_;
  if (how_.role == session_role::server) return error(errc::bad_option, "a server makes no calls");
  if (call.name.size() > how_.header_size) return error(errc::size_limit, "the name of a method is too long");
  const bool is_oneway = call.type == message_type::oneway;
  const bool is_matched = how_.calls != 0 && !is_oneway;
  if (is_matched && calls_.is_full()) return error(errc::calls_limit);
  std::int32_t id = call.sequence_id ? *call.sequence_id : last_id_;
  if (call.sequence_id) {
    if (calls_.find(id) != nullptr)
      return error(errc::bad_option, "a call is in flight under sequence id " + std::to_string(id));
  } else {
    do {
      id = id == 0x7fffffff ? 1 : id + 1;
    } while (calls_.find(id) != nullptr);
  }
  session_event event{.protocol = protocol_, .transport = transport_};
  event.message = {.name = call.name, .type = call.type, .sequence_id = id};
  event.body = call.arguments;
  event.headers = call.headers;
  if (const result<void> done = detail::try_append_frame(event, how_.transform, out); !done)
    return done.error();
  if (!call.sequence_id) last_id_ = id;
  if (is_matched)
    calls_.add(
        {.sequence_id = id, .reply = call.reply, .deadline = call.deadline, .name = std::string(call.name)});
  else if (is_oneway)
    calls_.pass_over(id);
  return id;
}

THRIFTLENS_BODY result<void> session::try_append_reply(const session_event& to, message_type kind,
                                                       byte_view body, buffer& out,
                                                       std::span<const header_entry> headers) {
  if (dead_) return *dead_;
  if (kind != message_type::reply && kind != message_type::exception)
    return error(errc::bad_option, "an answer is a reply or an exception");
  session_event event = to;
  event.message.type = kind;
  event.body = body;
  event.headers = headers;
  result<void> done = detail::try_append_frame(event, how_.transform, out);
  if (done && owed_ != 0) --owed_;
  return done;
}

THRIFTLENS_BODY bool session::cancel(std::int32_t sequence_id) {
  if (!calls_.remove(sequence_id)) return false;
  const bool is_arriving = stage_ == stage::parts || stage_ == stage::end || stage_ == stage::body;
  if (is_arriving && message_.sequence_id == sequence_id) {
    // In whole its bytes stay where they are until it ends.
    fate_ = fate::passed_over;
  }
  calls_.pass_over(sequence_id);
  return true;
}

THRIFTLENS_BODY std::size_t session::in_flight() const noexcept {
  return how_.role == session_role::server ? owed_ : calls_.size();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
