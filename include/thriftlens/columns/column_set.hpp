// column_set: the columns of a plan as they grow, all of one length.
#pragma once

#include <thriftlens/columns/column_data.hpp>
#include <thriftlens/columns/column_plan.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Same index as the nodes of the plan.
class column_set {
 public:
  explicit column_set(const column_plan& plan, std::shared_ptr<column_memory> memory = {})
      : memory_(std::move(memory)), data_(plan.nodes.size()) {
    for (std::uint32_t i = 0; i < data_.size(); ++i) begin(plan.nodes[i], i);
  }
  column_set(column_set&&) = default;
  // Member by member the old memory would go before what was taken from it.
  column_set& operator=(column_set&& other) noexcept {
    std::swap(memory_, other.memory_);
    data_.swap(other.data_);
    return *this;
  }

  [[nodiscard]] column_data& operator[](std::uint32_t node) noexcept { return data_[node]; }
  [[nodiscard]] const column_data& operator[](std::uint32_t node) const noexcept { return data_[node]; }
  [[nodiscard]] column_data* data() noexcept { return data_.data(); }

  /// A null in a column, and what its children hold below one. Takes at most the node's null_size.
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
  /// The next value of a dense union is of that member, whose value comes next.
  void add_member(const column_plan& plan, std::uint32_t index, std::uint32_t position) {
    column_data& data = data_[index];
    data.values.put(static_cast<std::int8_t>(position));
    data.offsets.put(static_cast<std::int32_t>(data_[plan.nodes[index].children[position]].length));
    ++data.length;
  }

  /// Forgets what follows the first `count` values of a column, in its children too.
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
  /// Makes room for `whole` rows, of which the first `part` are in, where the others are like those. Not
  /// where that took more than `most` bytes.
  void expect(std::size_t part, std::size_t whole, std::size_t most) {
    const std::size_t times = whole / part + 1;
    if (size() > most / times) return;
    for (column_data& each : data_)
      for (column_buffer* of : {&each.validity, &each.offsets, &each.values})
        if (of->size() >= 64) of->reserve(of->size() * times + of->size() * times / 16);
  }
  /// Bytes of all columns.
  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t total = 0;
    for (const column_data& each : data_)
      total += each.validity.size() + each.offsets.size() + each.values.size();
    return total;
  }
  /// The greatest offset or byte count that Arrow's 32-bit offsets have to hold.
  [[nodiscard]] std::size_t longest() const noexcept {
    std::size_t most = 0;
    for (const column_data& each : data_) {
      if (each.length > most) most = each.length;
      if (!each.offsets.empty() && each.values.size() > most) most = each.values.size();
    }
    return most;
  }
  /// A column ready for the next batch.
  void begin(const column_node& node, std::uint32_t index) {
    data_[index] = column_data(memory_.get());
    const bool has_offsets =
        node.form == column_form::bytes || node.form == column_form::list || node.form == column_form::map;
    if (has_offsets) data_[index].offsets.put(std::int32_t{0});
  }
  /// Where the columns' memory is from; may be null.
  /// Moved from: a plan has nodes.
  [[nodiscard]] bool empty() const noexcept { return data_.empty(); }
  [[nodiscard]] const std::shared_ptr<column_memory>& memory() const noexcept { return memory_; }

 private:
  // What a value that was not finished left behind the last one.
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
  // Each member's column begins its forgotten values where the first of them is.
  void cut_members(const column_plan& plan, std::uint32_t index, std::size_t count) {
    const column_data& data = data_[index];
    std::vector<bool> done(plan.nodes[index].children.size());
    for (std::size_t i = count; i < data.length; ++i) {
      const auto member = static_cast<std::uint8_t>(data.values.at<std::int8_t>(i));
      if (done[member]) continue;
      done[member] = true;
      cut(plan, plan.nodes[index].children[member], data.begin_of(i));
    }
  }

  std::shared_ptr<column_memory> memory_;  // outlives the columns
  std::vector<column_data> data_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
