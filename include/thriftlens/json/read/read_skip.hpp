// read_skip: skips JSON values, with the same syntax checks as for other values.
#pragma once

#include <thriftlens/json/read/read_state.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of json_reader that skips values.
class json_skipper {
 public:
  explicit json_skipper(json_read_state& state) noexcept : state_(state) {}

  json_position value(json_position pos) {
    switch (state_.peek(pos)) {
      case '"':
        return string(pos);
      case '{':
        return nested(pos, '}');
      case '[':
        return nested(pos, ']');
      case 't':
        return literal(pos, "true");
      case 'f':
        return literal(pos, "false");
      case 'n':
        return literal(pos, "null");
      default:
        return number(pos);
    }
  }
  // A key and its value.
  json_position member(json_position pos) {
    if (state_.peek(pos) != '"') return state_.no_quote(pos.at);
    pos = string(pos);
    return pos && state_.take_colon(pos) ? value(pos) : json_position();
  }

 private:
  // Decodes into the free part of the output, which is overwritten later.
  json_position string(json_position pos) {
    if (!state_.reserve(pos)) return {};
    return state_.string_with_escapes(pos.at, pos.to) != nullptr ? pos : json_position();
  }
  json_position literal(json_position pos, std::string_view word) {
    return state_.in.take_literal(pos.at, word) ? pos
                                                : json_position(state_.reject(errc::json_syntax, pos.at));
  }
  json_position number(json_position pos) {
    if (!state_.is_number_start(state_.peek(pos)))
      return state_.reject(errc::json_syntax, pos.at, "expected a value");
    json_number unused;
    if (!state_.in.take_number(pos.at, unused))
      return state_.reject(errc::json_syntax, pos.at, "invalid number");
    return pos;
  }
  json_position nested(json_position pos, char close) {
    if (!state_.enter(pos.at)) return {};
    std::uint8_t next = 0;
    bool more = state_.is_filled(pos, close, next);
    while (more) {
      pos = close == '}' ? member(pos) : value(pos);
      if (!pos || !state_.more_follows(pos, close, more, next)) return {};
    }
    state_.leave();
    return pos;
  }

  json_read_state& state_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
