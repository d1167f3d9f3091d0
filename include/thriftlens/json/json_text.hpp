// json_text: JSON text as a value of an edit or a call.
#pragma once

#include <thriftlens/json/from_json.hpp>

#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// `edit.set("$.user", json_text{R"({"id":7,"name":"x"})"})`: the text is read as the type of the target, by
/// the rules of from_json. Borrows the text for the call. Errors: the codes of from_json, with the path of
/// the target.
struct json_text {
  std::string_view text;
  from_json_options options = {};

  /// With the complete error of from_json.
  template <protocol P>
  [[nodiscard]] result<void> try_append_as(type to, buffer& out) const {
    return try_append_from_json<P>(to, text, out, options);
  }
  template <protocol P, class Out>
  [[nodiscard]] errc append_as(Out& out, type to) const {
    buffer bytes;
    if (result<void> appended = try_append_from_json<P>(to, text, bytes, options); !appended)
      return appended.error().code();
    out.append(byte_view(bytes));
    return errc::ok;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
