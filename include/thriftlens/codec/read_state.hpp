// read_state: state of a decoder, with the failure.
#pragma once

#include <thriftlens/codec/options.hpp>
#include <thriftlens/codec/shape.hpp>
#include <thriftlens/core/error.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/protocol/key_step.hpp>
#include <thriftlens/schema/tracer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// The part without template parameters. Functions that fail return nullptr, for use in return statements.
class read_faults {
 public:
  read_faults(byte_view bytes, const decode_options& requested) noexcept
      : end(bytes.end()),
        string_size(requested.limits.string_size),
        container_size(requested.limits.container_size),
        options(&requested),
        objects_left_(requested.limits.max_objects(bytes.size())) {}

  read_cursor end;
  std::uint32_t string_size;
  std::uint32_t container_size;
  const decode_options* options;
  errc code = errc::ok;

  [[nodiscard]] THRIFTLENS_INLINE std::size_t remaining(read_cursor from) const noexcept {
    return static_cast<std::size_t>(end - from);
  }
  /// Counts `count` objects of `size` bytes before their construction. False above the limit.
  [[nodiscard]] THRIFTLENS_INLINE bool spend(std::size_t count, std::size_t size) noexcept {
    const std::uint64_t cost = std::uint64_t{count} * size;
    if (cost > objects_left_) return false;
    objects_left_ -= cost;
    return true;
  }

  /// Records the code, or the one already in `code`, with its offset.
  THRIFTLENS_COLD read_cursor reject(errc reason, read_cursor at) noexcept {
    code = thriftlens::detail::failure_code(reason);
    where_ = at;
    return nullptr;
  }
  THRIFTLENS_COLD read_cursor fail_at(read_cursor at) noexcept { return reject(code, at); }
  THRIFTLENS_COLD read_cursor mismatch(ttype expected, ttype actual, read_cursor at) {
    note().detail = joined({"expected ", to_string(expected), ", found ", to_string(actual)});
    return reject(errc::type_mismatch, at);
  }
  THRIFTLENS_COLD read_cursor in_field(std::string_view name, std::int16_t id) {
    note().path.field(name, id);
    return nullptr;
  }
  THRIFTLENS_COLD read_cursor in_element(std::size_t index) {
    note().path.index(index);
    return nullptr;
  }
  /// The element of a set equals an earlier one.
  THRIFTLENS_COLD read_cursor repeats_element(std::size_t index) {
    note().detail = duplicate_element_text;
    return in_element(index);
  }
  THRIFTLENS_COLD read_cursor in_key(std::size_t index) {
    note().path.key_at(index);
    return nullptr;
  }

  /// The complete error; offsets count from `begin`.
  [[nodiscard]] THRIFTLENS_COLD error to_error(read_cursor begin) const {
    const auto offset = static_cast<std::size_t>(where_ - begin);
    return notes_ == nullptr ? error(code, {}, offset, "$")
                             : error(code, notes_->detail, offset, notes_->path.text());
  }

 protected:
  struct notes {
    std::string detail;
    path_builder path = path_builder(path_builder::order::innermost_first);
  };
  notes& note() {
    if (notes_ == nullptr) notes_ = std::make_unique<notes>();
    return *notes_;
  }

 private:
  std::uint64_t objects_left_;
  read_cursor where_ = nullptr;
  std::unique_ptr<notes> notes_;
};

/// Reuse: the object has values whose memory is reused; else it is default-constructed. Dynamic: ids are
/// those of `at`, the shape of the next value, instead of bindings.
template <protocol Protocol, bool Reuse, bool Dynamic>
class read_state : public read_faults {
 public:
  using protocol_type = Protocol;
  static constexpr bool reuse = Reuse;
  static constexpr bool dynamic = Dynamic;

  using read_faults::read_faults;

  const shape* at = nullptr;

  /// Adds the path step of a value of a map by the bytes of its key.
  THRIFTLENS_COLD read_cursor in_entry(byte_view key, ttype wire) {
    add_key_step<Protocol>(note().path, key, wire);
    return nullptr;
  }

  /// Skips a value; returns its end.
  [[nodiscard]] read_cursor skip(read_cursor from, ttype type, std::int8_t inline_bool, std::uint32_t depth) {
    if (inline_bool >= 0) return from;
    typename Protocol::skipper skipper(end);
    read_cursor next = skipper.skip(from, type, depth);
    return next != nullptr ? next : fail_inside(from, type, skipper.code, skipper.at);
  }

 private:
  /// Fails at a byte of the skipped value at `from`.
  THRIFTLENS_COLD read_cursor fail_inside(read_cursor from, ttype type, errc reason, read_cursor where) {
    thriftlens::detail::tracer<Protocol> trace(byte_view(from, remaining(from)), nullptr, options->limits);
    trace.to_offset(type, image::none, static_cast<std::size_t>(where - from), nullptr);
    note().path.steps_of(trace.path);
    return reject(reason, where);
  }
};

/// Reads one value of type T at `from` into `to` and returns its end, or nullptr. `depth` includes this value
/// if it is a struct or container.
template <class State, class T>
read_cursor read_value(State& state, read_cursor from, T& to, std::uint32_t depth);

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
