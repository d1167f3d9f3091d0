// plan_cache: the lists of paths that were used with a type, compiled. Never compiles the same texts twice
// while they are among the last used.
#pragma once

#include "caches/path_cache.hpp"

#include <thriftlens/view/plan.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace thriftlens::python {

/// Several paths, and one plan for those of them that lead to one value each.
struct path_list {
  std::vector<path> paths;
  /// For each path its place in the plan, or image::none where it leads to many values.
  std::vector<std::uint32_t> slots;
  std::optional<plan> together;
};

/// Puts an entry first; of `max_entries` the last goes. What is dropped may run code that comes back here.
template <class Entry>
void put_first(mutex& of, std::vector<Entry>& entries, std::size_t max_entries, Entry made) {
  std::optional<Entry> dropped;
  const std::scoped_lock alone(of);
  if (entries.size() == max_entries) {
    dropped.emplace(std::move(entries.back()));
    entries.pop_back();
  }
  entries.insert(entries.begin(), std::move(made));
}
template <class Entry>
Entry& to_front(std::vector<Entry>& entries, Entry& used) {
  const auto at = entries.begin() + (&used - entries.data());
  std::rotate(entries.begin(), at, at + 1);
  return entries.front();
}

class plan_cache {
 public:
  /// Null with a Python error set. A tuple or list of the same texts is found, and not compiled again.
  [[nodiscard]] std::shared_ptr<const path_list> find(type of, path_cache& paths, PyObject* texts);

 private:
  static constexpr std::size_t max_entries = 32;
  struct entry {
    object texts;  // a tuple
    std::shared_ptr<const path_list> paths;
  };
  [[nodiscard]] std::shared_ptr<const path_list> find(PyObject* sequence);

  mutex mutex_;
  std::vector<entry> entries_;
};

}  // namespace thriftlens::python
