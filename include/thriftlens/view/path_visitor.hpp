// path_visitor: visits every value that a path selects.
#pragma once

#include <thriftlens/path/path.hpp>
#include <thriftlens/view/children.hpp>
#include <thriftlens/view/fwd.hpp>
#include <thriftlens/view/walker.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Calls `visit(view)` in wire order; absent values are not visited. Stops at the first error.
template <protocol P, class Visit>
class path_visitor {
 public:
  explicit path_visitor(Visit& visit) noexcept : visit_(visit) {}

  void run(const view<P>& from, std::span<const path_step> steps) {
    using form = path_step::form;
    view<P> at = from;
    for (; !steps.empty() && at && !steps[0].is_many(); steps = steps.subspan(1)) at = step(at, steps[0]);
    if (at.presence() == thriftlens::presence::absent) return;
    if (!at) return set_failure(at);
    const ttype wire = at.wire();
    if (steps.empty()) {
      ++count_;
      visit_(std::as_const(at));
    } else if (steps[0].kind == form::entries ? wire == ttype::map : is_sequence(wire)) {
      run_inside(at, steps);
    } else {
      set_failure(at.broken(errc::wrong_type, at.location().at));
    }
  }
  /// Number of visited values.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// The view with the first error.
  [[nodiscard]] const std::optional<view<P>>& failure() const noexcept { return failure_; }

 private:
  [[nodiscard]] static view<P> step(const view<P>& from, const path_step& step) noexcept {
    walker<P> walk(from.whole(), from.image(), from.location());
    const errc code = walk.step(step);
    return code == errc::ok ? from.child(walk.location()) : from.broken(code, walk.broken_at());
  }
  /// Iterates a container; the first step selects several children.
  void run_inside(const view<P>& container, std::span<const path_step> steps) {
    children<P> inside(container.whole(), container.image(), container.location());
    const path_step& many = steps[0];
    const std::int64_t size = inside.left();
    const std::int64_t first = many.first < 0 ? many.first + size : many.first;
    const std::int64_t last = many.last < 0 ? many.last + size : many.last;
    while (!failure_ && inside.index() + 1 < last && inside.next()) {
      if (inside.index() >= first) run(container.child(inside.value()), steps.subspan(1));
    }
    if (inside.code() != errc::ok) set_failure(container.broken(inside));
  }
  void set_failure(const view<P>& at) noexcept {
    if (!failure_) failure_ = at;
  }

  Visit& visit_;
  std::size_t count_ = 0;
  std::optional<view<P>> failure_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
