// edit_values: the new values of a batch of edits, as consecutive wire bytes.
#pragma once

#include <thriftlens/core/rollback.hpp>
#include <thriftlens/rewrite/value_in.hpp>
#include <thriftlens/view/scan.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Buffer of fixed capacity with the interface that writers of numbers and texts use.
class small_buffer {
 public:
  explicit small_buffer(std::uint8_t* at) noexcept : at_(at) {}
  [[nodiscard]] std::uint8_t* prepare(std::size_t) const noexcept { return at_; }
  void commit(const std::uint8_t* end) noexcept { at_ += end - at_; }
  void append(byte_view bytes) noexcept {
    if (!bytes.empty()) std::memcpy(at_, bytes.data(), bytes.size());
    at_ += bytes.size();
  }
  [[nodiscard]] const std::uint8_t* at() const noexcept { return at_; }

 private:
  std::uint8_t* at_;
};

/// Values in the order they were added.
class edit_values {
 public:
  edit_values() noexcept {}  // NOLINT: small_ stays as it is

  /// Adds a value of type `to`; errors as append_value(), then nothing is added. `expected`: expected size of
  /// all values.
  template <protocol P, class T>
  [[nodiscard]] errc add(type to, const T& value, std::size_t expected = 0) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      if (has_capacity<P>(0)) return add_small<P>(to, value);
    } else if constexpr (text_like<T>) {
      const std::string_view text = value;
      if (has_capacity<P>(text.size())) return add_small<P>(to, text);
    } else if constexpr (std::same_as<T, byte_view>) {
      if (has_capacity<P>(value.size()) && to.wire() == ttype::string) return add_small<P>(to, value.text());
    } else if constexpr (is_view<T>) {
      if (add_view(to, value, expected)) return errc::ok;
    }
    return add_large<P>(to, value, expected);
  }
  /// Valid until the next add().
  [[nodiscard]] byte_view bytes() const noexcept {
    return large_ ? byte_view(large_->data(), large_->size()) : byte_view(small_, used_);
  }

 private:
  static constexpr std::size_t max_small = 120;

  [[nodiscard]] std::size_t remaining() const noexcept { return large_ ? 0 : max_small - used_; }
  /// For a number, or for a text of that size.
  template <protocol P>
  [[nodiscard]] bool has_capacity(std::size_t text) const noexcept {
    return remaining() >= P::max_number && remaining() - P::max_length_prefix >= text;
  }
  template <protocol P, class T>
  [[nodiscard]] errc add_large(type to, const T& value, std::size_t expected) {
    spill(expected);
    rollback guard(*large_);
    const errc code = append_value<P>(*large_, to, value);
    if (code == errc::ok) guard.keep();
    return code;
  }
  template <protocol P, class T>
  [[nodiscard]] errc add_small(type to, const T& value) {
    small_buffer out(small_ + used_);
    const errc code = append_value<P>(out, to, value);
    if (code == errc::ok) used_ = static_cast<std::size_t>(out.at() - small_);
    return code;
  }

  /// Copies a value of the same type. False: nothing is added.
  template <protocol P>
  [[nodiscard]] bool add_view(type to, const view<P>& value, std::size_t expected) {
    const wire_position& at = value.location().at;
    if (at.inline_bool >= 0 || !is_of(value, to)) return false;
    scanner<P> in(value.whole().end());
    const std::uint8_t* end = at.at;
    if (!in.skip_known(end, to.wire(), to.index(), *to.image(), at.depth_left)) [[unlikely]]
      return false;
    add_bytes({at.at, static_cast<std::size_t>(end - at.at)}, expected);
    return true;
  }
  template <protocol P>
  [[nodiscard]] static bool is_of(const view<P>& value, type to) noexcept {
    return value.code() == errc::ok && value.type() == to && value.wire() == to.wire();
  }
  void add_bytes(byte_view bytes, std::size_t expected) {
    if (bytes.size() > remaining()) {
      spill(expected);
      large_->append(bytes);
    } else {
      copy_exactly(small_ + used_, bytes.data(), bytes.size());
      used_ += bytes.size();
    }
  }
  void spill(std::size_t expected) {
    if (large_) return;
    buffer spilled;  // before it is complete, the values are in small_
    static_cast<void>(spilled.prepare((std::min)(expected, std::size_t{1} << 16) + max_small));
    spilled.append(byte_view(small_, used_));
    large_ = std::move(spilled);
  }

  std::size_t used_ = 0;           // of small_
  std::uint8_t small_[max_small];  // NOLINT: written before it is read
  std::optional<buffer> large_;    // then all values are there
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
