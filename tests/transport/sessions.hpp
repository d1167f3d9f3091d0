// sessions: shared by tests of module transport.
#pragma once

#include <thriftlens/transport/session.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens_test {

namespace tl = thriftlens;

/// An event, or the error that ends them.
struct seen_event {
  tl::session_event_kind event = tl::session_event_kind::message;
  std::string name = {}, body = {};
  tl::message_type kind = tl::message_type::call;
  std::int32_t sequence_id = 0;
  tl::message_protocol protocol = tl::message_protocol::binary;
  tl::transport_id transport = tl::transport_id::framed;
  std::map<std::string, std::string> headers = {};
  std::uint64_t offset = 0;
  std::string error = {};

  friend bool operator==(const seen_event&, const seen_event&) = default;
};
inline void PrintTo(const seen_event& of, std::ostream* out) {
  *out << tl::to_string(of.event) << ' ' << tl::to_string(of.kind) << ' ' << of.name << '/' << of.sequence_id
       << ' ' << tl::to_string(of.transport) << ' ' << tl::to_string(of.protocol) << " @" << of.offset
       << " body " << of.body.size() << ' ' << of.error;
}

[[nodiscard]] inline seen_event seen(const tl::session_event& of) {
  seen_event made{.event = of.kind,
                  .name = std::string(of.message.name),
                  .body = std::string(of.body.text()),
                  .kind = of.message.type,
                  .sequence_id = of.message.sequence_id,
                  .protocol = of.protocol,
                  .transport = of.transport,
                  .headers = {},
                  .offset = of.offset,
                  .error = {}};
  for (const tl::header_entry& each : of.headers)
    made.headers[each.key.empty() ? std::to_string(each.number) : std::string(each.key)] = each.value;
  return made;
}

/// All pending events; false if the session has failed.
inline bool drain(tl::session& from, std::vector<seen_event>& events) {
  for (;;) {
    tl::session_event event;
    const tl::result<bool> found = from.try_next(event);
    if (!found) {
      events.push_back({.error = found.error().what()});
      return false;
    }
    if (!*found) return true;
    // Parts have the size of the input; joined they are equal.
    const bool joins = event.kind == tl::session_event_kind::part && !events.empty() &&
                       events.back().event == tl::session_event_kind::part;
    if (joins)
      events.back().body += event.body.text();
    else
      events.push_back(seen(event));
  }
}

/// session::feed or session::lend.
using feed_method = void (tl::session::*)(tl::byte_view);

/// The events of bytes that arrive in pieces of `chunk`, and of their end.
[[nodiscard]] inline std::vector<seen_event> run(tl::session& from, std::string_view bytes, std::size_t chunk,
                                                 feed_method feed = &tl::session::feed) {
  std::vector<seen_event> events;
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    // Each piece has its own memory, so that reads past its end are detected.
    const std::string piece(bytes.substr(at, chunk));
    (from.*feed)(piece);
    if (!drain(from, events)) return events;
  }
  if (const tl::result<void> done = from.try_finish(); !done)
    events.push_back({.error = done.error().what()});
  return events;
}
/// The same in two pieces.
[[nodiscard]] inline std::vector<seen_event> run_split(tl::session& from, std::string_view bytes,
                                                       std::size_t split) {
  std::vector<seen_event> events;
  for (const std::string_view each : {bytes.substr(0, split), bytes.substr(split)}) {
    const std::string piece(each);
    from.feed(piece);
    if (!drain(from, events)) return events;
  }
  if (const tl::result<void> done = from.try_finish(); !done)
    events.push_back({.error = done.error().what()});
  return events;
}

/// A struct: {1: i32 7, 2: "text", 3: list<{1: i64 1, 2: map<string, bool>}>, 4: list<double>, 5: true}.
template <class P>
[[nodiscard]] std::string sample_struct(int elements = 3) {
  tl::buffer bytes;
  typename P::writer out(bytes);
  const auto outer = out.begin_struct();
  out.write_field(tl::ttype::i32, 1);
  out.write_i32(7);
  out.write_field(tl::ttype::string, 2);
  out.write_bytes(tl::byte_view("text", 4));
  out.write_field(tl::ttype::list, 3);
  out.write_list({tl::ttype::struct_, static_cast<std::uint32_t>(elements)});
  for (int i = 0; i < elements; ++i) {
    const auto inner = out.begin_struct();
    out.write_field(tl::ttype::i64, 1);
    out.write_i64(std::int64_t{1} << (i % 60));
    out.write_field(tl::ttype::map, 200);
    out.write_map({tl::ttype::string, tl::ttype::bool_, 2});
    for (const char* key : {"a", "bc"}) {
      out.write_bytes(tl::byte_view(key, std::string_view(key).size()));
      out.write_bool(true);
    }
    out.write_stop();
    out.end_struct(inner);
  }
  out.write_field(tl::ttype::list, 4);
  out.write_list({tl::ttype::double_, 2});
  out.write_double(1.5);
  out.write_double(-2);
  out.write_field(tl::ttype::bool_, 5);
  out.write_bool(true);
  out.write_stop();
  out.end_struct(outer);
  return bytes.str();
}
[[nodiscard]] inline std::string sample_struct(tl::message_protocol which, int elements = 3) {
  return which == tl::message_protocol::compact ? sample_struct<tl::compact>(elements)
                                                : sample_struct<tl::binary>(elements);
}

}  // namespace thriftlens_test
