// node_range: the fields, elements or entries of a node, for range-based for. Children may be set during
// iteration, but not inserted, erased, sorted or filtered.
#pragma once

#include <thriftlens/dom/tree.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A range of Items: `node` for elements, `node_entry`, `node_field`. A std::ranges::view.
template <class Item>
class node_range : public std::ranges::view_base {
 public:
  class iterator {
   public:
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::forward_iterator_tag;
    iterator() = default;
    iterator(detail::dom::tree* of, detail::dom::level* in, std::uint32_t at) noexcept
        : tree_(of), in_(in), at_(at) {
      settle();
    }
    /// Must not be at the end; in release builds it is then absent.
    [[nodiscard]] Item operator*() const noexcept {
      const bool is_item = in_ != nullptr && at_ < in_->count;
      THRIFTLENS_ASSERT(is_item);
      return is_item ? Item(*tree_, *in_, at_) : Item();
    }
    iterator& operator++() noexcept {
      THRIFTLENS_ASSERT(in_ != nullptr && at_ < in_->count);
      if (in_ == nullptr || at_ >= in_->count) return *this;
      at_ += in_->stride();
      settle();
      return *this;
    }
    iterator operator++(int) noexcept {
      iterator previous = *this;
      ++*this;
      return previous;
    }
    friend bool operator==(const iterator& lhs, const iterator& rhs) noexcept { return lhs.at_ == rhs.at_; }

   private:
    void settle() noexcept {
      while (at_ < in_->count && in_->items[at_].erased()) at_ += in_->stride();
    }
    detail::dom::tree* tree_ = nullptr;
    detail::dom::level* in_ = nullptr;
    std::uint32_t at_ = 0;
  };

  node_range(detail::dom::tree& of, detail::dom::level& in) noexcept : tree_(&of), in_(&in) {}
  [[nodiscard]] iterator begin() const noexcept { return {tree_, in_, 0}; }
  [[nodiscard]] iterator end() const noexcept { return {tree_, in_, in_->count}; }
  [[nodiscard]] std::size_t size() const noexcept { return in_->live(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

 private:
  detail::dom::tree* tree_;
  detail::dom::level* in_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

/// Iterators point into the document.
template <class Item>
inline constexpr bool std::ranges::enable_borrowed_range<thriftlens::node_range<Item>> = true;
