// plan_cache: compiled lists of paths of a type.
#pragma once

#include "caches/path_cache.hpp"

#include <thriftlens/view/plan.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace thriftlens::python {

/// Paths, and one plan for those with a single value.
struct path_list {
  std::vector<path> paths;
  /// The position of every path in the plan, or image::none for a path with several values.
  std::vector<std::uint32_t> slots;
  std::optional<plan> together;
};

/// Inserts an entry at the front and drops the last of `max_entries`, outside the lock: destructors may run
/// Python code.
template <class Entry>
void put_first(mutex& of, std::vector<Entry>& entries, std::size_t max_entries, Entry added) {
  std::optional<Entry> dropped;
  const std::scoped_lock alone(of);
  if (entries.size() == max_entries) {
    dropped.emplace(std::move(entries.back()));
    entries.pop_back();
  }
  entries.insert(entries.begin(), std::move(added));
}
template <class Entry>
Entry& to_front(std::vector<Entry>& entries, Entry& used) {
  const auto at = entries.begin() + (&used - entries.data());
  std::rotate(entries.begin(), at, at + 1);
  return entries.front();
}

class plan_cache {
 public:
  /// The compiled paths of a tuple or list. Null with a Python error set.
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
