// read_skip: skips JSON values, with the same syntax checks as for other values.
#pragma once

#include <thriftlens/json/read/read_state.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of json_reader that skips values.
template <protocol Protocol>
class json_skipper : protected json_read_state<Protocol> {
 protected:
  using base = json_read_state<Protocol>;
  using base::base, base::enter, base::in_, base::is_filled, base::is_number_start, base::leave,
      base::more_follows, base::no_quote, base::reject, base::reserve, base::take_colon;

  json_position skip_value(json_position pos) {
    switch (in_.peek(pos.at)) {
      case '"':
        return skip_string(pos);
      case '{':
        return skip_nested(pos, '}');
      case '[':
        return skip_nested(pos, ']');
      case 't':
        return skip_literal(pos, "true");
      case 'f':
        return skip_literal(pos, "false");
      case 'n':
        return skip_literal(pos, "null");
      default:
        return skip_number(pos);
    }
  }
  // A key and its value.
  json_position skip_member(json_position pos) {
    if (in_.peek(pos.at) != '"') return no_quote(pos.at);
    pos = skip_string(pos);
    return pos && take_colon(pos) ? skip_value(pos) : json_position();
  }

 private:
  // Decodes into the free part of the output, which is overwritten later.
  json_position skip_string(json_position pos) {
    if (!reserve(pos)) return {};
    return base::string_with_escapes(pos.at, pos.to) != nullptr ? pos : json_position();
  }
  json_position skip_literal(json_position pos, std::string_view literal) {
    return in_.take_literal(pos.at, literal) ? pos : json_position(reject(errc::json_syntax, pos.at));
  }
  json_position skip_number(json_position pos) {
    if (!is_number_start(in_.peek(pos.at))) return reject(errc::json_syntax, pos.at, "expected a value");
    json_number number;
    if (!in_.take_number(pos.at, number))
      return reject(errc::json_syntax, pos.at, "a number that JSON does not allow");
    return pos;
  }
  json_position skip_nested(json_position pos, char close) {
    if (!enter(pos.at)) return {};
    std::uint8_t next = 0;
    bool more = is_filled(pos, close, next);
    while (more) {
      pos = close == '}' ? skip_member(pos) : skip_value(pos);
      if (!pos || !more_follows(pos, close, more, next)) return {};
    }
    leave();
    return pos;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
