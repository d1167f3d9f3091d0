// write_state: state of an encoder, with the failure.
#pragma once

#include <thriftlens/codec/flat.hpp>
#include <thriftlens/codec/options.hpp>
#include <thriftlens/codec/shape.hpp>
#include <thriftlens/codec/sink.hpp>
#include <thriftlens/core/error.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/protocol/key_step.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// Functions that fail return nullptr, for use in return statements.
template <protocol Protocol, class Sink, bool Dynamic>
class write_state {
 public:
  using protocol_type = Protocol;
  static constexpr bool dynamic = Dynamic;
  static constexpr bool links = Sink::links;

  /// Takes the arguments of the sink.
  template <class... To>
  THRIFTLENS_INLINE explicit write_state(To&&... to) noexcept : sink(std::forward<To>(to)...) {}

  Sink sink;
  const shape* at = nullptr;

  /// A position with space for `count` bytes after those written up to `to`.
  [[nodiscard]] THRIFTLENS_INLINE write_cursor reserve(write_cursor to, std::size_t count) {
    to = sink.reserve(to, count);
    if (to == nullptr) [[unlikely]]
      return reject(sink.code());
    return to;
  }
  THRIFTLENS_COLD write_cursor reject(errc reason) noexcept {
    code_ = thriftlens::detail::failure_code(reason);
    return nullptr;
  }
  THRIFTLENS_COLD write_cursor in_field(std::string_view name, std::int16_t id) {
    path().field(name, id);
    return nullptr;
  }
  THRIFTLENS_COLD write_cursor in_element(std::size_t index) {
    path().index(index);
    return nullptr;
  }
  THRIFTLENS_COLD write_cursor in_key(std::size_t index) {
    path().key_at(index);
    return nullptr;
  }
  /// Adds the path step of a value of a map.
  template <class Key>
  THRIFTLENS_COLD write_cursor in_entry(const Key& key, const shape* key_shape) {
    buffer bytes;
    write_state<Protocol, buffer_sink, Dynamic> keys(bytes, max_wire_size);
    keys.at = key_shape;
    // The key was already written within the limits of the caller.
    const write_cursor end = write_value(keys, keys.sink.start(), key, limits::max_depth);
    if (end != nullptr && keys.sink.finish(end)) add_key_step<Protocol>(path(), bytes, wire_type<Key>());
    return nullptr;
  }
  [[nodiscard]] THRIFTLENS_COLD error to_error() const {
    return error(code_, {}, error::no_offset, path_ == nullptr ? std::string("$") : path_->text());
  }

 private:
  path_builder& path() {
    if (path_ == nullptr) path_ = std::make_unique<path_builder>(path_builder::order::innermost_first);
    return *path_;
  }
  errc code_ = errc::ok;
  std::unique_ptr<path_builder> path_;
};

/// Writes one value at `to` and returns its end, or nullptr. `depth` includes this value if it is a struct or
/// container.
template <class State, class T>
write_cursor write_value(State& state, write_cursor to, const T& value, std::uint32_t depth);

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
