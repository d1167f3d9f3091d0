// persistent_headers: header entries that apply to all later messages of a connection.
#pragma once

#include <thriftlens/transport/header_entry.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Bounded by number and size.
class persistent_headers {
 public:
  static constexpr std::size_t max_count = 64;

  /// Stores the persistent ones of a message's entries, and adds those of earlier messages that it does not
  /// override. The added entries borrow from this. Returns the error text if a limit is exceeded.
  [[nodiscard]] std::string merge(std::vector<header_entry>& entries, std::size_t max_size) {
    for (const header_entry& entry : entries) {
      if (entry.kind == header_entry::form::persistent && !store(entry)) return "too many persistent headers";
    }
    std::size_t size = 0;
    for (const auto& [key, value] : stored_) size += key.size() + value.size();
    if (size > max_size) return "the persistent headers exceed the limit";
    add_to(entries);
    return {};
  }

 private:
  bool store(const header_entry& entry) {
    const auto is_same = [&](const auto& stored) { return stored.first == entry.key; };
    const auto at = std::find_if(stored_.begin(), stored_.end(), is_same);
    if (at == stored_.end() && stored_.size() == max_count) return false;
    if (at != stored_.end())
      at->second = entry.value;
    else
      stored_.emplace_back(entry.key, entry.value);
    return true;
  }
  void add_to(std::vector<header_entry>& entries) const {
    for (const auto& [key, value] : stored_) {
      const auto is_same = [&, &name = key](const header_entry& entry) { return entry.key == name; };
      if (std::none_of(entries.begin(), entries.end(), is_same))
        entries.push_back({.key = key, .value = value, .kind = header_entry::form::persistent});
    }
  }

  std::vector<std::pair<std::string, std::string>> stored_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
