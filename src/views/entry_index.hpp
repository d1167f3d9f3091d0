// entry_index: positions of the values of a map by the bytes of their keys.
#pragma once

#include "views/element_index.hpp"

#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/view/children.hpp>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

namespace thriftlens::python {

/// The bytes of the current key of a map.
template <protocol Protocol>
[[nodiscard]] std::string_view key_bytes(const children<Protocol>& inside) noexcept {
  const std::uint8_t* const begin = inside.key().at.at;
  return byte_view(begin, static_cast<std::size_t>(inside.value().at.at - begin)).text();
}
/// Finds the first of sorted entries with that key.
template <class Entries>
[[nodiscard]] bool find_entry_of_key(const Entries& entries, byte_view key, detail::wire_location& location) {
  const auto first =
      std::lower_bound(entries.begin(), entries.end(), key.text(),
                       [](const auto& candidate, std::string_view text) { return candidate.key < text; });
  if (first == entries.end() || first->key != key.text()) return false;
  location = first->value;
  return true;
}

/// Entries sorted by the bytes of their keys; the first of equal keys wins, as in a view.
template <protocol Protocol>
class entry_index final : public cached_index {
 public:
  static constexpr std::uint32_t lookups_before_sorting = 8;

  explicit entry_index(const view<Protocol>&) {}

  /// Whether locate() can be used. Counts lookups and sorts the entries after a few.
  [[nodiscard]] bool is_ready(const view<Protocol>& of) {
    if (lookups_ < lookups_before_sorting) {
      ++lookups_;
      return false;
    }
    if (!is_sorted_) sort(of);
    return !entries_.empty() && !detail::has_spellings(of.type().key().wire());
  }
  /// False if no key has these bytes; an equal key may have another encoding.
  [[nodiscard]] bool locate(byte_view key, detail::wire_location& location) const {
    return find_entry_of_key(entries_, key, location);
  }

 private:
  struct entry {
    std::string_view key;
    detail::wire_location value;
  };

  void sort(const view<Protocol>& of) {
    is_sorted_ = true;
    children<Protocol> inside(of.whole(), of.image(), of.location());
    while (inside.next()) entries_.push_back({key_bytes(inside), inside.value()});
    if (inside.code() != errc::ok) entries_.clear();  // the view reports the error
    const auto less = [](const entry& a, const entry& b) { return a.key < b.key; };
    std::stable_sort(entries_.begin(), entries_.end(), less);
  }

  std::vector<entry> entries_;
  std::uint32_t lookups_ = 0;
  bool is_sorted_ = false;
};

}  // namespace thriftlens::python
