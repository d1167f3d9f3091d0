// splice: output of pieces of the input and new bytes, either copied or as references to pieces of a minimum
// size.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/pod_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Bytes in several pieces for writev() and Asio. Owns new bytes and borrows from the input, which must
/// outlive it.
class gathered {
 public:
  gathered() = default;
  gathered(buffer own, std::vector<byte_view> pieces) noexcept
      : own_(std::move(own)), pieces_(std::move(pieces)) {}
  /// Not copyable: pieces refer to the object. join() returns an independent copy.
  gathered(const gathered&) = delete;
  gathered(gathered&&) noexcept = default;
  gathered& operator=(const gathered&) = delete;
  gathered& operator=(gathered&&) noexcept = default;
  ~gathered() = default;

  [[nodiscard]] const std::vector<byte_view>& pieces() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return pieces_;
  }
  void pieces() const&& = delete;
  /// Bytes of all pieces.
  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t sum = 0;
    for (byte_view part : pieces_) sum += part.size();
    return sum;
  }
  /// All pieces copied together.
  [[nodiscard]] buffer join() const {
    buffer result;
    static_cast<void>(result.prepare(size()));
    for (byte_view part : pieces_) result.append(part);
    return result;
  }

 private:
  buffer own_;
  std::vector<byte_view> pieces_;
};

namespace detail {

/// Collects output. Positions count the bytes written here, without the referenced ones.
class splicer {
 public:
  static constexpr std::size_t never = static_cast<std::size_t>(-1);

  /// Stores pieces of at least `reference_from` bytes by reference.
  splicer(buffer& own, std::size_t reference_from) noexcept
      : own_(&own), begin_(own.size()), reference_from_(reference_from) {}

  /// Appends input bytes.
  void copy(byte_view piece) {
    if (piece.size() >= reference_from_)
      links_.push_back({own_->size(), piece});
    else
      own_->append(piece);
  }
  /// While it exists, pieces are copied instead of referenced: for bytes that are compared or removed later.
  class copying {
   public:
    explicit copying(splicer& of) noexcept
        : of_(of), reference_from_(std::exchange(of.reference_from_, never)) {}
    ~copying() { of_.reference_from_ = reference_from_; }
    copying(const copying&) = delete;
    copying& operator=(const copying&) = delete;

   private:
    splicer& of_;
    std::size_t reference_from_;
  };
  /// Limits the bytes written here, without referenced ones, to `max_size`; see exceeds().
  void bound(std::size_t max_size) noexcept { end_ = detail::output_end(begin_, max_size); }
  /// Raises the limit, if there is one.
  void allow(std::size_t more) noexcept { end_ = detail::output_end(more, end_); }
  [[nodiscard]] bool exceeds() const noexcept { return own_->size() > end_; }
  /// Where new bytes are written.
  [[nodiscard]] buffer& own() noexcept { return *own_; }
  [[nodiscard]] std::size_t position() const noexcept { return own_->size(); }

  /// Replaces `old_size` bytes written at `position` by `size` new ones.
  void replace(std::size_t position, std::size_t old_size, const std::uint8_t* bytes, std::size_t size) {
    const std::size_t tail_size = own_->size() - position - old_size;
    if (size > old_size) static_cast<void>(own_->prepare(size - old_size));
    std::uint8_t* const at = own_->data() + position;
    std::memmove(at + size, at + old_size, tail_size);
    std::memcpy(at, bytes, size);
    own_->commit(at + size + tail_size);
    for (std::size_t i = links_.size(); i-- > 0 && links_[i].position > position;)
      links_[i].position += size - old_size;
  }
  /// Discards everything written.
  void restart() noexcept {
    own_->truncate(begin_);
    links_.clear();
  }

  /// The pieces in order; they point into own().
  [[nodiscard]] std::vector<byte_view> pieces() const {
    std::vector<byte_view> result;
    std::size_t at = begin_;
    auto own_until = [&](std::size_t end) {
      if (end != at) result.emplace_back(own_->data() + at, end - at);
      at = end;
    };
    for (const link& part : links_) {
      own_until(part.position);
      result.push_back(part.bytes);
    }
    own_until(own_->size());
    return result;
  }

 private:
  struct link {
    std::size_t position;
    byte_view bytes;
  };

  buffer* own_;
  std::size_t begin_;
  std::size_t reference_from_;
  std::size_t end_ = never;
  detail::pod_vector<link> links_;
};

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
