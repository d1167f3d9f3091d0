// store: holds the current version of a schema, replaceable while other threads read it.
#pragma once

#include <thriftlens/schema/schema.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Holds one schema and its version number, starting from 1. Thread-safe; neither copyable nor movable.
class schema_store {
 public:
  explicit schema_store(schema first);
  schema_store(const schema_store&) = delete;
  ~schema_store();

  /// The current schema: a copy that shares its image. O(1) under a short lock.
  [[nodiscard]] schema current() const;
  /// Number of swaps. To cache a copy, read the version first: the copy is then of that version or a newer
  /// one.
  [[nodiscard]] std::uint64_t version() const;
  /// Stores a new version; the old one is destroyed with its last reader.
  void store(schema next);
  /// Loads the file and stores its schema; after an error the old version remains. Concurrent reloads may
  /// finish in any order.
  [[nodiscard]] result<void> try_reload(const std::string& file, const load_options& options = {});
  void reload(const std::string& file, const load_options& options = {}) {
    try_reload(file, options).value();
  }

 private:
  struct guarded;
  std::unique_ptr<guarded> held_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED_LOADER)
#include <thriftlens/schema/store.ipp>
#endif
