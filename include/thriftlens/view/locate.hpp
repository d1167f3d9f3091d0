// locate: the value at the end of a path's steps.
#pragma once

#include <thriftlens/path/path.hpp>
#include <thriftlens/view/fast/fast_locate.hpp>
#include <thriftlens/view/walker.hpp>

#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Reference implementation with a reader: supports every kind of step and finds the exact error.
template <protocol P>
THRIFTLENS_NOINLINE void generic_locate(byte_view bytes, const schema_image* image, const wire_location& from,
                                        std::span<const path_step> steps, located& to) noexcept {
  walker<P> at(bytes, image, from);
  to.code = errc::ok;
  for (const path_step& step : steps) {
    to.last = &step;
    if ((to.code = at.step(step)) != errc::ok) break;
  }
  to.location = to.code == errc::ok ? at.location() : wire_location{at.broken_at(), at.type(), at.wire()};
}

/// Follows the steps. Takes the first field of an id and the first equal key.
template <protocol P>
THRIFTLENS_NOINLINE void locate(byte_view bytes, const schema_image* image, const wire_location& from,
                                std::span<const path_step> steps, located& to) noexcept {
  fast_locator<P> fast(bytes, image);
  if (!fast.run(from, steps, to)) [[unlikely]]
    generic_locate<P>(bytes, image, from, steps, to);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
