// store: bodies of store.hpp.
#pragma once

#include <thriftlens/schema/store.hpp>

#include <memory>
#include <mutex>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

struct schema_store::guarded {
  std::mutex lock;
  schema current;
  std::uint64_t version = 1;

  explicit guarded(schema first) : current(std::move(first)) {}
};

THRIFTLENS_LOADER_BODY schema_store::schema_store(schema first)
    : held_(std::make_unique<guarded>(std::move(first))) {}
THRIFTLENS_LOADER_BODY schema_store::~schema_store() = default;

THRIFTLENS_LOADER_BODY schema schema_store::current() const {
  const std::lock_guard<std::mutex> hold(held_->lock);
  return held_->current;
}
THRIFTLENS_LOADER_BODY std::uint64_t schema_store::version() const {
  const std::lock_guard<std::mutex> hold(held_->lock);
  return held_->version;
}
THRIFTLENS_LOADER_BODY void schema_store::store(schema next) {
  const std::lock_guard<std::mutex> hold(held_->lock);
  std::swap(held_->current, next);
  ++held_->version;
}
THRIFTLENS_LOADER_BODY result<void> schema_store::try_reload(const std::string& file,
                                                             const load_options& options) {
  result<schema> next = schema::try_load(file, options);
  if (!next) return std::move(next).error();
  store(*std::move(next));
  return {};
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
