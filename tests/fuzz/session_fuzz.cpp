// Any bytes as a connection: fed or lent in pieces they cause the same events and the same error as at once,
// messages are consecutive, a failed session stays failed, and a server can answer what it reads. First input
// byte: role and transport; second: protocol and whether replies come in parts; third: size of the pieces.
#include "transport/sessions.hpp"

#include <thriftlens/transport/session.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace tl = thriftlens;
using thriftlens_test::seen_event;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

// Unfolds to twice the bytes.
class doubling : public tl::payload_transform {
 public:
  bool undo(std::uint32_t, tl::byte_view in, std::size_t max_size, tl::buffer& out) override {
    if (in.size() * 2 > max_size) return false;
    out.append(in);
    out.append(in);
    return true;
  }
  bool apply(std::uint32_t, tl::byte_view in, tl::buffer& out) override {
    out.append(in);
    return true;
  }
};

struct connection {
  doubling transform;
  tl::session of;
  bool is_client;

  connection(const std::uint8_t* choices, tl::session_options how)
      : of((how.transform = &transform, how)), is_client(how.role == tl::session_role::client) {
    tl::buffer out;
    require(is_client || of.try_start({.anyone = (choices[1] & 32) == 0}, out).has_value());
    if (!is_client || how.calls == 0 || how.transport == tl::transport_id::sasl) return;
    for (const std::string_view name : {"", "a", "Service:get"}) {
      const auto reply = (choices[1] & 16) != 0 ? tl::delivery::parts : tl::delivery::complete;
      static_cast<void>(of.try_append_call({.name = name, .reply = reply}, out));
    }
    of.cancel(2);
  }
};

std::vector<seen_event> events_of(connection& at, tl::byte_view bytes, std::size_t chunk,
                                  thriftlens_test::feed_method feed) {
  std::vector<seen_event> events = thriftlens_test::run(at.of, bytes.text(), chunk, feed);
  tl::session_event event;
  if (at.of.fault() != nullptr) require(at.of.try_next(event).error() == *at.of.fault());
  return events;
}

// The answer is a message that a client reads under the same name.
void answer(const seen_event& call) {
  tl::session server({.role = tl::session_role::server, .transport = call.transport});
  tl::session client({.transport = call.transport, .protocol = call.protocol, .calls = 0});
  tl::session_event to{.protocol = call.protocol, .transport = call.transport};
  to.message = {.name = call.name, .sequence_id = call.sequence_id};
  tl::buffer out;
  const std::string empty(1, '\0');
  server.append_reply(to, tl::message_type::reply, tl::byte_view(empty), out);
  if (call.transport == tl::transport_id::sasl) return;  // it would have to negotiate first
  client.feed(out);
  tl::session_event event;
  require(client.next(event) && event.message.name == call.name && event.body.text() == empty);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const bool is_client = (data[0] & 0x80) != 0;
  tl::session_options how{
      .role = is_client ? tl::session_role::client : tl::session_role::server,
      .transport = static_cast<tl::transport_id>((data[0] & 0x7f) % tl::detail::transport_count),
      .protocol = static_cast<tl::message_protocol>(data[1] % tl::detail::message_protocol_count),
      .frame_size = 2000,
      .header_size = 200,
      .calls = (data[1] & 32) != 0 ? 0u : 8u};
  const bool is_automatic =
      how.transport == tl::transport_id::automatic || how.protocol == tl::message_protocol::automatic;
  if (is_client && is_automatic) return 0;
  const tl::byte_view bytes(data + 3, size - 3);
  connection whole(data, how), cut(data, how);
  const std::vector<seen_event> events = events_of(whole, bytes, size, &tl::session::feed);
  const auto feed = (data[2] & 16) != 0 ? &tl::session::lend : &tl::session::feed;
  require(events_of(cut, bytes, data[2] % 16u + 1u, feed) == events);
  require(whole.of.held() <= bytes.size());

  std::uint64_t last = 0;
  for (const seen_event& each : events) {
    if (!each.error.empty() || each.event == tl::session_event_kind::end) continue;
    require(each.offset >= last && each.offset <= bytes.size());
    last = each.offset;
    const bool is_call = !is_client && each.event == tl::session_event_kind::message;
    if (is_call && each.transport != tl::transport_id::grpc) answer(each);
  }
  return 0;
}
