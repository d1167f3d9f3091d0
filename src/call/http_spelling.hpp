// http_spelling: the words of the options that HTTP plans have. Never included by others than bind_http:
// the rest of the module does not know plans.
#pragma once

#include "call/spelling.hpp"

#include <thriftlens/http/options.hpp>

namespace thriftlens::python {

template <>
inline constexpr auto words_of<http_switch> =
    words<http_switch>({{http_switch::off, "off"}, {http_switch::on, "on"}});
template <>
inline constexpr auto words_of<http_absent> =
    words<http_absent>({{http_absent::as_declared, "as_declared"}, {http_absent::write, "write"}});
template <>
inline constexpr auto words_of<http_binary> =
    words<http_binary>({{http_binary::base64, "base64"}, {http_binary::raw, "raw"}});
template <>
inline constexpr auto words_of<http_base> =
    words<http_base>({{http_base::off, "off"}, {http_base::context, "context"}, {http_base::merge, "merge"}});
template <>
inline constexpr auto words_of<http_body> =
    words<http_body>({{http_body::any, "any"}, {http_body::stated, "stated"}});
template <>
inline constexpr auto words_of<http_url_syntax> =
    words<http_url_syntax>({{http_url_syntax::standard, "standard"}, {http_url_syntax::go, "go"}});
template <>
inline constexpr auto words_of<http_unplaced> = words<http_unplaced>(
    {{http_unplaced::body, "body"}, {http_unplaced::error, "error"}, {http_unplaced::drop, "drop"}});
template <>
inline constexpr auto words_of<http_text> =
    words<http_text>({{http_text::json, "json"}, {http_text::kitex, "kitex"}});

}  // namespace thriftlens::python
