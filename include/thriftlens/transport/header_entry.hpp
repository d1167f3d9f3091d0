// header_entry: one key and its value among the headers of a message.
#pragma once

#include <cstdint>
#include <string_view>

#include <thriftlens/core/config.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

/// THeader has text entries and persistent text entries; TTHeader has text, numbered and one token entry.
struct header_entry {
  enum class form : std::uint8_t {
    text,        ///< `key` and `value`
    persistent,  ///< THeader: like text, also for all later messages
    number,      ///< TTHeader: `number` and `value`
    token,       ///< TTHeader: `value` alone
  };

  std::string_view key = {};
  std::string_view value = {};
  std::uint16_t number = 0;
  form kind = form::text;

  friend bool operator==(const header_entry&, const header_entry&) noexcept = default;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
