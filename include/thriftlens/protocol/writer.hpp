// writer: appends the primitives of a protocol to a buffer.
#pragma once

#include <thriftlens/protocol/traits.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Appends the primitives of P to a borrowed buffer. For usage see concept.hpp.
template <class P>
class wire_writer {
 public:
  explicit wire_writer(buffer& output) noexcept : output_(&output) {}
  [[nodiscard]] buffer& output() const noexcept { return *output_; }

  struct_mark begin_struct() noexcept {
    const struct_mark outer{last_id_};
    last_id_ = 0;
    return outer;
  }
  void end_struct(struct_mark outer) noexcept { last_id_ = outer.last_id; }

  /// A bool that P has in the header is written by the write_bool() that follows, header and value.
  THRIFTLENS_INLINE void write_field(ttype type, std::int16_t field_id) {
    if constexpr (P::traits.has_inline_bool) {
      if (type == ttype::bool_) {
        bool_field_ = field_id;
        has_bool_field_ = true;
        return;
      }
    }
    output_->commit(P::put_field(output_->prepare(P::max_field_header), type, field_id, last_id_));
  }
  THRIFTLENS_INLINE void write_stop() { output_->commit(P::put_stop(output_->prepare(1))); }
  THRIFTLENS_INLINE void write_bool(bool value) {
    if constexpr (P::traits.has_inline_bool) {
      if (has_bool_field_) {
        has_bool_field_ = false;
        output_->commit(
            P::put_bool_field(output_->prepare(P::max_field_header), bool_field_, value, last_id_));
        return;
      }
    }
    output_->commit(P::put_bool(output_->prepare(1), value));
  }
  THRIFTLENS_INLINE void write_i8(std::int8_t value) { put_number(&P::put_i8, value); }
  THRIFTLENS_INLINE void write_i16(std::int16_t value) { put_number(&P::put_i16, value); }
  THRIFTLENS_INLINE void write_i32(std::int32_t value) { put_number(&P::put_i32, value); }
  THRIFTLENS_INLINE void write_i64(std::int64_t value) { put_number(&P::put_i64, value); }
  THRIFTLENS_INLINE void write_double(double value) { put_number(&P::put_double, value); }
  THRIFTLENS_INLINE void write_uuid(const uuid_bytes& value) {
    output_->commit(P::put_uuid(output_->prepare(P::uuid_size), value));
  }
  /// A string or binary of at most 2^31 - 1 bytes.
  void write_bytes(byte_view value) {
    THRIFTLENS_ASSERT(value.size() <= 0x7fffffffu);
    std::uint8_t* to = P::put_size(output_->prepare(P::max_length_prefix + value.size()),
                                   static_cast<std::uint32_t>(value.size()));
    if (!value.empty()) std::memcpy(to, value.data(), value.size());
    output_->commit(to + value.size());
  }

  THRIFTLENS_INLINE void write_list(list_header list) {
    output_->commit(P::put_list(output_->prepare(P::max_list_header), list));
  }
  THRIFTLENS_INLINE void write_set(list_header set) { write_list(set); }
  THRIFTLENS_INLINE void write_map(map_header map) {
    output_->commit(P::put_map(output_->prepare(P::max_map_header), map));
  }

  /// Header of a list of unknown size; end_list() sets it. If P's sizes vary in width, end_list() moves the
  /// elements by up to 5 bytes: linear in their bytes from 15 elements on.
  [[nodiscard]] container_mark begin_list(ttype element) {
    const container_mark mark{output_->size(), element, ttype::stop};
    write_list({element, 0});
    return mark;
  }
  void end_list(container_mark mark, std::uint32_t size) {
    const list_header list{mark.first, size};
    P::put_list(resize_header(mark.at, detail::header_size<P>(list_header{mark.first, 0}),
                              detail::header_size<P>(list)),
                list);
  }
  [[nodiscard]] container_mark begin_set(ttype element) { return begin_list(element); }
  void end_set(container_mark mark, std::uint32_t size) { end_list(mark, size); }

  /// Like begin_list(), for a map; end_map() moves the entries from 128 on.
  [[nodiscard]] container_mark begin_map(ttype key, ttype value) {
    const container_mark mark{output_->size(), key, value};
    write_map({key, value, 1});  // an empty one may have a shorter header
    return mark;
  }
  void end_map(container_mark mark, std::uint32_t size) {
    const map_header map{mark.first, mark.second, size};
    P::put_map(resize_header(mark.at, detail::header_size<P>(map_header{map.key, map.value, 1}),
                             detail::header_size<P>(map)),
               map);
  }

 private:
  template <class T>
  THRIFTLENS_INLINE void put_number(std::uint8_t* (*put)(std::uint8_t*, T) noexcept, T value) {
    output_->commit(put(output_->prepare(P::max_number), value));
  }
  // Resizes the header at offset `at` and returns its position.
  std::uint8_t* resize_header(std::size_t at, std::size_t old_size, std::size_t new_size) {
    if (old_size != new_size) [[unlikely]]
      move_tail(at + old_size, at + new_size);
    return output_->data() + at;
  }
  THRIFTLENS_NOINLINE void move_tail(std::size_t from, std::size_t to) {
    const std::size_t tail = output_->size() - from;
    if (to > from) static_cast<void>(output_->prepare(to - from));
    std::memmove(output_->data() + to, output_->data() + from, tail);
    output_->commit(output_->data() + to + tail);
  }

  buffer* output_;
  std::int16_t last_id_ = 0;
  std::int16_t bool_field_ = 0;
  bool has_bool_field_ = false;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
