// type_caches: what was compiled for the values of one type. Never holds a thriftlens.Type: the collector
// does not see through it.
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

/// Those of a type, made when first asked for. Live as long as the schema's keys.
[[nodiscard]] inline type_caches& caches_of(schema_keys& keys, type of) {
  using list = std::vector<std::unique_ptr<type_caches>>;
  const std::scoped_lock alone(keys.making);
  if (keys.caches == nullptr) keys.caches = std::make_shared<list>(keys.image().types.size());
  std::unique_ptr<type_caches>& found = (*static_cast<list*>(keys.caches.get()))[of.index()];
  if (found == nullptr) found = std::make_unique<type_caches>();
  return *found;
}

}  // namespace thriftlens::python
