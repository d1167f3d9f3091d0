// rollback: restores a caller's output unless the write completes. The output retains its capacity.
#pragma once

#include <thriftlens/core/gather.hpp>

#include <cstddef>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Guarantee of all functions that write to a caller's output (`buffer&`, `gather_list&`): after a failure
/// the output is unchanged. This includes returned and thrown errors, exceptions of the caller's code (an
/// adapter, an iterator, a function of an edit) and allocation failures.
///
/// Allocation failure is std::bad_alloc from all functions, including try_ functions: a result<T> reports
/// only errors in data and requests. (Lookups by keys that are structs or containers report no_memory.) An
/// object that the call was modifying (an edit, a document, a decoded object) is then in an unspecified
/// state: destroy or reload it. A schema_store keeps its schema. Without exceptions the program ends by
/// std::abort or std::terminate without writing more.
///
/// Guard object: construct it before the first byte is written, call keep() after the last.
class rollback {
 public:
  explicit rollback(buffer& out) noexcept : out_(&out), size_(out.size()) {}
  rollback(const rollback&) = delete;
  rollback& operator=(const rollback&) = delete;
  ~rollback() {
    if (out_ != nullptr) out_->truncate(size_);
  }

  /// Keeps what was written.
  void keep() noexcept { out_ = nullptr; }
  /// Size of the output before the call.
  [[nodiscard]] std::size_t before() const noexcept { return size_; }

 private:
  buffer* out_;
  std::size_t size_;
};

/// Same for output in pieces.
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
