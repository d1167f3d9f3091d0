// converter: copies a value from a reader of one protocol to a writer of the other, without a schema.
#pragma once

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/dispatch.hpp>
#include <thriftlens/protocol/key_step.hpp>
#include <thriftlens/protocol/walk.hpp>

#include <cstdint>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

template <class Value>
THRIFTLENS_INLINE bool copy_number(auto& in, auto& out, auto read, auto write) {
  Value value{};
  if (!(in.*read)(value)) return false;
  (out.*write)(value);
  return true;
}
/// Copies a value that is neither a struct nor a container.
template <class Reader, class Writer, ttype Type>
  requires(!has_children(Type))
THRIFTLENS_INLINE bool copy_scalar(Reader& in, Writer& out, ttype_constant<Type>) {
  if constexpr (Type == ttype::bool_) {
    return copy_number<bool>(in, out, &Reader::read_bool, &Writer::write_bool);
  } else if constexpr (Type == ttype::i8) {
    return copy_number<std::int8_t>(in, out, &Reader::read_i8, &Writer::write_i8);
  } else if constexpr (Type == ttype::i16) {
    return copy_number<std::int16_t>(in, out, &Reader::read_i16, &Writer::write_i16);
  } else if constexpr (Type == ttype::i32) {
    return copy_number<std::int32_t>(in, out, &Reader::read_i32, &Writer::write_i32);
  } else if constexpr (Type == ttype::i64) {
    return copy_number<std::int64_t>(in, out, &Reader::read_i64, &Writer::write_i64);
  } else if constexpr (Type == ttype::double_) {
    return copy_number<double>(in, out, &Reader::read_double, &Writer::write_double);
  } else if constexpr (Type == ttype::uuid) {
    return copy_number<uuid_bytes>(in, out, &Reader::read_uuid, &Writer::write_uuid);
  } else {
    byte_view bytes;
    if (!in.read_bytes(bytes)) return false;
    out.write_bytes(bytes);
    return true;
  }
}

/// Copies values from a reader to a writer. Linear; recursion is bounded by the reader's depth limit.
///
/// Differences: an empty map has no types in Compact, so in Binary both are ttype stop, which Compact's
/// readers report and all readers accept for empty maps. Numbers, headers and bools are written in their
/// shortest form, so other encodings are normalized.
template <protocol From, protocol To>
class converter : public walk<converter<From, To>, From> {
  using base = walk<converter<From, To>, From>;
  friend base;

 public:
  converter(typename From::reader& in, typename To::writer& out, const limits& bounds = {}) noexcept
      : base(in), out_(out), max_size_(output_end(out.output().size(), bounds.max_output(in.remaining()))) {}

  /// Copies one value. After false, the reader's fault() and path() describe the error; the output has the
  /// bytes written before it.
  [[nodiscard]] bool value(ttype type) {
    if (!is_value_type(type)) return in_.reject(errc::bad_ttype);
    return copy_value(type);
  }
  /// Path of the value that could not be converted: "$.#3[2]". Valid after a failure of value().
  [[nodiscard]] std::string path() const { return path_.text(); }

 private:
  using base::in_;
  template <ttype Type>
  using constant = ttype_constant<Type>;

  THRIFTLENS_INLINE bool copy_value(ttype type) {
    return visit_ttype(type, [this](auto known) { return this->copy_value(known); });
  }
  template <ttype Type>
  THRIFTLENS_INLINE bool copy_value(constant<Type> scalar) {
    return copy_scalar(in_, out_, scalar) && fits();
  }
  bool copy_value(constant<ttype::struct_>) {
    const struct_mark outer = out_.begin_struct();
    const bool is_copied = this->each_field(no_type, [this](const walked_field& field) {
      out_.write_field(field.header.type, field.header.id);
      return copy_value(field.header.type) || path_.field_id(field.header.id);
    });
    if (!is_copied) return false;
    out_.write_stop();
    out_.end_struct(outer);
    return fits();
  }
  bool copy_value(constant<ttype::list>) { return elements(ttype::list); }
  bool copy_value(constant<ttype::set>) { return elements(ttype::set); }
  bool copy_value(constant<ttype::map>) {
    return this->in_map(no_type, [this](const map_header& map, auto...) {
      out_.write_map(map);
      for (std::uint32_t i = 0; i < map.size; ++i)
        if (!entry(map, i)) return false;
      return fits();
    });
  }
  bool entry(const map_header& map, std::uint32_t number) {
    const byte_ptr key = in_.at();
    if (!copy_value(map.key)) return path_.key_at(number);
    const byte_ptr end = in_.at();
    return copy_value(map.value) ||
           add_key_step<From>(path_, {key, static_cast<std::size_t>(end - key)}, map.key);
  }

  bool elements(ttype wire) {
    return this->in_sequence(wire, no_type, [&](const list_header& list, auto...) {
      if (wire == ttype::set)
        out_.write_set(list);
      else
        out_.write_list(list);
      if (list.size == 0) return fits();
      return visit_ttype(list.element, [&](auto element) {
        for (std::uint32_t i = 0; i < list.size; ++i)
          if (!this->copy_value(element)) return path_.index(i);
        return fits();
      });
    });
  }
  THRIFTLENS_INLINE bool fits() noexcept {
    return out_.output().size() <= max_size_ || in_.reject(errc::output_limit);
  }

  typename To::writer& out_;
  std::size_t max_size_;
  path_builder path_{path_builder::order::innermost_first};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
