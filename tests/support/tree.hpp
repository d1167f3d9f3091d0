// tree: a Thrift value as a plain C++ tree, written and read by Apache Thrift's C++ protocols; the oracle
// of the lens tests.
#pragma once

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>

#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace thriftlens_test {

using thriftlens::ttype;

struct tree_field;
struct tree_entry;

struct tree {
  ttype type = ttype::struct_;
  std::int64_t number = 0;  // bool, integers
  double real = 0;
  std::string text;
  ttype key_type = ttype::string;   // maps
  ttype element_type = ttype::i32;  // lists, sets, values of maps
  std::vector<tree_field> fields;
  std::vector<tree> elements;
  std::vector<tree_entry> entries;
  bool erased = false;  // by the model of edits: gone, but indices still count it
  bool added = false;   // by the model of edits: not counted by indices

  tree* find(std::int16_t id);
};

// Plain structs: clang cannot complete a std::pair of the class that contains a vector of it.
struct tree_field {
  std::int16_t first = 0;
  tree second;
  friend bool operator==(const tree_field& a, const tree_field& b);
};
struct tree_entry {
  tree first, second;
  friend bool operator==(const tree_entry& a, const tree_entry& b);
};
inline bool operator==(const tree& a, const tree& b) {
  return a.type == b.type && a.number == b.number && std::memcmp(&a.real, &b.real, 8) == 0 &&
         a.text == b.text && a.fields == b.fields && a.elements == b.elements && a.entries == b.entries;
}
inline bool operator==(const tree_field& a, const tree_field& b) {
  return a.first == b.first && a.second == b.second;
}
inline bool operator==(const tree_entry& a, const tree_entry& b) {
  return a.first == b.first && a.second == b.second;
}

inline tree* tree::find(std::int16_t id) {
  for (auto& [at, value] : fields) {
    if (at == id) return &value;
  }
  return nullptr;
}

inline tree number(ttype type, std::int64_t v) {
  tree made;
  made.type = type;
  made.number = v;
  return made;
}
inline tree boolean(bool v) { return number(ttype::bool_, v); }
inline tree i8(std::int64_t v) { return number(ttype::i8, v); }
inline tree i16(std::int64_t v) { return number(ttype::i16, v); }
inline tree i32(std::int64_t v) { return number(ttype::i32, v); }
inline tree i64(std::int64_t v) { return number(ttype::i64, v); }
inline tree real(double v) {
  tree made = number(ttype::double_, 0);
  made.real = v;
  return made;
}
inline tree text(std::string v) {
  tree made = number(ttype::string, 0);
  made.text = std::move(v);
  return made;
}
inline tree structure(std::vector<tree_field> fields) {
  tree made;
  made.fields = std::move(fields);
  return made;
}
inline tree list(ttype element, std::vector<tree> elements, ttype type = ttype::list) {
  tree made = number(type, 0);
  made.element_type = element;
  made.elements = std::move(elements);
  return made;
}
inline tree map(ttype key, ttype value, std::vector<tree_entry> entries) {
  tree made = number(ttype::map, 0);
  made.key_type = key;
  made.element_type = value;
  made.entries = std::move(entries);
  return made;
}

namespace by_apache {

namespace tp = ::apache::thrift::protocol;
namespace tt = ::apache::thrift::transport;

inline tp::TType wire(ttype type) { return static_cast<tp::TType>(type); }

inline void write(tp::TProtocol& out, const tree& value) {
  switch (value.type) {
    case ttype::bool_:
      out.writeBool(value.number != 0);
      return;
    case ttype::i8:
      out.writeByte(static_cast<std::int8_t>(value.number));
      return;
    case ttype::i16:
      out.writeI16(static_cast<std::int16_t>(value.number));
      return;
    case ttype::i32:
      out.writeI32(static_cast<std::int32_t>(value.number));
      return;
    case ttype::i64:
      out.writeI64(value.number);
      return;
    case ttype::double_:
      out.writeDouble(value.real);
      return;
    case ttype::string:
      out.writeBinary(value.text);
      return;
    case ttype::struct_:
      out.writeStructBegin("");
      for (const auto& [id, field] : value.fields) {
        out.writeFieldBegin("", wire(field.type), id);
        write(out, field);
        out.writeFieldEnd();
      }
      out.writeFieldStop();
      out.writeStructEnd();
      return;
    case ttype::list:
      out.writeListBegin(wire(value.element_type), static_cast<std::uint32_t>(value.elements.size()));
      for (const tree& each : value.elements) write(out, each);
      out.writeListEnd();
      return;
    case ttype::set:
      out.writeSetBegin(wire(value.element_type), static_cast<std::uint32_t>(value.elements.size()));
      for (const tree& each : value.elements) write(out, each);
      out.writeSetEnd();
      return;
    case ttype::map:
      out.writeMapBegin(wire(value.key_type), wire(value.element_type),
                        static_cast<std::uint32_t>(value.entries.size()));
      for (const auto& [key, each] : value.entries) {
        write(out, key);
        write(out, each);
      }
      out.writeMapEnd();
      return;
    default:
      throw std::logic_error("no such type");
  }
}

inline tree read(tp::TProtocol& in, ttype type) {
  tree value;
  value.type = type;
  std::int8_t b = 0;
  std::int16_t s = 0;
  std::int32_t w = 0;
  bool flag = false;
  std::uint32_t size = 0;
  std::string name;
  tp::TType first{}, second{};
  switch (type) {
    case ttype::bool_:
      in.readBool(flag), value.number = flag;
      break;
    case ttype::i8:
      in.readByte(b), value.number = b;
      break;
    case ttype::i16:
      in.readI16(s), value.number = s;
      break;
    case ttype::i32:
      in.readI32(w), value.number = w;
      break;
    case ttype::i64:
      in.readI64(value.number);
      break;
    case ttype::double_:
      in.readDouble(value.real);
      break;
    case ttype::string:
      in.readBinary(value.text);
      break;
    case ttype::struct_:
      in.readStructBegin(name);
      for (;;) {
        std::int16_t id = 0;
        in.readFieldBegin(name, first, id);
        if (first == tp::T_STOP) break;
        value.fields.emplace_back(id, read(in, static_cast<ttype>(first)));
        in.readFieldEnd();
      }
      in.readStructEnd();
      break;
    case ttype::list:
    case ttype::set:
      if (type == ttype::list)
        in.readListBegin(first, size);
      else
        in.readSetBegin(first, size);
      value.element_type = static_cast<ttype>(first);
      for (std::uint32_t i = 0; i < size; ++i) value.elements.push_back(read(in, value.element_type));
      if (type == ttype::list)
        in.readListEnd();
      else
        in.readSetEnd();
      break;
    case ttype::map:
      in.readMapBegin(first, second, size);
      value.key_type = static_cast<ttype>(first);
      value.element_type = static_cast<ttype>(second);
      for (std::uint32_t i = 0; i < size; ++i) {
        tree key = read(in, value.key_type);
        value.entries.emplace_back(std::move(key), read(in, value.element_type));
      }
      in.readMapEnd();
      break;
    default:
      throw std::logic_error("no such type");
  }
  return value;
}

template <class P>
using protocol_for =
    std::conditional_t<std::is_same_v<P, thriftlens::binary>, tp::TBinaryProtocol, tp::TCompactProtocol>;

}  // namespace by_apache

/// The value as Apache Thrift writes it in protocol P.
template <class P>
[[nodiscard]] std::string encode(const tree& value) {
  auto memory = std::make_shared<by_apache::tt::TMemoryBuffer>();
  by_apache::protocol_for<P> out(memory);
  by_apache::write(out, value);
  return memory->getBufferAsString();
}

/// The value as read by Apache Thrift. Throws Apache's exceptions, and for trailing bytes.
template <class P>
[[nodiscard]] tree decode(std::string_view bytes, ttype type = ttype::struct_) {
  std::string copy(bytes);
  auto memory = std::make_shared<by_apache::tt::TMemoryBuffer>(reinterpret_cast<std::uint8_t*>(copy.data()),
                                                               static_cast<std::uint32_t>(copy.size()));
  by_apache::protocol_for<P> in(memory);
  tree value = by_apache::read(in, type);
  if (memory->available_read() != 0) throw std::runtime_error("bytes are left over");
  return value;
}

}  // namespace thriftlens_test
