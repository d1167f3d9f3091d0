// diagnostic: bodies of diagnostic.hpp.
#pragma once

#include <thriftlens/core/diagnostic.hpp>

#include <thriftlens/core/quote.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

THRIFTLENS_COLD THRIFTLENS_BODY std::string diagnostic::to_string() const {
  std::string text;
  detail::append_escaped(text, file, 0);
  detail::append_decimal(text += ':', line);
  detail::append_decimal(text += ':', column);
  text += severity == level::error ? ": error: " : ": warning: ";
  detail::append_escaped(text, message, 0);
  text.append(" [").append(kind).append("]\n  ");
  detail::append_escaped(text, source, 0, true);
  std::string prefix;
  detail::append_escaped(prefix, std::string_view(source).substr(0, caret), 0, true);
  text += "\n  ";
  for (const char c : prefix) {
    // A column per character, not per byte of UTF-8.
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) text += c == '\t' ? '\t' : ' ';
  }
  text += '^';
  return text;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
