// theader: the header of Apache's THeader: protocol, transforms and key/values, sizes as varints.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/fault.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/core/varint.hpp>
#include <thriftlens/transport/frame_head.hpp>

#include <span>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

enum class theader_info : std::uint32_t { padding = 0, texts = 1, persistent_texts = 2 };

/// One pass over the varints and texts of a header.
class theader_reader {
 public:
  explicit theader_reader(byte_view bytes) noexcept : begin_(bytes.begin()), at_(begin_), end_(bytes.end()) {}

  /// Parses the header. An entry group of an unknown type ends it, as in Apache's: its size is unknown.
  struct fault read(frame_head& head) {
    std::uint32_t count = 0;
    if (!number(head.protocol) || !number(count)) return fault_;
    for (; count != 0; --count) {
      std::uint32_t transform = 0;
      if (!number(transform)) return fault_;
      head.transforms.push_back(transform);
    }
    while (at_ != end_ && group(head)) {
    }
    return fault_;
  }

 private:
  // False if the rest is padding, unknown or malformed.
  bool group(frame_head& head) {
    std::uint32_t id = 0, count = 0;
    if (!number(id)) return false;
    const auto info = static_cast<theader_info>(id);
    if (info != theader_info::texts && info != theader_info::persistent_texts) return false;
    header_entry entry{.kind = info == theader_info::texts ? header_entry::form::text
                                                           : header_entry::form::persistent};
    if (!number(count)) return false;
    for (; count != 0; --count) {
      if (!text(entry.key) || !text(entry.value)) return false;
      head.entries.push_back(entry);
    }
    return true;
  }
  bool number(std::uint32_t& value) noexcept {
    const byte_ptr next = get_varint(at_, end_, value);
    if (next == nullptr) return reject();
    at_ = next;
    return true;
  }
  bool text(std::string_view& value) noexcept {
    std::uint32_t size = 0;
    const byte_ptr start = at_;
    if (!number(size)) return false;
    if (size > static_cast<std::size_t>(end_ - at_)) {
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

inline void append_theader_number(std::uint32_t value, buffer& out) {
  out.commit(put_varint(out.prepare(5), value));
}
inline void append_theader_text(std::string_view text, buffer& out) {
  append_theader_number(static_cast<std::uint32_t>(text.size()), out);
  out.append(byte_view(text));
}
inline void append_theader_group(theader_info which, std::span<const header_entry> entries, buffer& out) {
  const bool is_persistent = which == theader_info::persistent_texts;
  const auto belongs = [&](const header_entry& entry) {
    return (entry.kind == header_entry::form::persistent) == is_persistent;
  };
  std::uint32_t count = 0;
  for (const header_entry& entry : entries) count += belongs(entry) ? 1u : 0u;
  if (count == 0) return;
  append_theader_number(static_cast<std::uint32_t>(which), out);
  append_theader_number(count, out);
  for (const header_entry& entry : entries) {
    if (!belongs(entry)) continue;
    append_theader_text(entry.key, out);
    append_theader_text(entry.value, out);
  }
}

/// Appends a header, not padded yet. Error: bad_option for an entry that has a number instead of a key.
[[nodiscard]] inline result<void> try_append_theader(const frame_head& head,
                                                     std::span<const header_entry> entries, buffer& out) {
  for (const header_entry& entry : entries) {
    if (entry.kind == header_entry::form::number)
      return error(errc::bad_option, "THeader has no headers with numbers for keys");
  }
  append_theader_number(head.protocol, out);
  append_theader_number(static_cast<std::uint32_t>(head.transforms.size()), out);
  for (const std::uint32_t transform : head.transforms) append_theader_number(transform, out);
  append_theader_group(theader_info::texts, entries, out);
  append_theader_group(theader_info::persistent_texts, entries, out);
  return {};
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
