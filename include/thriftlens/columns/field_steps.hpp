// field_steps: the fields of a plan's structs, with predictions of the next field. A prediction is always
// compared with the bytes.
#pragma once

#include <thriftlens/columns/column_plan.hpp>
#include <thriftlens/protocol/ttype.hpp>

#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A field of a struct, or the position before its first one, to which the stop leads.
struct column_step {
  std::uint32_t header = 0;                 ///< its three header bytes in Binary, as in the image
  std::uint32_t child = column_node::none;  ///< the column; none for a skipped field
  std::uint32_t next = 0;                   ///< the step that followed last time
  std::int16_t id = -0x8000;
  ttype wire = ttype::stop;
  column_task task = column_task::stop;
};
static_assert(sizeof(column_step) == 16);

/// The steps of all structs of a plan. Initially a field is expected to be followed by the next one of the
/// IDL, and the last by the stop.
class field_steps {
 public:
  explicit field_steps(const column_plan& plan) : begins_(plan.nodes.size(), 0) {
    for (std::uint32_t node = 0; node < plan.nodes.size(); ++node)
      if (plan.nodes[node].of && plan.nodes[node].of.is_struct()) add(plan, node);
  }

  [[nodiscard]] const column_step& operator[](std::uint32_t step) const noexcept { return steps_[step]; }
  [[nodiscard]] const column_step* data() const noexcept { return steps_.data(); }
  /// The step before the first field of a struct; field i in order of ids is step i + 1 after it.
  [[nodiscard]] std::uint32_t begin_of(std::uint32_t node) const noexcept { return begins_[node]; }
  /// Records that `to` followed `from`. Only steps to higher ids, or to the stop, are learned, so that
  /// following them cannot repeat a field.
  THRIFTLENS_INLINE void learn(std::uint32_t from, std::uint32_t to) noexcept {
    if (steps_[to].task == column_task::stop || steps_[to].id > steps_[from].id) steps_[from].next = to;
  }

 private:
  void add(const column_plan& plan, std::uint32_t node) {
    const column_node& of = plan.nodes[node];
    const auto begin = static_cast<std::uint32_t>(steps_.size());
    begins_[node] = begin;
    steps_.emplace_back().next = begin + 1;
    std::uint32_t position = 0;
    for (const std::uint32_t field : of.of.structure().fields.indices())
      add_field(plan, of, of.by_field[position++], of.of.image()->fields[field]);
    steps_.back().next = begin;
  }
  void add_field(const column_plan& plan, const column_node& of, std::uint32_t position,
                 const image::field_node& field) {
    const bool is_column = position != column_node::none;
    column_step step;
    step.child = is_column ? of.children[position] : column_node::none;
    step.next = static_cast<std::uint32_t>(steps_.size()) + 1;
    step.header = field.header;
    step.id = field.id;
    step.wire = field.wire;
    step.task = is_column ? plan.nodes[step.child].task : column_task::pass;
    steps_.push_back(step);
  }

  std::vector<column_step> steps_;
  std::vector<std::uint32_t> begins_;  ///< by node
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
