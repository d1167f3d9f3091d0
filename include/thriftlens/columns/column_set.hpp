// column_set: the growing columns of a plan, all of one length.
#pragma once

#include <thriftlens/columns/column_data.hpp>
#include <thriftlens/columns/column_plan.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Indexed by the nodes of the plan.
class column_set {
 public:
  explicit column_set(const column_plan& plan, std::shared_ptr<column_memory> memory = {})
      : memory_(std::move(memory)), data_(plan.nodes.size()) {
    for (std::uint32_t i = 0; i < data_.size(); ++i) begin(plan.nodes[i], i);
  }
  column_set(column_set&&) = default;
  // A member-wise move would free the old memory before the blocks taken from it.
  column_set& operator=(column_set&& other) noexcept {
    std::swap(memory_, other.memory_);
    data_.swap(other.data_);
    return *this;
  }

  [[nodiscard]] column_data& operator[](std::uint32_t node) noexcept { return data_[node]; }
  [[nodiscard]] const column_data& operator[](std::uint32_t node) const noexcept { return data_[node]; }
  [[nodiscard]] column_data* data() noexcept { return data_.data(); }

  /// Adds a null to a column, and the values that its children have below a null. Takes at most the node's
  /// null_size.
  void add_null(const column_plan& plan, std::uint32_t index) {
    const column_node& node = plan.nodes[index];
    column_data& data = data_[index];
    switch (node.form) {
      case column_form::nothing:
        ++data.length;
        return;
      case column_form::dense_union:
        add_member(plan, index, static_cast<std::uint32_t>(node.children.size() - 1));
        return add_null(plan, node.children.back());
      case column_form::structure:
        for (const std::uint32_t child : node.children) add_null(plan, child);
        break;
      case column_form::bits:
        data.values.put_bit(data.length, false);
        break;
      case column_form::fixed:
      case column_form::dictionary:
        data.values.put_zeros(node.width);
        break;
      default:
        data.offsets.put(data.offsets.at<std::int32_t>(data.length));
    }
    data.add_null();
  }
  /// Adds a value of that member to a dense union; the caller adds the member's value next.
  void add_member(const column_plan& plan, std::uint32_t index, std::uint32_t position) {
    column_data& data = data_[index];
    data.values.put(static_cast<std::int8_t>(position));
    data.offsets.put(static_cast<std::int32_t>(data_[plan.nodes[index].children[position]].length));
    ++data.length;
  }

  /// Drops all but the first `count` values of a column, in its children too.
  void cut(const column_plan& plan, std::uint32_t index, std::size_t count) {
    const column_node& node = plan.nodes[index];
    column_data& data = data_[index];
    switch (node.form) {
      case column_form::dense_union:
        cut_members(plan, index, count);
        break;
      case column_form::structure:
        for (const std::uint32_t child : node.children) cut(plan, child, count);
        break;
      case column_form::list:
      case column_form::map:
        cut(plan, node.children.front(), data.begin_of(count));
        break;
      default:
        break;
    }
    if (data.length > count) data.cut(count);
    cut_tail(node, data, count);
  }
  /// Reserves capacity for `total` rows like the first `part` rows, unless that takes more than `max_size`
  /// bytes.
  void expect(std::size_t part, std::size_t total, std::size_t max_size) {
    const std::size_t times = total / part + 1;
    if (size() > max_size / times) return;
    for (column_data& column : data_)
      for (column_buffer* of : {&column.validity, &column.offsets, &column.values})
        if (of->size() >= 64) of->reserve(of->size() * times + of->size() * times / 16);
  }
  /// Bytes of all columns.
  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t total = 0;
    for (const column_data& column : data_)
      total += column.validity.size() + column.offsets.size() + column.values.size();
    return total;
  }
  /// The largest value that Arrow's 32-bit offsets have to represent.
  [[nodiscard]] std::size_t longest() const noexcept {
    std::size_t largest = 0;
    for (const column_data& column : data_) {
      if (column.length > largest) largest = column.length;
      if (!column.offsets.empty() && column.values.size() > largest) largest = column.values.size();
    }
    return largest;
  }
  /// Resets a column for the next batch.
  void begin(const column_node& node, std::uint32_t index) {
    data_[index] = column_data(memory_.get());
    const bool has_offsets =
        node.form == column_form::bytes || node.form == column_form::list || node.form == column_form::map;
    if (has_offsets) data_[index].offsets.put(std::int32_t{0});
  }
  /// Whether it was moved from: a plan has nodes.
  [[nodiscard]] bool empty() const noexcept { return data_.empty(); }
  [[nodiscard]] const std::shared_ptr<column_memory>& memory() const noexcept { return memory_; }

 private:
  // Removes the remains of an incomplete value after the last one.
  static void cut_tail(const column_node& node, column_data& data, std::size_t count) noexcept {
    switch (node.form) {
      case column_form::bits:
        return data.values.truncate_bits(count);
      case column_form::fixed:
      case column_form::dictionary:
        return data.values.truncate(count * node.width);
      case column_form::bytes:
        data.offsets.truncate((count + 1) * sizeof(std::int32_t));
        return data.values.truncate(data.begin_of(count));
      case column_form::list:
      case column_form::map:
        return data.offsets.truncate((count + 1) * sizeof(std::int32_t));
      case column_form::dense_union:
        data.values.truncate(count);
        return data.offsets.truncate(count * sizeof(std::int32_t));
      default:
        return;
    }
  }
  // The first dropped value of a member marks where its column is cut.
  void cut_members(const column_plan& plan, std::uint32_t index, std::size_t count) {
    const column_data& data = data_[index];
    std::vector<bool> is_cut(plan.nodes[index].children.size());
    for (std::size_t i = count; i < data.length; ++i) {
      const auto member = static_cast<std::uint8_t>(data.values.at<std::int8_t>(i));
      if (is_cut[member]) continue;
      is_cut[member] = true;
      cut(plan, plan.nodes[index].children[member], data.begin_of(i));
    }
  }

  std::shared_ptr<column_memory> memory_;  // outlives the columns
  std::vector<column_data> data_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
