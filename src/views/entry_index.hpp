// entry_index: where the values of a map stand, by the bytes of their keys. Never made for a map that is
// asked for a few keys; never an answer where the view would have another one.
#pragma once

#include "views/element_index.hpp"

#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/view/children.hpp>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

namespace thriftlens::python {

/// The entries sorted by the bytes of their keys; of equal keys the first counts, as in a view.
template <protocol Protocol>
class entry_index final : public cached_index {
 public:
  /// So often a map is asked before its entries are sorted.
  static constexpr std::uint32_t asked_before = 8;

  explicit entry_index(const view<Protocol>&) {}

  /// Whether it is worth the bytes of the key to ask.
  [[nodiscard]] bool is_ready(const view<Protocol>& of) {
    if (asked_ < asked_before) {
      ++asked_;
      return false;
    }
    if (!is_made_) make(of);
    return !entries_.empty() && !thriftlens::detail::has_spellings(of.type().key().wire());
  }
  /// The place of the value. False where no key has these bytes: it may still have another form of them.
  [[nodiscard]] bool locate(byte_view key, thriftlens::detail::wire_location& found) const {
    const auto first =
        std::lower_bound(entries_.begin(), entries_.end(), key.text(),
                         [](const entry& each, std::string_view text) { return each.key < text; });
    if (first == entries_.end() || first->key != key.text()) return false;
    found = first->value;
    return true;
  }

 private:
  struct entry {
    std::string_view key;
    thriftlens::detail::wire_location value;
  };

  void make(const view<Protocol>& of) {
    is_made_ = true;
    children<Protocol> inside(of.whole(), of.image(), of.location());
    while (inside.next()) {
      const std::uint8_t* const begin = inside.key().at.at;
      const auto size = static_cast<std::size_t>(inside.value().at.at - begin);
      entries_.push_back({byte_view(begin, size).text(), inside.value()});
    }
    if (inside.code() != errc::ok) entries_.clear();  // the view says what is broken
    const auto less = [](const entry& left, const entry& right) { return left.key < right.key; };
    std::stable_sort(entries_.begin(), entries_.end(), less);
  }

  std::vector<entry> entries_;
  std::uint32_t asked_ = 0;
  bool is_made_ = false;
};

}  // namespace thriftlens::python
