// header: wire headers of fields, lists, sets and maps; protocol ids.
#pragma once

#include <thriftlens/core/uuid.hpp>
#include <thriftlens/protocol/ttype.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

enum class protocol_id : std::uint8_t { binary, compact };
namespace detail {

/// Number of protocols of the library; their ids are below it.
inline constexpr std::size_t protocol_count = 2;
/// Whether that is a protocol of the library; only these can be chosen at run time.
[[nodiscard]] constexpr bool is_listed(protocol_id id) noexcept {
  return static_cast<std::size_t>(id) < protocol_count;
}

}  // namespace detail

/// Protocol of values and documents if none is given.
inline constexpr protocol_id default_protocol = protocol_id::binary;

/// "binary" or "compact".
[[nodiscard]] constexpr std::string_view to_string(protocol_id id) noexcept {
  return id == protocol_id::binary ? "binary" : "compact";
}
template <>
inline constexpr bool detail::is_printed<protocol_id> = true;
namespace detail {

/// The protocol with that name on the command line and in Python.
[[nodiscard]] constexpr std::optional<protocol_id> find_protocol(std::string_view name) noexcept {
  if (name == "binary") return protocol_id::binary;
  if (name == "compact") return protocol_id::compact;
  return std::nullopt;
}

}  // namespace detail

/// Header of a field. `type` is ttype::stop at the end of a struct; `id` is then unspecified.
struct field_header {
  ttype type = ttype::stop;
  std::int16_t id = 0;

  friend constexpr bool operator==(const field_header&, const field_header&) noexcept = default;
};

/// A decoded field header. `inline_bool` is a bool's value if the protocol has it in the header, else -1.
struct wire_field {
  field_header header;
  std::int8_t inline_bool = -1;
};

/// Header of a list or set. An empty one may have any element type on the wire; undefined types become stop.
struct list_header {
  ttype element = ttype::stop;
  std::uint32_t size = 0;

  friend constexpr bool operator==(const list_header&, const list_header&) noexcept = default;
};

/// Header of a map. An empty one has no types in Compact and any in Binary; undefined types become stop.
struct map_header {
  ttype key = ttype::stop;
  ttype value = ttype::stop;
  std::uint32_t size = 0;

  friend constexpr bool operator==(const map_header&, const map_header&) noexcept = default;
};

/// State between begin_struct() and end_struct(): the enclosing struct's last field id (for Compact's
/// deltas).
struct struct_mark {
  std::int16_t last_id = 0;
};

/// Start of a container whose size is written later, and the types in its header. Valid until the buffer is
/// truncated below it.
struct container_mark {
  std::size_t at = 0;
  ttype first = ttype::stop;
  ttype second = ttype::stop;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
