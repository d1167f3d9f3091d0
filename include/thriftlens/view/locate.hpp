// locate: from a value along the steps of a path to one value inside it.
#pragma once

#include <thriftlens/path/path.hpp>
#include <thriftlens/view/fast/fast_locate.hpp>
#include <thriftlens/view/walker.hpp>

#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Step by step with a reader: for every kind of step, and for the words when something is wrong.
template <protocol P>
THRIFTLENS_NOINLINE void generic_locate(byte_view bytes, const schema_image* image, const wire_location& from,
                                        std::span<const path_step> steps, located& to) noexcept {
  walker<P> at(bytes, image, from);
  to.code = errc::ok;
  for (const path_step& each : steps) {
    to.last = &each;
    if ((to.code = at.step(each)) != errc::ok) break;
  }
  to.location = to.code == errc::ok ? at.location() : wire_location{at.broken_at(), at.type(), at.wire()};
}

/// Follows the steps. Fields stop at the first of their id, keys at the first that is equal.
template <protocol P>
THRIFTLENS_NOINLINE void locate(byte_view bytes, const schema_image* image, const wire_location& from,
                                std::span<const path_step> steps, located& to) noexcept {
  fast_locator<P> fast(bytes, image);
  if (!fast.run(from, steps, to)) [[unlikely]]
    generic_locate<P>(bytes, image, from, steps, to);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
