// owned_bytes: the bytes of a Python object, owned for longer than a call. Never copies; a bytearray
// cannot be resized meanwhile.
#pragma once

#include "support/bytes_like.hpp"
#include "support/locked.hpp"
#include "views/element_index.hpp"
#include "views/entry_index.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

namespace thriftlens::python {

/// Where the record of a scan lies; `number` is negative for bytes that are none.
struct record_place {
  std::int64_t number = -1;
  std::int64_t offset = -1;  ///< of its first byte in the input
  std::int64_t value = -1;   ///< of the value's first byte in the input; negative where it has no place there
};

/// Shared by the views of one message. Made and given up under the GIL.
class owned_bytes {
 public:
  /// Null with a Python error set.
  [[nodiscard]] static std::shared_ptr<const owned_bytes> take(PyObject* data) {
    auto made = std::make_shared<owned_bytes>();
    if (!made->buffer_.take(data)) return nullptr;
    made->owner_ = object::share(data);
    return made;
  }
  [[nodiscard]] byte_view bytes() const noexcept { return buffer_.bytes(); }
  [[nodiscard]] const record_place& place() const noexcept { return place_; }
  void set_place(const record_place& place) const noexcept { place_ = place; }

  /// What `work` gives of the index of a container in the bytes, one of those used last. A message has one
  /// protocol, and a container one kind of index. No code of Python's may run in `work`.
  template <class Index, protocol Protocol, class Work>
  auto with_index(const view<Protocol>& of, Work&& work) const {
    const std::scoped_lock alone(mutex_);
    const std::uint8_t* at = of.location().at.at;
    auto found =
        std::find_if(indices_.begin(), indices_.end(), [&](const entry& each) { return each.at == at; });
    if (found == indices_.end()) {
      found = indices_.end() - 1;
      *found = {at, std::make_unique<Index>(of)};
    }
    std::rotate(indices_.begin(), found, found + 1);
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
  mutable record_place place_;
};

}  // namespace thriftlens::python
