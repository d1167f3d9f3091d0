// read_state: what a decoder carries from value to value, and what it remembers of a failure.
// In: bytes, options. Out: bounds for the loops; code, place and path of the first fault.
// Never allocates before something is wrong.
#pragma once

#include <thriftlens/codec/options.hpp>
#include <thriftlens/codec/shape.hpp>
#include <thriftlens/codec/trail.hpp>
#include <thriftlens/codec/wire.hpp>
#include <thriftlens/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

/// The part that no template parameter changes. Functions that fail answer nullptr, so that callers can end
/// with them.
class read_faults {
 public:
  read_faults(byte_view bytes, const decode_options& wishes) noexcept
      : end(bytes.end()),
        string_size(wishes.limits.string_size),
        container_size(wishes.limits.container_size),
        options(&wishes) {}

  const std::uint8_t* end;
  std::uint32_t string_size;
  std::uint32_t container_size;
  const decode_options* options;
  errc code = errc::ok;

  /// Records the code, or the one already in `code`, with its place.
  THRIFTLENS_COLD const std::uint8_t* fail(errc reason, const std::uint8_t* at) noexcept {
    code = thriftlens::detail::failure_code(reason);
    where = at;
    return nullptr;
  }
  THRIFTLENS_COLD const std::uint8_t* fail_at(const std::uint8_t* at) noexcept { return fail(code, at); }
  THRIFTLENS_COLD const std::uint8_t* mismatch(ttype wanted, ttype found, const std::uint8_t* at) {
    note().detail = "expected " + std::string(to_string(wanted)) + ", found " + std::string(to_string(found));
    return fail(errc::type_mismatch, at);
  }
  THRIFTLENS_COLD const std::uint8_t* in_field(std::string_view name, std::int16_t id) {
    return note().path.field(name, id), nullptr;
  }
  THRIFTLENS_COLD const std::uint8_t* in_element(std::size_t index) {
    return note().path.index(index), nullptr;
  }
  template <class Key>
  THRIFTLENS_COLD const std::uint8_t* in_entry(const Key& key, std::size_t index) {
    return note().path.entry(key, index), nullptr;
  }

  /// The whole error; `begin` is where the offsets count from.
  [[nodiscard]] THRIFTLENS_COLD error to_error(const std::uint8_t* begin) const {
    const auto offset = static_cast<std::size_t>(where - begin);
    return notes_ == nullptr ? error(code, {}, offset, "$")
                             : error(code, notes_->detail, offset, notes_->path.path());
  }

 private:
  struct notes {
    std::string detail;
    trail path;
  };
  notes& note() {
    if (notes_ == nullptr) notes_ = std::make_unique<notes>();
    return *notes_;
  }

  const std::uint8_t* where = nullptr;
  std::unique_ptr<notes> notes_;
};

/// Reuse: what the object holds is decoded into where that saves memory; else the object is as its
/// constructor left it. Dynamic: ids come from `at`, the shape of the value read next, and not from bindings.
template <protocol Protocol, bool Reuse, bool Dynamic>
class read_state : public read_faults {
 public:
  using protocol_type = Protocol;
  using source = wire<Protocol>;
  static constexpr bool reuse = Reuse;
  static constexpr bool dynamic = Dynamic;
  static constexpr bool is_binary = Protocol::id == protocol_id::binary;

  using read_faults::read_faults;

  const shape* at = nullptr;

  /// Behind a value that nobody wants.
  [[nodiscard]] const std::uint8_t* skip(const std::uint8_t* from, ttype type, std::int8_t inline_bool,
                                         std::uint32_t depth) noexcept {
    if (inline_bool >= 0) return from;
    typename source::skipper skipper(end);
    const std::uint8_t* behind = skipper.skip(from, type, depth);
    return behind != nullptr ? behind : fail(skipper.code, skipper.at);
  }
};

/// Reads one value of type T at `from` into `to`: the place behind it, or nullptr. `depth` counts this value
/// where it is a struct or container.
template <class State, class T>
const std::uint8_t* read_value(State& state, const std::uint8_t* from, T& to, std::uint32_t depth);

/// Points a dynamic state at a part of the present shape for as long as it lives; nothing for other states.
template <class State>
class shape_scope {
 public:
  THRIFTLENS_INLINE shape_scope(State& state, const shape* part) noexcept : state_(state), outer_(state.at) {
    state.at = part;
  }
  THRIFTLENS_INLINE ~shape_scope() { state_.at = outer_; }
  shape_scope(const shape_scope&) = delete;
  shape_scope& operator=(const shape_scope&) = delete;

 private:
  State& state_;
  const shape* outer_;
};
template <class State>
  requires(!State::dynamic)
class shape_scope<State> {
 public:
  THRIFTLENS_INLINE shape_scope(State&, const shape*) noexcept {}
};

/// The shape of elements or keys, of mapped values; null for states without shapes.
template <class State>
[[nodiscard]] THRIFTLENS_INLINE const shape* first_part(const State& state) noexcept {
  if constexpr (State::dynamic)
    return state.at->first;
  else
    return nullptr;
}
template <class State>
[[nodiscard]] THRIFTLENS_INLINE const shape* second_part(const State& state) noexcept {
  if constexpr (State::dynamic)
    return state.at->second;
  else
    return nullptr;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
