// gather: output in owned and borrowed pieces, for writev and similar functions. Borrowed bytes must remain
// valid and unchanged.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/pod_vector.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// List of owned and borrowed pieces. Reuse it to avoid allocations. Pieces are valid until the next change.
class gather_list {
 public:
  /// Minimum size of borrowed pieces: copying is cheaper below.
  static constexpr std::size_t worth_linking = 4096;

  gather_list() noexcept = default;
  gather_list(const gather_list&) = default;
  gather_list(gather_list&& other) noexcept
      : own_(std::move(other.own_)),
        links_(std::move(other.links_)),
        borrowed_(std::exchange(other.borrowed_, 0)) {}
  gather_list& operator=(gather_list other) noexcept { return swap(other), *this; }
  ~gather_list() = default;

  [[nodiscard]] std::size_t size() const noexcept { return own_.size() + borrowed_; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

  /// Calls `visit(byte_view)` for the nonempty pieces in order.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    std::size_t visited = 0;
    for (const link_entry& entry : links_) {
      if (entry.own_end != visited) visit(byte_view(own_.data() + visited, entry.own_end - visited));
      visited = entry.own_end;
      if (!entry.bytes.empty()) visit(entry.bytes);
    }
    if (own_.size() != visited) visit(byte_view(own_.data() + visited, own_.size() - visited));
  }
  [[nodiscard]] std::vector<byte_view> pieces() const& THRIFTLENS_LIFETIMEBOUND {
    std::vector<byte_view> list;
    for_each([&](byte_view piece) { list.push_back(piece); });
    return list;
  }
  void pieces() const&& = delete;
  /// Appends all pieces to one buffer.
  void append_to(buffer& out) const {
    static_cast<void>(out.prepare(size()));
    for_each([&](byte_view piece) { out.append(piece); });
  }
  void clear() noexcept {
    own_.clear();
    links_.clear();
    borrowed_ = 0;
  }

  void swap(gather_list& other) noexcept {
    own_.swap(other.own_);
    links_.swap(other.links_);
    std::swap(borrowed_, other.borrowed_);
  }

  /// For writers: the buffer of own bytes, appended to at will.
  [[nodiscard]] buffer& own() & noexcept { return own_; }
  [[nodiscard]] std::size_t link_count() const noexcept { return links_.size(); }
  /// For writers: borrows `bytes`; they follow the first `own_end` own bytes.
  void link(std::size_t own_end, byte_view bytes) {
    links_.push_back({own_end, bytes});
    borrowed_ += bytes.size();
  }
  /// For writers: restores an earlier state after an error.
  void truncate(std::size_t own_size, std::size_t link_count) noexcept {
    while (links_.size() > link_count) {
      borrowed_ -= links_.back().bytes.size();
      links_.pop_back();
    }
    own_.truncate(own_size);
  }

 private:
  struct link_entry {
    std::size_t own_end = 0;
    byte_view bytes;
  };
  buffer own_;
  detail::pod_vector<link_entry> links_;
  std::size_t borrowed_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
