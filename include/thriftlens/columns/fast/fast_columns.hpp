// fast_columns: reads fields into columns if they repeat the order of the previous struct. Stops at the first
// other field, container or struct, which the general reader handles.
#pragma once

#include <thriftlens/columns/column_set.hpp>
#include <thriftlens/columns/field_steps.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/cursor.hpp>
#include <thriftlens/protocol/traits.hpp>
#include <thriftlens/simd/utf8.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The reference implementation is column_writer, field by field.
template <protocol P>
class fast_columns {
 public:
  /// `budget`: bytes that can still be added to the columns.
  fast_columns(column_set& columns, const field_steps& steps, const limits& bounds,
               std::size_t& budget) noexcept
      : columns_(columns.data()), steps_(steps.data()), budget_(budget), string_size_(bounds.string_size) {}

  /// Reads fields from `here` on while they are numbers or texts and match the predictions. `last` is the
  /// step of the previous field, and finally that of the last field read; `here` is then before the next
  /// header. Returns the number of added values. Otherwise nothing changes.
  [[nodiscard]] THRIFTLENS_INLINE std::uint32_t run(wire_position& here, byte_ptr end, std::uint32_t& last) {
    const column_step* const steps = steps_;
    const column_step* at = steps + last;
    byte_ptr from = here.at;
    std::int16_t id = here.last_id;
    std::uint32_t added = 0;
    for (;;) {
      const column_step* const next = steps + at->next;
      if (next->task > last_fast_task) break;
      const begun field = begin(*next, from, end, id);
      if (field.value == nullptr) break;
      const byte_ptr field_end = take(*next, field, end);
      if (field_end == nullptr) break;
      from = field_end;
      id = next->id;
      added += next->task != column_task::pass ? 1u : 0u;
      at = next;
    }
    here.at = from;
    if constexpr (P::traits.headers_are_deltas) here.last_id = id;
    last = static_cast<std::uint32_t>(at - steps);
    return added;
  }
  /// The byte after the stop if it is predicted after `last` and present, else nullptr.
  [[nodiscard]] THRIFTLENS_INLINE byte_ptr stop(const wire_position& here, byte_ptr end, std::uint32_t last) {
    if (steps_[steps_[last].next].task != column_task::stop) return nullptr;
    if constexpr (P::traits.has_fixed_layout) return here.at != end && *here.at == 0 ? here.at + 1 : nullptr;
    wire_field field;
    errc unused = errc::ok;
    std::int16_t id = here.last_id;
    const byte_ptr field_end = P::get_field(here.at, end, id, field, unused);
    return field.header.type == ttype::stop ? field_end : nullptr;
  }

 private:
  static constexpr column_task last_fast_task = column_task::bytes;

  struct begun {
    byte_ptr value;  ///< after the header; nullptr if the header differs
    std::int8_t truth;
  };
  THRIFTLENS_INLINE static begun begin(const column_step& step, byte_ptr from, byte_ptr end,
                                       std::int16_t last_id) {
    if constexpr (P::traits.has_fixed_layout) {
      // No field is shorter than its header and a byte.
      const bool matches = end - from >= 4 && (load_le<std::uint32_t>(from) ^ step.header) << 8 == 0;
      return {matches ? from + 3 : nullptr, -1};
    }
    wire_field field;
    errc unused = errc::ok;
    const byte_ptr value = P::get_field(from, end, last_id, field, unused);
    const bool matches = value != nullptr && field.header.id == step.id && field.header.type == step.wire;
    return {matches ? value : nullptr, field.inline_bool};
  }
  // Returns the end of the value, or nullptr.
  THRIFTLENS_INLINE byte_ptr take(const column_step& step, const begun& field, byte_ptr end) {
    if (step.task == column_task::pass) return pass(step.wire, field, end);
    return value(step.task, columns_[step.child], field, end);
  }
  THRIFTLENS_INLINE byte_ptr value(column_task task, column_data& data, const begun& field, byte_ptr end) {
    const byte_ptr from = field.value;
    switch (task) {
      case column_task::boolean:
        return boolean(data, field, end);
      case column_task::i8:
        return number<std::int8_t>(data, from, end);
      case column_task::i16:
        return number<std::int16_t>(data, from, end);
      case column_task::i32:
        return number<std::int32_t>(data, from, end);
      case column_task::i64:
        return number<std::int64_t>(data, from, end);
      case column_task::real:
        return number<double>(data, from, end);
      case column_task::text:
        return text<true>(data, from, end);
      case column_task::bytes:
        return text<false>(data, from, end);
      default:
        return nullptr;
    }
  }
  template <class T>
  THRIFTLENS_INLINE static byte_ptr number(column_data& data, byte_ptr from, byte_ptr end) {
    T value{};
    errc unused = errc::ok;
    const byte_ptr value_end = P::get_number(from, end, value, unused);
    if (value_end == nullptr) return nullptr;
    data.values.put(value);
    data.add_valid();
    return value_end;
  }
  THRIFTLENS_INLINE static byte_ptr boolean(column_data& data, const begun& field, byte_ptr end) {
    const bool is_inline = P::traits.has_inline_bool;
    if (!is_inline && field.value == end) return nullptr;
    data.values.put_bit(data.length, is_inline ? field.truth == 1 : P::to_bool(*field.value));
    data.add_valid();
    return is_inline ? field.value : field.value + 1;
  }
  template <bool IsText>
  THRIFTLENS_INLINE byte_ptr text(column_data& data, byte_ptr from, byte_ptr end) {
    byte_view value;
    errc unused = errc::ok;
    const byte_ptr value_end = P::get_bytes(from, end, string_size_, value, unused);
    if (value_end == nullptr || value.size() > budget_) return nullptr;
    if (IsText && !simd::valid_utf8(value)) return nullptr;
    budget_ -= value.size();
    data.values.append(value);
    data.offsets.put(static_cast<std::int32_t>(data.values.size()));
    data.add_valid();
    return value_end;
  }
  // Numbers and strings alone.
  THRIFTLENS_INLINE static byte_ptr pass(ttype wire, const begun& field, byte_ptr end) {
    const byte_ptr from = field.value;
    if (P::traits.has_inline_bool && field.truth >= 0) return from;
    errc unused = errc::ok;
    if (const std::size_t width = element_width<P>(wire))
      return width <= static_cast<std::size_t>(end - from) ? from + width : nullptr;
    if (wire == ttype::string) {
      std::uint32_t size = 0;
      const byte_ptr text = P::get_size(from, end, size, unused);
      return text != nullptr && size <= static_cast<std::size_t>(end - text) ? text + size : nullptr;
    }
    return pass_varying(wire, from, end);
  }
  THRIFTLENS_INLINE static byte_ptr pass_varying(ttype wire, byte_ptr from, byte_ptr end) {
    errc unused = errc::ok;
    std::int16_t narrow = 0;
    std::int32_t middle = 0;
    std::int64_t wide = 0;
    if (wire == ttype::i16) return P::get_number(from, end, narrow, unused);
    if (wire == ttype::i32) return P::get_number(from, end, middle, unused);
    return wire == ttype::i64 ? P::get_number(from, end, wide, unused) : nullptr;
  }

  column_data* columns_;
  const column_step* steps_;
  std::size_t& budget_;
  std::uint32_t string_size_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
