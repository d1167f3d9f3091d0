// read_skip: JSON values that nobody asked for. Never passes what is no JSON: a skipped value is checked
// like any other.
#pragma once

#include <thriftlens/json/read_state.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of json_reader that passes over values.
template <protocol Protocol>
class json_skipper : protected json_read_state<Protocol> {
 protected:
  using base = json_read_state<Protocol>;
  using base::base;
  using base::enter;
  using base::in_;
  using base::is_filled;
  using base::is_number_start;
  using base::leave;
  using base::more_follows;
  using base::no_quote;
  using base::reject;
  using base::room;
  using base::take_colon;

  json_position skip_value(json_position now) {
    switch (in_.peek(now.at)) {
      case '"':
        return skip_string(now);
      case '{':
        return skip_nested(now, '}');
      case '[':
        return skip_nested(now, ']');
      case 't':
        return skip_literal(now, "true");
      case 'f':
        return skip_literal(now, "false");
      case 'n':
        return skip_literal(now, "null");
      default:
        return skip_number(now);
    }
  }
  // A key and its value.
  json_position skip_member(json_position now) {
    if (in_.peek(now.at) != '"') return no_quote(now.at);
    now = skip_string(now);
    return now && take_colon(now) ? skip_value(now) : json_position();
  }

 private:
  // Its content goes where the output goes on, and is overwritten by that.
  json_position skip_string(json_position now) {
    if (!room(now)) return {};
    return base::string_with_escapes(now.at, now.to) != nullptr ? now : json_position();
  }
  json_position skip_literal(json_position now, std::string_view word) {
    return in_.take_literal(now.at, word) ? now : json_position(reject(errc::json_syntax, now.at));
  }
  json_position skip_number(json_position now) {
    if (!is_number_start(in_.peek(now.at))) return reject(errc::json_syntax, now.at, "expected a value");
    json_number number;
    if (!in_.take_number(now.at, number))
      return reject(errc::json_syntax, now.at, "a number that JSON does not allow");
    return now;
  }
  json_position skip_nested(json_position now, char close) {
    if (!enter(now.at)) return {};
    std::uint8_t next = 0;
    bool more = is_filled(now, close, next);
    while (more) {
      now = close == '}' ? skip_member(now) : skip_value(now);
      if (!now || !more_follows(now, close, more, next)) return {};
    }
    leave();
    return now;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
