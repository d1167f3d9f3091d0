// type_caches: the caches of one type.
#pragma once

#include "caches/call_cache.hpp"
#include "caches/plan_cache.hpp"
#include "caches/schema_keys.hpp"
#include "caches/selection_cache.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace thriftlens::python {

struct type_caches {
  plan_cache plans;
  selection_cache selections;
  call_cache calls;
};

/// The caches of a type, created on first use. They live as long as the schema's keys.
[[nodiscard]] inline type_caches& caches_of(schema_keys& keys, type of) {
  using list = std::vector<std::unique_ptr<type_caches>>;
  const std::scoped_lock alone(keys.making);
  if (keys.caches == nullptr) keys.caches = std::make_shared<list>(keys.image().types.size());
  std::unique_ptr<type_caches>& slot = (*static_cast<list*>(keys.caches.get()))[of.index()];
  if (slot == nullptr) slot = std::make_unique<type_caches>();
  return *slot;
}

}  // namespace thriftlens::python
