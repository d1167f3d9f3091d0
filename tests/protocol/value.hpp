// value: any Thrift value as a tree, for tests that write it with one library and read it with another.
#pragma once

#include <thriftlens/protocol/select.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace thriftlens_test {

namespace tl = thriftlens;
using tl::ttype;

struct value {
  ttype type = ttype::struct_;
  std::int64_t number = 0;        ///< bool and integers; a double's bits
  std::string bytes;              ///< string and uuid
  ttype key = ttype::stop;        ///< of a map
  ttype element = ttype::stop;    ///< of a list, a set; a map's values
  std::vector<std::int16_t> ids;  ///< of a struct, one an item
  std::vector<value> items;       ///< fields, elements, or alternating keys and values

  friend bool operator==(const value&, const value&) = default;
};

struct random_values {
  std::mt19937_64 random;
  bool with_uuid = true;

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random() % bound); }
  ttype type(int depth) {
    static constexpr ttype full[] = {
        ttype::bool_,  ttype::i8,   ttype::i16,     ttype::i32,  ttype::i64, ttype::double_, ttype::string,
        ttype::string, ttype::uuid, ttype::struct_, ttype::list, ttype::set, ttype::map};
    for (;;) {
      const ttype actual = full[below(depth > 0 ? 13 : 9)];
      if (actual != ttype::uuid || with_uuid) return actual;
    }
  }
  std::int64_t integer(unsigned bits) {
    const std::uint64_t wide = random() >> below(64);
    const auto shift = 64 - bits;
    return static_cast<std::int64_t>((below(2) != 0 ? wide : ~wide) << shift) >> shift;
  }
  std::string string(std::size_t size) {
    std::string text(size, '\0');
    for (char& character : text) character = static_cast<char>(random());
    return text;
  }
  std::size_t size() { return below(12) == 0 ? 100 + below(200) : below(20); }

  value make(ttype of, int depth) {
    value result;
    result.type = of;
    if (of == ttype::bool_) result.number = static_cast<std::int64_t>(below(2));
    if (of == ttype::i8) result.number = integer(8);
    if (of == ttype::i16) result.number = integer(16);
    if (of == ttype::i32) result.number = integer(32);
    if (of == ttype::i64) result.number = integer(64);
    if (of == ttype::double_)
      result.number = std::bit_cast<std::int64_t>(static_cast<double>(integer(50)) / 1024);
    if (of == ttype::string) result.bytes = string(size());
    if (of == ttype::uuid) result.bytes = string(16);
    if (of == ttype::struct_) fill_struct(result, depth);
    if (of == ttype::list || of == ttype::set) {
      result.element = type(depth - 1);
      for (std::size_t n = elements(result.element); n != 0; --n)
        result.items.push_back(make(result.element, depth - 1));
    }
    if (of == ttype::map) fill_map(result, depth);
    return result;
  }

 private:
  std::size_t elements(ttype of) {
    return tl::fixed_width(of) != 0 ? size() : below(5) == 0 ? 16 + below(4) : below(6);
  }
  void fill_struct(value& result, int depth) {
    std::int32_t id = below(4) == 0 ? -static_cast<std::int32_t>(below(1000)) : 0;
    for (std::uint64_t n = below(9); n != 0; --n) {
      id += below(6) == 0 ? static_cast<std::int32_t>(below(3000)) : 1 + static_cast<std::int32_t>(below(17));
      if (id > 32767) break;
      result.ids.push_back(static_cast<std::int16_t>(id));
      result.items.push_back(make(type(depth - 1), depth - 1));
    }
  }
  void fill_map(value& result, int depth) {
    result.key = type(depth - 1);
    result.element = type(depth - 1);
    for (std::size_t n = elements(result.key); n != 0; --n) {
      result.items.push_back(make(result.key, depth - 1));
      result.items.push_back(make(result.element, depth - 1));
    }
    if (result.items.empty()) result.key = result.element = ttype::stop;
  }
};

/// Reads and discards a value of `type`. False if the reader fails.
template <class Reader>
bool walk(Reader& in, ttype type) {
  bool flag = false;
  std::int8_t i8 = 0;
  std::int16_t i16 = 0;
  std::int32_t i32 = 0;
  std::int64_t i64 = 0;
  double number = 0;
  tl::byte_view bytes;
  tl::uuid_bytes unique;
  switch (type) {
    case ttype::bool_:
      return in.read_bool(flag);
    case ttype::i8:
      return in.read_i8(i8);
    case ttype::i16:
      return in.read_i16(i16);
    case ttype::i32:
      return in.read_i32(i32);
    case ttype::i64:
      return in.read_i64(i64);
    case ttype::double_:
      return in.read_double(number);
    case ttype::string:
      return in.read_bytes(bytes);
    case ttype::uuid:
      return in.read_uuid(unique);
    case ttype::struct_: {
      const tl::struct_mark outer = in.begin_struct();
      tl::field_header field;
      while (in.read_field(field) && field.type != ttype::stop)
        if (!walk(in, field.type)) return false;
      if (in.failed()) return false;
      in.end_struct(outer);
      return true;
    }
    case ttype::list:
    case ttype::set: {
      tl::list_header list;
      if (!(type == ttype::set ? in.read_set(list) : in.read_list(list)) || !in.enter()) return false;
      for (std::uint32_t i = 0; i < list.size; ++i)
        if (!walk(in, list.element)) return false;
      in.leave();
      return true;
    }
    case ttype::map: {
      tl::map_header map;
      if (!in.read_map(map) || !in.enter()) return false;
      for (std::uint32_t i = 0; i < map.size; ++i)
        if (!walk(in, map.key) || !walk(in, map.value)) return false;
      in.leave();
      return true;
    }
    default:
      return in.reject(tl::errc::bad_ttype);
  }
}

/// Reads a value of `type` into a tree.
template <class Reader>
bool read_value(Reader& in, ttype type, value& actual) {
  actual = {};
  actual.type = type;
  if (type == ttype::bool_) {
    bool flag = false;
    if (!in.read_bool(flag)) return false;
    actual.number = flag ? 1 : 0;
    return true;
  }
  const auto integer = [&](auto number, auto read) {
    if (!(in.*read)(number)) return false;
    actual.number = static_cast<std::int64_t>(number);
    return true;
  };
  if (type == ttype::i8) return integer(std::int8_t{}, &Reader::read_i8);
  if (type == ttype::i16) return integer(std::int16_t{}, &Reader::read_i16);
  if (type == ttype::i32) return integer(std::int32_t{}, &Reader::read_i32);
  if (type == ttype::i64) return integer(std::int64_t{}, &Reader::read_i64);
  if (type == ttype::double_) {
    double number = 0;
    if (!in.read_double(number)) return false;
    actual.number = std::bit_cast<std::int64_t>(number);
    return true;
  }
  if (type == ttype::string) {
    std::string_view text;
    if (!in.read_bytes(text)) return false;
    actual.bytes = text;
    return true;
  }
  if (type == ttype::uuid) {
    tl::uuid_bytes unique;
    if (!in.read_uuid(unique)) return false;
    actual.bytes.assign(reinterpret_cast<const char*>(unique.data()), unique.size());
    return true;
  }
  const auto item = [&](ttype of) { return read_value(in, of, actual.items.emplace_back()); };
  if (type == ttype::struct_) {
    const tl::struct_mark outer = in.begin_struct();
    tl::field_header field;
    while (in.read_field(field) && field.type != ttype::stop) {
      actual.ids.push_back(field.id);
      if (!item(field.type)) return false;
    }
    in.end_struct(outer);
    return !in.failed();
  }
  tl::map_header map;
  if (type == ttype::map) {
    if (!in.read_map(map) || !in.enter()) return false;
    actual.key = map.key;
    actual.element = map.value;
  } else {
    tl::list_header list;
    if (!(type == ttype::set ? in.read_set(list) : in.read_list(list)) || !in.enter()) return false;
    actual.element = list.element;
    map = {ttype::stop, list.element, list.size};
  }
  for (std::uint32_t i = 0; i < map.size; ++i)
    if ((type == ttype::map && !item(map.key)) || !item(map.value)) return false;
  in.leave();
  return true;
}

/// Writes a tree; `deferred` containers get their size afterwards.
template <class Writer>
void write_value(Writer& out, const value& from, bool deferred) {
  if (from.type == ttype::bool_) return out.write_bool(from.number != 0);
  if (from.type == ttype::i8) return out.write_i8(static_cast<std::int8_t>(from.number));
  if (from.type == ttype::i16) return out.write_i16(static_cast<std::int16_t>(from.number));
  if (from.type == ttype::i32) return out.write_i32(static_cast<std::int32_t>(from.number));
  if (from.type == ttype::i64) return out.write_i64(from.number);
  if (from.type == ttype::double_) return out.write_double(std::bit_cast<double>(from.number));
  if (from.type == ttype::string) return out.write_bytes(from.bytes);
  if (from.type == ttype::uuid) {
    tl::uuid_bytes unique;
    std::memcpy(unique.data(), from.bytes.data(), unique.size());
    return out.write_uuid(unique);
  }
  if (from.type == ttype::struct_) {
    const tl::struct_mark outer = out.begin_struct();
    for (std::size_t i = 0; i < from.items.size(); ++i) {
      out.write_field(from.items[i].type, from.ids[i]);
      write_value(out, from.items[i], deferred);
    }
    out.write_stop();
    return out.end_struct(outer);
  }
  const auto size =
      static_cast<std::uint32_t>(from.type == ttype::map ? from.items.size() / 2 : from.items.size());
  tl::container_mark mark;
  if (from.type == ttype::map) {
    if (deferred)
      mark = out.begin_map(from.key, from.element);
    else
      out.write_map({from.key, from.element, size});
  } else if (from.type == ttype::set) {
    if (deferred)
      mark = out.begin_set(from.element);
    else
      out.write_set({from.element, size});
  } else {
    if (deferred)
      mark = out.begin_list(from.element);
    else
      out.write_list({from.element, size});
  }
  for (const value& item : from.items) write_value(out, item, deferred);
  if (!deferred) return;
  if (from.type == ttype::map)
    out.end_map(mark, size);
  else if (from.type == ttype::set)
    out.end_set(mark, size);
  else
    out.end_list(mark, size);
}

template <class Protocol>
std::string to_bytes(const value& from, bool deferred = false) {
  tl::buffer bytes;
  typename Protocol::writer out(bytes);
  write_value(out, from, deferred);
  return bytes.str();
}

}  // namespace thriftlens_test
