// write_state: what an encoder carries from value to value, and what it remembers of a failure.
// In: a sink, options. Out: room to write; code and path of the first fault.
// Never allocates before something is wrong, but in the sink.
#pragma once

#include <thriftlens/codec/flat.hpp>
#include <thriftlens/codec/options.hpp>
#include <thriftlens/codec/shape.hpp>
#include <thriftlens/codec/sink.hpp>
#include <thriftlens/codec/trail.hpp>
#include <thriftlens/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

/// Functions that fail answer nullptr, so that callers can end with them.
template <protocol Protocol, class Sink, bool Dynamic>
class write_state {
 public:
  using protocol_type = Protocol;
  static constexpr bool dynamic = Dynamic;
  static constexpr bool is_binary = Protocol::id == protocol_id::binary;

  /// Arguments are those of the sink.
  template <class... To>
  THRIFTLENS_INLINE explicit write_state(To&&... to) noexcept : sink(std::forward<To>(to)...) {}

  Sink sink;
  const shape* at = nullptr;

  /// A place with room for `count` bytes behind what was written up to `to`.
  [[nodiscard]] THRIFTLENS_INLINE std::uint8_t* room(std::uint8_t* to, std::size_t count) {
    to = sink.room(to, count);
    if (to == nullptr) [[unlikely]]
      return fail(sink.code());
    return to;
  }
  THRIFTLENS_COLD std::uint8_t* fail(errc reason) noexcept {
    code_ = thriftlens::detail::failure_code(reason);
    return nullptr;
  }
  THRIFTLENS_COLD std::uint8_t* in_field(std::string_view name, std::int16_t id) {
    return way().field(name, id), nullptr;
  }
  THRIFTLENS_COLD std::uint8_t* in_element(std::size_t index) { return way().index(index), nullptr; }
  template <class Key>
  THRIFTLENS_COLD std::uint8_t* in_entry(const Key& key, std::size_t index) {
    return way().entry(key, index), nullptr;
  }
  [[nodiscard]] THRIFTLENS_COLD error to_error() const {
    return error(code_, {}, error::no_offset, path_ == nullptr ? std::string("$") : path_->path());
  }

 private:
  trail& way() {
    if (path_ == nullptr) path_ = std::make_unique<trail>();
    return *path_;
  }
  errc code_ = errc::ok;
  std::unique_ptr<trail> path_;
};

/// Writes one value at `to`: the place behind it, or nullptr. `depth` counts this value where it is a struct
/// or container.
template <class State, class T>
std::uint8_t* write_value(State& state, std::uint8_t* to, const T& value, std::uint32_t depth);

/// Writes a string where there is room for it.
template <class State, class T>
THRIFTLENS_INLINE std::uint8_t* put_text(State& state, std::uint8_t* to, const T& value) {
  const byte_view bytes = text_bytes(value);
  to = State::protocol_type::put_size(to, static_cast<std::uint32_t>(bytes.size()));
  if constexpr (requires { state.sink.link(to, bytes); }) {
    if (bytes.size() >= gather_list::worth_linking) return state.sink.link(to, bytes), to;
  }
  copy_bytes(to, bytes.data(), bytes.size());
  return to + bytes.size();
}

/// Writes a flat value where there is room for it.
template <class State, class T>
THRIFTLENS_INLINE std::uint8_t* put_flat(State& state, std::uint8_t* to, const T& value);

/// Writes header and value of a flat field; an empty one is left out.
template <class State, ttype Wire, class T>
THRIFTLENS_INLINE std::uint8_t* put_flat_field(State& state, std::uint8_t* to, std::int16_t id,
                                               std::int16_t& last_id, const T& value) {
  using P = typename State::protocol_type;
  if constexpr (kind_of<T> == value_kind::nullable) {
    if (is_missing(value)) return to;
    return put_flat_field<State, Wire>(state, to, id, last_id, *value);
  } else if constexpr (Wire == ttype::bool_) {
    bool truth = false;
    if constexpr (kind_of<T> == value_kind::adapted)
      truth = adapter<T>::to_wire(value);
    else
      truth = value;
    return P::put_bool_field(to, id, truth, last_id);
  } else {
    if constexpr (State::is_binary) {
      // Four bytes in one store; the value overwrites the last.
      store_le(to, binary_header(Wire, id));
      to += 3;
    } else {
      to = P::put_field(to, Wire, id, last_id);
    }
    return put_flat(state, to, value);
  }
}

template <class State, class T>
THRIFTLENS_INLINE std::uint8_t* put_flat(State& state, std::uint8_t* to, const T& value) {
  using P = typename State::protocol_type;
  constexpr value_kind kind = kind_of<T>;
  if constexpr (kind == value_kind::boolean)
    return P::put_bool(to, value);
  else if constexpr (kind == value_kind::number) {
    const auto number = static_cast<wire_number<T>>(value);
    if constexpr (std::is_same_v<T, double>)
      return P::put_double(to, number);
    else if constexpr (sizeof(T) == 1)
      return P::put_i8(to, number);
    else if constexpr (sizeof(T) == 2)
      return P::put_i16(to, number);
    else if constexpr (sizeof(T) == 4)
      return P::put_i32(to, number);
    else
      return P::put_i64(to, number);
  } else if constexpr (kind == value_kind::enumeration)
    return P::put_i32(to, static_cast<std::int32_t>(value));
  else if constexpr (kind == value_kind::text)
    return put_text(state, to, value);
  else if constexpr (kind == value_kind::uuid) {
    std::memcpy(to, value.data(), value.size());
    return to + value.size();
  } else if constexpr (kind == value_kind::adapted)
    return put_flat(state, to, static_cast<adapted_wire<T>>(adapter<T>::to_wire(value)));
  else {
    std::int16_t last_id = 0;
    for_each_member<T>(
        [&]<std::size_t Index>(std::integral_constant<std::size_t, Index>) THRIFTLENS_INLINE_LAMBDA {
          to = put_flat_field<State, member_wire<T, Index>>(state, to, members<T>::template id<Index>,
                                                            last_id, members<T>::template get<Index>(value));
          return true;
        });
    return P::put_stop(to);
  }
}

/// Fails with the way to the first number of a flat value that its wire type does not carry.
template <class State, class T>
THRIFTLENS_COLD std::uint8_t* refuse_number(State& state, const T& value) {
  if constexpr (is_unsigned_number<T>)
    return state.fail(errc::value_range);
  else if constexpr (kind_of<T> == value_kind::nullable)
    return refuse_number(state, *value);
  else if constexpr (kind_of<T> == value_kind::structure) {
    for_each_member<T>([&]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
      const auto& member = members<T>::template get<Index>(value);
      if (numbers_fit(member)) return true;
      refuse_number(state, member);
      state.in_field(members<T>::template name<Index>(), members<T>::template id<Index>);
      return false;
    });
  }
  return nullptr;
}

/// Room for a flat value, then its bytes.
template <class State, class T>
THRIFTLENS_INLINE std::uint8_t* write_flat(State& state, std::uint8_t* to, const T& value,
                                           std::uint32_t depth) {
  using P = typename State::protocol_type;
  if (depth < flat_depth<T>()) [[unlikely]]
    return state.fail(errc::depth_limit);
  const std::size_t texts = flat_text<requires { state.sink.link(to, byte_view()); }>(value);
  if (texts > 0x7fffffffu && !texts_fit(value)) [[unlikely]]
    return state.fail(errc::size_limit);
  if (!numbers_fit(value)) [[unlikely]]
    return refuse_number(state, value);
  to = state.room(to, flat_base<P, T>() + texts);
  if (to == nullptr) [[unlikely]]
    return nullptr;
  return put_flat(state, to, value);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
