// owned_bytes: a shared reference to the buffer of a Python object. Does not copy; a bytearray cannot be
// resized while it exists.
#pragma once

#include "support/bytes_like.hpp"
#include "support/locked.hpp"
#include "support/to_python.hpp"
#include "views/element_index.hpp"
#include "views/entry_index.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

namespace thriftlens::python {

/// The position of a record in a scanned input; `number` is negative for other bytes.
struct record_location {
  std::int64_t number = -1;
  std::int64_t offset = -1;  ///< of its first byte in the input
  std::int64_t value = -1;   ///< offset of the value's first byte in the input; negative if it is not there
};

/// (number, offset, value). Null with a Python error set.
[[nodiscard]] inline PyObject* location_tuple(const record_location& of) {
  return new_tuple(of.number, of.offset, of.value);
}

/// Shared by the views of one message. Created and destroyed with the GIL.
class owned_bytes {
 public:
  /// Null with a Python error set.
  [[nodiscard]] static std::shared_ptr<const owned_bytes> take(PyObject* data) {
    auto owner = std::make_shared<owned_bytes>();
    if (!owner->buffer_.take(data)) return nullptr;
    owner->owner_ = object::share(data);
    return owner;
  }
  [[nodiscard]] byte_view bytes() const noexcept { return buffer_.bytes(); }
  [[nodiscard]] const record_location& location() const noexcept { return location_; }
  void set_location(const record_location& location) const noexcept { location_ = location; }

  /// Calls `work` with the index of a container and returns its result. Indices of the last four containers
  /// are cached. All calls for a message use one protocol; Python code must not run in `work`.
  template <class Index, protocol Protocol, class Work>
  auto with_index(const view<Protocol>& of, Work&& work) const {
    const std::scoped_lock alone(mutex_);
    const std::uint8_t* at = of.location().at.at;
    auto slot =
        std::find_if(indices_.begin(), indices_.end(), [&](const entry& cached) { return cached.at == at; });
    if (slot == indices_.end()) {
      slot = indices_.end() - 1;
      *slot = {at, std::make_unique<Index>(of)};
    }
    std::rotate(indices_.begin(), slot, slot + 1);
    return work(static_cast<Index&>(*indices_.front().index));
  }

 private:
  struct entry {
    const std::uint8_t* at = nullptr;
    std::unique_ptr<cached_index> index;
  };

  object owner_;
  bytes_like buffer_;
  mutable mutex mutex_;
  mutable std::array<entry, 4> indices_;  // last used first
  mutable record_location location_;
};

}  // namespace thriftlens::python
