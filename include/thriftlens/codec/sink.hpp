// sink: targets of encoded bytes: a growing buffer, memory of the caller, a gather list.
#pragma once

#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/gather.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <variant>

namespace thriftlens::inline THRIFTLENS_ABI::detail::codec {

/// All sinks: start() returns the first position (never nullptr); reserve(at, count) a position with `count`
/// bytes after the bytes written up to `at` (nullptr: see code()); finish(at); undo() after an error.
/// Aliased: the value may refer to bytes in the buffer; they stay valid while the sink exists.
template <bool Aliased>
class basic_buffer_sink {
 public:
  static constexpr bool links = false;
  basic_buffer_sink(buffer& out, std::size_t max) noexcept : out_(&out), begin_(out.size()), max_(max) {}

  [[nodiscard]] THRIFTLENS_INLINE std::uint8_t* start() {
    std::uint8_t* at = prepare(out_->size(), 1);
    end_ = out_->data() + out_->capacity();
    return at;
  }
  [[nodiscard]] THRIFTLENS_INLINE std::uint8_t* reserve(std::uint8_t* at, std::size_t count) {
    if (static_cast<std::size_t>(end_ - at) < count) [[unlikely]]
      return grow(at, count);
#if defined(__GNUC__)
    if (at == nullptr) __builtin_unreachable();  // callers test for failure
#endif
    return at;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool finish(const std::uint8_t* at) noexcept {
    out_->commit(at);
    return out_->size() - begin_ <= max_;
  }
  void undo() noexcept { out_->truncate(begin_); }
  [[nodiscard]] errc code() const noexcept { return errc::output_limit; }

 private:
  THRIFTLENS_NOINLINE std::uint8_t* grow(const std::uint8_t* at, std::size_t count) {
    const auto used = static_cast<std::size_t>(at - out_->data());
    if (used - begin_ > max_) return nullptr;
    std::uint8_t* next = prepare(used, count);
    end_ = out_->data() + out_->capacity();
    return next;
  }
  [[nodiscard]] THRIFTLENS_INLINE std::uint8_t* prepare(std::size_t used, std::size_t count) {
    if constexpr (Aliased)
      if (used != 0 && out_->capacity() - used < count && first_.capacity() == 0) replace(used, count);
    return out_->prepare_after(out_->data() + used, count);
  }
  // Continues in new memory without freeing the old.
  void replace(std::size_t used, std::size_t count) {
    buffer larger;
    std::uint8_t* to = larger.prepare(2 * (used + count));
    std::memcpy(to, out_->data(), used);
    larger.commit(to + out_->size());
    out_->swap(larger);
    first_.swap(larger);
  }
  buffer* out_;
  std::size_t begin_;
  std::size_t max_;
  std::uint8_t* end_ = nullptr;
  std::conditional_t<Aliased, buffer, std::monostate> first_;  // the memory that the value may refer to
};
using buffer_sink = basic_buffer_sink<false>;

/// Memory of the caller. Reservations are upper bounds: those that do not fit go to a buffer, which is copied
/// if the written bytes fit.
class span_sink {
 public:
  static constexpr bool links = false;
  // An empty span may have no address, but nullptr means failure everywhere.
  explicit span_sink(std::span<std::uint8_t> out) noexcept
      : out_(out.empty() ? std::span<std::uint8_t>(&none_, 0) : out), end_(out_.data() + out_.size()) {}

  [[nodiscard]] std::uint8_t* start() noexcept { return out_.data(); }
  [[nodiscard]] THRIFTLENS_INLINE std::uint8_t* reserve(std::uint8_t* at, std::size_t count) {
    if (static_cast<std::size_t>(end_ - at) < count) [[unlikely]]
      return grow(at, count);
    return at;
  }
  [[nodiscard]] bool finish(const std::uint8_t* at) noexcept {
    if (!spilled_) {
      written_ = static_cast<std::size_t>(at - out_.data());
      return true;
    }
    spill_.commit(at);
    if (spill_.size() > out_.size() - written_) return false;
    if (!spill_.empty()) std::memcpy(out_.data() + written_, spill_.data(), spill_.size());
    written_ += spill_.size();
    return true;
  }
  void undo() noexcept {}
  [[nodiscard]] errc code() const noexcept { return errc::buffer_too_small; }
  [[nodiscard]] std::size_t written() const noexcept { return written_; }

 private:
  THRIFTLENS_NOINLINE std::uint8_t* grow(const std::uint8_t* at, std::size_t count) {
    if (spilled_) {
      spill_.commit(at);
    } else {
      written_ = static_cast<std::size_t>(at - out_.data());
      spilled_ = true;
    }
    if (spill_.size() > out_.size() - written_) return nullptr;
    std::uint8_t* next = spill_.prepare(count);
    end_ = spill_.data() + spill_.capacity();
    return next;
  }
  std::uint8_t none_ = 0;
  std::span<std::uint8_t> out_;
  std::uint8_t* end_;
  std::size_t written_ = 0;
  bool spilled_ = false;
  buffer spill_;
};

/// A gather list: long strings are borrowed from the object that is encoded.
class gather_sink {
 public:
  static constexpr bool links = true;
  gather_sink(gather_list& out, std::size_t max) noexcept
      : list_(&out),
        own_(out.own(), max),
        max_(max),
        size_before_(out.size()),
        own_before_(out.own().size()),
        links_before_(out.link_count()) {}

  [[nodiscard]] std::uint8_t* start() { return own_.start(); }
  [[nodiscard]] THRIFTLENS_INLINE std::uint8_t* reserve(std::uint8_t* at, std::size_t count) {
    return own_.reserve(at, count);
  }
  /// Borrows `bytes` after the bytes written up to `at`; later bytes follow them.
  void link(const std::uint8_t* at, byte_view bytes) {
    list_->link(static_cast<std::size_t>(at - list_->own().data()), bytes);
  }
  [[nodiscard]] bool finish(const std::uint8_t* at) noexcept {
    return own_.finish(at) && list_->size() - size_before_ <= max_;
  }
  void undo() noexcept {
    own_.undo();
    list_->truncate(own_before_, links_before_);
  }
  [[nodiscard]] errc code() const noexcept { return own_.code(); }

 private:
  gather_list* list_;
  buffer_sink own_;
  std::size_t max_;
  std::size_t size_before_;
  std::size_t own_before_;
  std::size_t links_before_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::codec
