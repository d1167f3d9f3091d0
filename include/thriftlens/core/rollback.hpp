// rollback: puts a caller's output back to what it was, unless its writer gets to its end. Never gives
// memory back: the output keeps the capacity it has got.
#pragma once

#include <thriftlens/core/gather.hpp>

#include <cstddef>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// What every function of the library that writes to a caller's output (`buffer&`, `gather_list&`) promises:
/// after anything but success the output holds what it held before the call. That is so for an error that is
/// returned or thrown, for an exception of the caller's own code (an adapter, an iterator, a function of an
/// edit), and for memory that cannot be had.
///
/// Memory that cannot be had is std::bad_alloc, from every function, the try_ ones too: a result<T> holds
/// errors of data and of requests only. An object that the call was changing (an edit that is put together, a
/// document, an object that is decoded into) holds then what nobody can say: destroy it, or load it anew. A
/// schema_store keeps its schema. Without exceptions (-fno-exceptions) the program ends at once, by
/// std::abort or std::terminate, and writes nothing more.
///
/// The guard: made before the first byte is written, told keep() after the last.
class rollback {
 public:
  explicit rollback(buffer& out) noexcept : out_(&out), size_(out.size()) {}
  rollback(const rollback&) = delete;
  rollback& operator=(const rollback&) = delete;
  ~rollback() {
    if (out_ != nullptr) out_->truncate(size_);
  }

  /// What was written stays.
  void keep() noexcept { out_ = nullptr; }
  /// Bytes that the output held before.
  [[nodiscard]] std::size_t before() const noexcept { return size_; }

 private:
  buffer* out_;
  std::size_t size_;
};

/// The same for output in pieces.
class gather_rollback {
 public:
  explicit gather_rollback(gather_list& out) noexcept
      : out_(&out), own_size_(out.own().size()), links_(out.link_count()) {}
  gather_rollback(const gather_rollback&) = delete;
  gather_rollback& operator=(const gather_rollback&) = delete;
  ~gather_rollback() {
    if (out_ != nullptr) out_->truncate(own_size_, links_);
  }

  void keep() noexcept { out_ = nullptr; }

 private:
  gather_list* out_;
  std::size_t own_size_;
  std::size_t links_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
