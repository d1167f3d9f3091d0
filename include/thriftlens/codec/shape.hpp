// shape: where the parts of a C++ type stand in an IDL type, for bindings made at run time.
// In: filled by bind_by_name. Out: ids, wire types and requiredness by member, found in constant time.
// Never changes after it was made; never used by bindings known at compile time.
#pragma once

#include <thriftlens/protocol/ttype.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::codec {

/// A struct has `slots` and `by_id`; a list or set `first`; a map `first` and `second`; other types nothing.
struct shape {
  struct slot {
    std::int16_t id = 0;
    ttype wire = ttype::stop;
    bool bound = false;  ///< false: the IDL has no field of that name
    bool required = false;
    const shape* value = nullptr;
  };

  std::vector<slot> slots;                                  ///< by member, or by alternative of a union
  std::vector<std::pair<std::int16_t, std::size_t>> by_id;  ///< id and member, ids ascending
  const shape* first = nullptr;
  const shape* second = nullptr;

  /// The member with that id, or slots.size().
  [[nodiscard]] std::size_t find(std::int16_t id) const noexcept {
    const auto found =
        std::lower_bound(by_id.begin(), by_id.end(), std::pair<std::int16_t, std::size_t>{id, 0});
    return found != by_id.end() && found->first == id ? found->second : slots.size();
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::codec
