// plan_slots: the views of a plan's paths, filled in wire order.
#pragma once

#include <thriftlens/view/view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Base of the plan runners. `Plan` is plan, which is defined after this header.
template <protocol P, class Plan>
class plan_slots {
 public:
  using node = typename Plan::node;
  using edge = typename Plan::edge;
  using form = typename Plan::form;

  plan_slots(const Plan& paths, const view<P>& from, std::span<view<P>> out) noexcept
      : plan_(paths),
        nodes_(paths.nodes().data()),
        slots_(paths.path_slots().data()),
        from_(from),
        image_(from.image()),
        out_(out.data()) {}

  std::size_t missing = 0;  ///< paths without a value

  /// Whether the path of that edge has a view. For an edge to a node: the first path of its branch.
  [[nodiscard]] bool is_resolved(const edge& of) const noexcept {
    const std::uint32_t slot = of.slot != image::none ? of.slot : slots_[nodes_[of.node].own_begin];
    return out_[slot].location().at.at != nullptr;
  }
  [[nodiscard]] const Plan& used_plan() const noexcept { return plan_; }

 protected:
  THRIFTLENS_INLINE void resolve(std::uint32_t slot, const wire_location& location) noexcept {
    from_.put_child(out_ + slot, location);
  }
  /// Resolves the paths that end at a node.
  THRIFTLENS_INLINE void resolve(const node& at, const wire_location& location) noexcept {
    for (std::uint32_t i = at.own_begin; i < at.own_end; ++i) resolve(slots_[i], location);
  }
  /// Marks the paths of a branch as missing, except those that end at its top.
  void none_below(const node& at, errc code, const wire_position& where) noexcept {
    none_of_slots(at.own_end, at.slots_end, from_.broken(code, where));
  }
  void none(const edge& of, errc code, const wire_position& where) noexcept {
    const step_question step = missing_step(of, code);
    const view<P> absent = from_.broken(code, where, step);
    if (of.slot == image::none) {
      const node& to = nodes_[of.node];
      none_of_slots(to.own_begin, to.own_end, absent);
      return none_of_slots(to.own_end, to.slots_end, from_.broken(code, where, step.as_parent()));
    }
    out_[of.slot] = absent;
    ++missing;
  }
  /// Resets the views of the paths below a node.
  void clear(const node& at) noexcept {
    for (std::uint32_t i = at.own_end; i < at.slots_end; ++i) out_[slots_[i]] = view<P>();
  }

  const Plan& plan_;
  const node* nodes_;
  const std::uint32_t* slots_;
  const view<P>& from_;
  const schema_image* image_;
  view<P>* out_;

 private:
  [[nodiscard]] static step_question missing_step(const edge& of, errc code) noexcept {
    if (code == errc::bad_index) return question_of_index(of.index);
    if (code == errc::absent) return {asked::field, static_cast<std::uint32_t>(of.index)};
    return {};
  }
  void none_of_slots(std::uint32_t begin, std::uint32_t end, const view<P>& absent) noexcept {
    for (std::uint32_t i = begin; i < end; ++i) out_[slots_[i]] = absent;
    missing += end - begin;
  }
};

/// The edges of a node, and which of them were followed: a bit each for at most max_bits edges. More are
/// tested by their views, which must have been cleared.
template <protocol P, class Plan>
class open_edges {
 public:
  static constexpr std::size_t max_bits = 64;
  using edge = typename Plan::edge;

  open_edges(const plan_slots<P, Plan>& open, const typename Plan::node& of) noexcept
      : slots_(open), edges_(open.used_plan().edges(of)), remaining_(edges_.size()) {}

  [[nodiscard]] std::span<const edge> edges() const noexcept { return edges_; }
  /// Number of edges not followed yet.
  [[nodiscard]] std::size_t remaining() const noexcept { return remaining_; }
  [[nodiscard]] bool is_open(std::size_t index) const noexcept {
    if (edges_.size() <= max_bits) return (followed_ >> index & 1) == 0;
    return !slots_.is_resolved(edges_[index]);
  }
  /// Calls `visit` for every edge not followed yet.
  template <class Visit>
  void each_open(Visit visit) const {
    for (std::size_t i = 0; i < edges_.size(); ++i)
      if (is_open(i)) visit(edges_[i]);
  }
  /// Marks the edge of that index as followed. Null if there is none, or it was followed before.
  [[nodiscard]] const edge* take(std::size_t index) noexcept {
    if (index >= edges_.size() || !is_open(index)) return nullptr;
    if (edges_.size() <= max_bits) followed_ |= std::uint64_t{1} << index;
    --remaining_;
    return &edges_[index];
  }
  /// take() by field id. Cheap if ids ascend.
  [[nodiscard]] const edge* take_field(std::int16_t id) noexcept {
    if (next_ > 0 && edges_[next_ - 1].id >= id) next_ = first_from(id);
    while (next_ < edges_.size() && edges_[next_].id < id) ++next_;
    return next_ < edges_.size() && edges_[next_].id == id ? take(next_) : nullptr;
  }

 private:
  /// Index of the first edge with that id or a higher one.
  [[nodiscard]] std::size_t first_from(std::int16_t id) const noexcept {
    const auto is_below = [id](const edge& candidate) { return candidate.id < id; };
    return static_cast<std::size_t>(std::partition_point(edges_.begin(), edges_.end(), is_below) -
                                    edges_.begin());
  }

  const plan_slots<P, Plan>& slots_;
  std::span<const edge> edges_;
  std::size_t remaining_;
  std::size_t next_ = 0;
  std::uint64_t followed_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
