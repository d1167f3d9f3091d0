// http_spelling: spellings of the options of HTTP plans; for bind/http.cpp.
#pragma once

#include "call/spelling.hpp"

#include <thriftlens/http/options.hpp>

namespace thriftlens::python {

template <>
inline constexpr auto spellings<bool> = spell<bool>({{false, "off"}, {true, "on"}});
template <>
inline constexpr auto spellings<http_absent> =
    spell<http_absent>({{http_absent::as_declared, "as_declared"}, {http_absent::write, "write"}});
template <>
inline constexpr auto spellings<http_binary> =
    spell<http_binary>({{http_binary::base64, "base64"}, {http_binary::raw, "raw"}});
template <>
inline constexpr auto spellings<http_base> =
    spell<http_base>({{http_base::off, "off"}, {http_base::context, "context"}, {http_base::merge, "merge"}});
template <>
inline constexpr auto spellings<http_body> =
    spell<http_body>({{http_body::any, "any"}, {http_body::stated, "stated"}});
template <>
inline constexpr auto spellings<http_url_syntax> =
    spell<http_url_syntax>({{http_url_syntax::standard, "standard"}, {http_url_syntax::go, "go"}});
template <>
inline constexpr auto spellings<http_unplaced> = spell<http_unplaced>(
    {{http_unplaced::body, "body"}, {http_unplaced::error, "error"}, {http_unplaced::drop, "drop"}});
template <>
inline constexpr auto spellings<http_text> =
    spell<http_text>({{http_text::json, "json"}, {http_text::kitex, "kitex"}});

}  // namespace thriftlens::python
