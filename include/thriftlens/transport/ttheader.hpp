// ttheader: the header of Kitex's TTHeader: protocol and key/values, sizes of two bytes.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/fault.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/transport/frame_head.hpp>

#include <span>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

enum class ttheader_info : std::uint8_t { padding = 0, texts = 0x01, numbers = 0x10, token = 0x11 };

/// Kitex's key for the token, which has none on the wire.
inline constexpr std::string_view ttheader_token_key = "RPC_TRANSIT_gdpr-token";

/// One pass over the sizes and texts of a header.
class ttheader_reader {
 public:
  explicit ttheader_reader(byte_view bytes) noexcept
      : begin_(bytes.begin()), at_(begin_), end_(bytes.end()) {}

  /// Parses the header. An entry group of an unknown type is malformed, as in Kitex.
  struct fault read(frame_head& head) {
    std::uint8_t protocol = 0, count = 0;
    if (!number(protocol) || !number(count)) return fault_;
    head.protocol = protocol;
    for (; count != 0; --count) {
      std::uint8_t transform = 0;
      if (!number(transform)) return fault_;
      head.transforms.push_back(transform);
    }
    while (at_ != end_ && group(head)) {
    }
    return fault_;
  }

 private:
  bool group(frame_head& head) {
    std::uint8_t id = 0;
    const byte_ptr start = at_;
    if (!number(id)) return false;
    const auto info = static_cast<ttheader_info>(id);
    if (info == ttheader_info::padding) return true;
    if (info == ttheader_info::token) {
      header_entry entry{.key = ttheader_token_key, .kind = header_entry::form::token};
      if (!text(entry.value)) return false;
      head.entries.push_back(entry);
      return true;
    }
    if (info == ttheader_info::texts || info == ttheader_info::numbers) return entries(info, head);
    at_ = start;
    return reject();
  }
  bool entries(ttheader_info info, frame_head& head) {
    std::uint16_t count = 0;
    if (!number(count)) return false;
    for (; count != 0; --count) {
      header_entry entry;
      if (info == ttheader_info::numbers) entry.kind = header_entry::form::number;
      const bool has_key = info == ttheader_info::texts ? text(entry.key) : number(entry.number);
      if (!has_key || !text(entry.value)) return false;
      head.entries.push_back(entry);
    }
    return true;
  }
  template <class Number>
  bool number(Number& value) noexcept {
    if (static_cast<std::size_t>(end_ - at_) < sizeof(Number)) return reject();
    value = load_be<Number>(at_);
    at_ += sizeof(Number);
    return true;
  }
  bool text(std::string_view& value) noexcept {
    std::uint16_t size = 0;
    const byte_ptr start = at_;
    if (!number(size)) return false;
    if (size > end_ - at_) {
      at_ = start;
      return reject();
    }
    value = byte_view(at_, size).text();
    at_ += size;
    return true;
  }
  bool reject() noexcept {
    fault_ = {errc::bad_frame, 0, static_cast<std::size_t>(at_ - begin_)};
    return false;
  }

  byte_ptr begin_;
  byte_ptr at_;
  byte_ptr end_;
  struct fault fault_;
};

inline void append_ttheader_size(std::size_t size, buffer& out) {
  std::uint8_t* const to = out.prepare(2);
  store_be(to, static_cast<std::uint16_t>(size));
  out.commit(to + 2);
}
inline void append_ttheader_text(std::string_view text, buffer& out) {
  append_ttheader_size(text.size(), out);
  out.append(byte_view(text));
}
inline void append_ttheader_group(ttheader_info which, std::span<const header_entry> entries, buffer& out) {
  const auto belongs = [&](const header_entry& entry) {
    const bool is_number = entry.kind == header_entry::form::number;
    return entry.kind != header_entry::form::token && is_number == (which == ttheader_info::numbers);
  };
  std::size_t count = 0;
  for (const header_entry& entry : entries) count += belongs(entry) ? 1u : 0u;
  if (count == 0) return;
  out.push_back(static_cast<std::uint8_t>(which));
  append_ttheader_size(count, out);
  for (const header_entry& entry : entries) {
    if (!belongs(entry)) continue;
    if (which == ttheader_info::numbers)
      append_ttheader_size(entry.number, out);
    else
      append_ttheader_text(entry.key, out);
    append_ttheader_text(entry.value, out);
  }
}

/// Appends a header, not padded yet. Error: size_limit where a text or the number of entries does not fit.
[[nodiscard]] inline result<void> try_append_ttheader(const frame_head& head,
                                                      std::span<const header_entry> entries, buffer& out) {
  constexpr std::size_t max_size = 0xffff;
  bool fits = entries.size() <= max_size;
  for (const header_entry& entry : entries)
    fits &= entry.key.size() <= max_size && entry.value.size() <= max_size;
  if (!fits) return error(errc::size_limit, "a header exceeds TTHeader's limit of 65535 bytes");
  out.push_back(static_cast<std::uint8_t>(head.protocol));
  out.push_back(0);  // transforms: Kitex knows none
  for (const header_entry& entry : entries) {
    if (entry.kind != header_entry::form::token) continue;
    out.push_back(static_cast<std::uint8_t>(ttheader_info::token));
    append_ttheader_text(entry.value, out);
  }
  append_ttheader_group(ttheader_info::texts, entries, out);
  append_ttheader_group(ttheader_info::numbers, entries, out);
  return {};
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
