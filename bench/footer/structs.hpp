// structs: the Thrift part of a Parquet footer as structs bound by field ids. They have all fields that
// Arrow's structs have for files written by pyarrow.
#pragma once

#include <thriftlens/codec.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace footer {

template <class T>
using maybe = std::optional<T>;

struct nothing {};
struct decimal_type {
  std::int32_t scale = 0, precision = 0;
};
struct time_unit {
  maybe<nothing> millis, micros, nanos;
};
struct time_type {
  bool is_adjusted = false;
  time_unit unit;
};
struct int_type {
  std::int8_t width = 0;
  bool is_signed = false;
};
struct logical_type {
  maybe<nothing> string, map, list, enum_, date, unknown, json, bson, uuid, float16;
  maybe<decimal_type> decimal;
  maybe<time_type> time, timestamp;
  maybe<int_type> integer;
};
template <class Text>
struct schema_element {
  maybe<std::int32_t> type, type_length, repetition;
  Text name;
  maybe<std::int32_t> num_children, converted, scale, precision, field_id;
  maybe<logical_type> logical;
};
template <class Text>
struct statistics {
  maybe<Text> max, min;
  maybe<std::int64_t> null_count, distinct_count;
  maybe<Text> max_value, min_value;
  maybe<bool> is_max_exact, is_min_exact;
};
struct encoding_stats {
  std::int32_t page_type = 0, encoding = 0, count = 0;
};
struct size_statistics {
  maybe<std::int64_t> bytes;
  maybe<std::vector<std::int64_t>> repetition, definition;
};
template <class Text>
struct key_value {
  Text key;
  maybe<Text> value;
};
template <class Text>
struct column_metadata {
  std::int32_t type = 0;
  std::vector<std::int32_t> encodings;
  std::vector<Text> path;
  std::int32_t codec = 0;
  std::int64_t num_values = 0, uncompressed = 0, compressed = 0;
  maybe<std::vector<key_value<Text>>> key_values;
  std::int64_t data_page = 0;
  maybe<std::int64_t> index_page, dictionary_page;
  maybe<statistics<Text>> stats;
  maybe<std::vector<encoding_stats>> encoding;
  maybe<std::int64_t> bloom_offset;
  maybe<std::int32_t> bloom_length;
  maybe<size_statistics> sizes;
};
template <class Text>
struct column_chunk {
  maybe<Text> file_path;
  std::int64_t file_offset = 0;
  maybe<column_metadata<Text>> meta;
  maybe<std::int64_t> offset_index_offset, column_index_offset;
  maybe<std::int32_t> offset_index_length, column_index_length;
};
struct sorting_column {
  std::int32_t column = 0;
  bool descending = false, nulls_first = false;
};
template <class Text>
struct row_group {
  std::vector<column_chunk<Text>> columns;
  std::int64_t total_byte_size = 0, num_rows = 0;
  maybe<std::vector<sorting_column>> sorting;
  maybe<std::int64_t> file_offset, compressed;
  maybe<std::int16_t> ordinal;
};
struct column_order {
  maybe<nothing> type_order;
};
template <class Text>
struct metadata {
  std::int32_t version = 0;
  std::vector<schema_element<Text>> schema;
  std::int64_t num_rows = 0;
  std::vector<row_group<Text>> row_groups;
  maybe<std::vector<key_value<Text>>> key_values;
  maybe<Text> created_by;
  maybe<std::vector<column_order>> orders;
};

}  // namespace footer

namespace thriftlens::inline THRIFTLENS_ABI {

template <>
struct binding<footer::nothing> : fields<> {};
template <>
struct binding<footer::decimal_type>
    : fields<field<1, &footer::decimal_type::scale>, field<2, &footer::decimal_type::precision>> {};
template <>
struct binding<footer::time_unit>
    : fields<field<1, &footer::time_unit::millis>, field<2, &footer::time_unit::micros>,
             field<3, &footer::time_unit::nanos>> {};
template <>
struct binding<footer::time_type>
    : fields<field<1, &footer::time_type::is_adjusted>, field<2, &footer::time_type::unit>> {};
template <>
struct binding<footer::int_type>
    : fields<field<1, &footer::int_type::width>, field<2, &footer::int_type::is_signed>> {};
template <>
struct binding<footer::logical_type>
    : fields<field<1, &footer::logical_type::string>, field<2, &footer::logical_type::map>,
             field<3, &footer::logical_type::list>, field<4, &footer::logical_type::enum_>,
             field<5, &footer::logical_type::decimal>, field<6, &footer::logical_type::date>,
             field<7, &footer::logical_type::time>, field<8, &footer::logical_type::timestamp>,
             field<10, &footer::logical_type::integer>, field<11, &footer::logical_type::unknown>,
             field<12, &footer::logical_type::json>, field<13, &footer::logical_type::bson>,
             field<14, &footer::logical_type::uuid>, field<15, &footer::logical_type::float16>> {};
template <class Text>
struct binding<footer::schema_element<Text>>
    : fields<
          field<1, &footer::schema_element<Text>::type>, field<2, &footer::schema_element<Text>::type_length>,
          field<3, &footer::schema_element<Text>::repetition>, field<4, &footer::schema_element<Text>::name>,
          field<5, &footer::schema_element<Text>::num_children>,
          field<6, &footer::schema_element<Text>::converted>, field<7, &footer::schema_element<Text>::scale>,
          field<8, &footer::schema_element<Text>::precision>,
          field<9, &footer::schema_element<Text>::field_id>,
          field<10, &footer::schema_element<Text>::logical>> {};
template <class Text>
struct binding<footer::statistics<Text>>
    : fields<field<1, &footer::statistics<Text>::max>, field<2, &footer::statistics<Text>::min>,
             field<3, &footer::statistics<Text>::null_count>,
             field<4, &footer::statistics<Text>::distinct_count>,
             field<5, &footer::statistics<Text>::max_value>, field<6, &footer::statistics<Text>::min_value>,
             field<7, &footer::statistics<Text>::is_max_exact>,
             field<8, &footer::statistics<Text>::is_min_exact>> {};
template <>
struct binding<footer::encoding_stats>
    : fields<field<1, &footer::encoding_stats::page_type>, field<2, &footer::encoding_stats::encoding>,
             field<3, &footer::encoding_stats::count>> {};
template <>
struct binding<footer::size_statistics>
    : fields<field<1, &footer::size_statistics::bytes>, field<2, &footer::size_statistics::repetition>,
             field<3, &footer::size_statistics::definition>> {};
template <class Text>
struct binding<footer::key_value<Text>>
    : fields<field<1, &footer::key_value<Text>::key>, field<2, &footer::key_value<Text>::value>> {};
template <class Text>
struct binding<footer::column_metadata<Text>>
    : fields<field<1, &footer::column_metadata<Text>::type>,
             field<2, &footer::column_metadata<Text>::encodings>,
             field<3, &footer::column_metadata<Text>::path>, field<4, &footer::column_metadata<Text>::codec>,
             field<5, &footer::column_metadata<Text>::num_values>,
             field<6, &footer::column_metadata<Text>::uncompressed>,
             field<7, &footer::column_metadata<Text>::compressed>,
             field<8, &footer::column_metadata<Text>::key_values>,
             field<9, &footer::column_metadata<Text>::data_page>,
             field<10, &footer::column_metadata<Text>::index_page>,
             field<11, &footer::column_metadata<Text>::dictionary_page>,
             field<12, &footer::column_metadata<Text>::stats>,
             field<13, &footer::column_metadata<Text>::encoding>,
             field<14, &footer::column_metadata<Text>::bloom_offset>,
             field<15, &footer::column_metadata<Text>::bloom_length>,
             field<16, &footer::column_metadata<Text>::sizes>> {};
template <class Text>
struct binding<footer::column_chunk<Text>>
    : fields<field<1, &footer::column_chunk<Text>::file_path>,
             field<2, &footer::column_chunk<Text>::file_offset>, field<3, &footer::column_chunk<Text>::meta>,
             field<4, &footer::column_chunk<Text>::offset_index_offset>,
             field<5, &footer::column_chunk<Text>::offset_index_length>,
             field<6, &footer::column_chunk<Text>::column_index_offset>,
             field<7, &footer::column_chunk<Text>::column_index_length>> {};
template <>
struct binding<footer::sorting_column>
    : fields<field<1, &footer::sorting_column::column>, field<2, &footer::sorting_column::descending>,
             field<3, &footer::sorting_column::nulls_first>> {};
template <class Text>
struct binding<footer::row_group<Text>>
    : fields<field<1, &footer::row_group<Text>::columns>, field<2, &footer::row_group<Text>::total_byte_size>,
             field<3, &footer::row_group<Text>::num_rows>, field<4, &footer::row_group<Text>::sorting>,
             field<5, &footer::row_group<Text>::file_offset>, field<6, &footer::row_group<Text>::compressed>,
             field<7, &footer::row_group<Text>::ordinal>> {};
template <>
struct binding<footer::column_order> : fields<field<1, &footer::column_order::type_order>> {};
template <class Text>
struct binding<footer::metadata<Text>>
    : fields<field<1, &footer::metadata<Text>::version>, field<2, &footer::metadata<Text>::schema>,
             field<3, &footer::metadata<Text>::num_rows>, field<4, &footer::metadata<Text>::row_groups>,
             field<5, &footer::metadata<Text>::key_values>, field<6, &footer::metadata<Text>::created_by>,
             field<7, &footer::metadata<Text>::orders>> {};

}  // namespace thriftlens::inline THRIFTLENS_ABI
