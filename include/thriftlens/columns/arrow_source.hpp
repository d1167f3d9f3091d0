// arrow_source: an Arrow array of a caller, as values of a Thrift type.
#pragma once

#include <thriftlens/columns/arrow_abi.hpp>
#include <thriftlens/columns/arrow_blobs.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Layout of the values of an array.
enum class arrow_form : std::uint8_t {
  nothing,
  bits,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f32,
  f64,
  bytes,
  list,
  large_list,
  fixed_list,
  structure,
  group,  ///< columns "outer.inner" that together form a struct
  dense_union,
  sparse_union,
  dictionary
};

/// One array. Indices are those of the array, before its offset.
struct arrow_source {
  static constexpr std::uint32_t none = 0xffffffffu;

  /// A field of a struct, and the source of its values.
  struct member {
    std::uint32_t source = none;  ///< none: no column
    std::uint32_t field = image::none;
    std::int16_t id = 0;
    ttype wire = ttype::stop;
    bool required = false;
  };

  arrow_form form = arrow_form::nothing;
  type_kind kind = type_kind::void_;  ///< the Thrift type of the values
  ttype wire = ttype::stop;
  bool is_exact = false;  ///< numbers of the type's width, which need no range check
  bool is_text = false;   ///< bytes that are strings
  type of;
  const std::uint8_t* validity = nullptr;  ///< null: none is null
  const std::uint8_t* values = nullptr;    ///< numbers, bits, type ids of unions, indices of dictionaries
  const std::uint8_t* offsets = nullptr;
  std::size_t offset = 0;
  std::size_t length = 0;
  std::size_t width = 0;                        ///< of fixed_list: elements; of dictionary: bytes of an index
  arrow_form index_form = arrow_form::nothing;  ///< of dictionary
  arrow_blobs blobs = {};
  std::vector<std::uint32_t> children = {};    ///< element; key and value; values of a dictionary
  std::vector<member> members = {};            ///< structs: in order of ids; unions: by position
  std::vector<std::uint32_t> by_type_id = {};  ///< unions: position in members, or none

  [[nodiscard]] bool has_null_bit(std::size_t index) const noexcept {
    const std::size_t at = offset + index;
    return validity != nullptr && (validity[at / 8] >> at % 8 & 1) == 0;
  }
  template <class T>
  [[nodiscard]] T value_at(const std::uint8_t* from, std::size_t index) const noexcept {
    T value;
    std::memcpy(&value, from + (offset + index) * sizeof value, sizeof value);
    return value;
  }
};

/// Node 0 is the struct of the columns. Borrowed: valid while the array is.
struct arrow_source_tree {
  std::vector<arrow_source> nodes;

  /// `unknown`: the effect of a column that the type does not know. `invalid`: keep accepts columns of bytes
  /// for strings. Errors: value_type if a column's type does not match its field, unknown_field,
  /// duplicate_field, depth_limit, all with the path; wrong_type if the structs contradict each other or `of`
  /// is not a struct.
  [[nodiscard]] static result<arrow_source_tree> try_make(type of, const ArrowSchema& schema,
                                                          const ArrowArray& array, on_unknown unknown,
                                                          const limits& bounds,
                                                          on_invalid_utf8 invalid = on_invalid_utf8::error);
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/columns/arrow_source.ipp>
#endif
