// store: a place where the present version of a schema stands and a new one can be put while readers read.
// In: schemas. Out: the newest one; readers keep the version they took as long as they hold it.
// Never blocks a reader for the length of a load: loading happens before the swap.
#pragma once

#include <thriftlens/schema/schema.hpp>

#include <cstdint>
#include <mutex>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Holds one schema and its version number, starting from 1. Safe from any number of threads.
class schema_store {
 public:
  explicit schema_store(schema first) : current_(std::move(first)) {}

  /// The present schema: a copy that shares its image. O(1) under a short lock.
  [[nodiscard]] schema current() const {
    const std::lock_guard<std::mutex> hold(lock_);
    return current_;
  }
  /// Counts swaps. Who keeps a copy asks for the version first: then the copy is of that version or a newer
  /// one.
  [[nodiscard]] std::uint64_t version() const {
    const std::lock_guard<std::mutex> hold(lock_);
    return version_;
  }
  /// Puts a new version in; the old one dies with its last reader.
  void swap_in(schema next) {
    const std::lock_guard<std::mutex> hold(lock_);
    std::swap(current_, next);
    ++version_;
  }
  /// Loads the file and swaps it in; on an error the old version stays. Two reloads at once may end in either
  /// order.
  [[nodiscard]] result<void> try_reload(const std::string& file, const load_options& options = {}) {
    result<schema> next = schema::try_load(file, options);
    if (!next) return std::move(next).error();
    swap_in(*std::move(next));
    return {};
  }
  void reload(const std::string& file, const load_options& options = {}) {
    try_reload(file, options).value();
  }

 private:
  mutable std::mutex lock_;
  schema current_;
  std::uint64_t version_ = 1;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
