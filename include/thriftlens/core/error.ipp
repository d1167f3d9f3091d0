// error: bodies of error.hpp.
#pragma once

#include <thriftlens/core/error.hpp>

#include <thriftlens/core/quote.hpp>

#include <cstdio>
#include <cstdlib>

namespace thriftlens::inline THRIFTLENS_ABI {

THRIFTLENS_COLD THRIFTLENS_BODY void error::contents::compose() {
  text.clear();
  if (record != no_record) {
    detail::append_decimal(text += "record ", record);
    text += ": ";
  }
  message_begin = text.size();
  text += detail.empty() ? detail::sentence(code) : std::string_view(detail);
  if (!path.empty()) text.append(" at ").append(path);
  append_offset();
  message_size = text.size() - message_begin;
  if (!hint.empty()) text.append("; ").append(hint);
}
THRIFTLENS_COLD THRIFTLENS_BODY void error::contents::append_offset() {
  if (offset == no_offset) return;
  detail::append_decimal(text += " (byte ", offset);
  // Offsets refer to data by default; lines refer to text.
  if (line != 0) {
    detail::append_decimal(text += ", line ", line);
    detail::append_decimal(text += " column ", column);
  } else if (source != error_source::data) {
    text.append(" of the ").append(to_string(source));
  }
  text += ')';
}
THRIFTLENS_COLD THRIFTLENS_BODY void error::contents::list_findings() {
  text.clear();
  for (const diagnostic& finding : findings) {
    if (!text.empty()) text += '\n';
    text += finding.to_string();
  }
  message_size = text.size();
}

THRIFTLENS_COLD THRIFTLENS_BODY error::error(contents&& of) {
  if (of.findings.empty())
    of.compose();
  else
    of.list_findings();
  contents_ = std::make_shared<const contents>(std::move(of));
}
THRIFTLENS_COLD THRIFTLENS_BODY error::error(errc code, std::string detail, std::size_t offset,
                                             std::string path)
    : error(contents{.code = code, .offset = offset, .path = std::move(path), .detail = std::move(detail)}) {}
THRIFTLENS_COLD THRIFTLENS_BODY error::error(std::vector<diagnostic> findings)
    : error(contents{.code = errc::schema_invalid, .findings = std::move(findings)}) {}

THRIFTLENS_BODY const error::contents& error::no_contents() noexcept {
  static const contents none;
  return none;
}
THRIFTLENS_COLD THRIFTLENS_BODY error error::with(call_progress progress) const {
  contents changed = get();
  changed.progress = progress;
  return error(std::move(changed));
}
THRIFTLENS_COLD THRIFTLENS_BODY error error::at(std::string path) const {
  contents changed = get();
  changed.path = std::move(path);
  return error(std::move(changed));
}
THRIFTLENS_COLD THRIFTLENS_BODY error error::in(error_source source) && {
  contents changed = get();
  changed.source = source;
  return error(std::move(changed));
}
THRIFTLENS_COLD THRIFTLENS_BODY error error::with_option(const char* option) const {
  contents changed = get();
  changed.option = option;
  return error(std::move(changed));
}
THRIFTLENS_COLD THRIFTLENS_BODY error error::with_hint(std::string hint) const {
  contents changed = get();
  changed.hint = std::move(hint);
  return error(std::move(changed));
}
THRIFTLENS_COLD THRIFTLENS_BODY error error::in_record(std::uint64_t number) const {
  contents changed = get();
  changed.record = number;
  return error(std::move(changed));
}
THRIFTLENS_COLD THRIFTLENS_BODY void error::locate(std::size_t line, std::size_t column) {
  contents changed = get();
  changed.line = line;
  changed.column = column;
  changed.source = error_source::json;
  *this = error(std::move(changed));
}

THRIFTLENS_COLD THRIFTLENS_BODY void detail::require_code(error& reason) {
  if (reason.code() == errc::ok)
    reason = error(error::contents{.code = failure_code(errc::ok),
                                   .source = reason.source(),
                                   .offset = reason.offset(),
                                   .path = std::string(reason.path())});
}
[[noreturn]] THRIFTLENS_COLD THRIFTLENS_BODY void detail::raise(error&& reason) {
  require_code(reason);
#if THRIFTLENS_EXCEPTIONS
  throw std::move(reason);
#else
  std::fprintf(stderr, "thriftlens: %s\n", reason.what());
  std::abort();
#endif
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
