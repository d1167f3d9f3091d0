// model: Thrift values as plain C++ trees, for tests that compare documents with decode, modify, encode.
#pragma once

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/schema/schema.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens_test {

namespace tl = thriftlens;

inline constexpr std::string_view dom_idl = R"(
  enum Color { RED = 0, GREEN = 1, BLUE = 5 }
  struct Leaf { 1: bool on, 2: i8 tiny, 3: i16 small, 4: i32 number, 5: i64 big, 6: double real, 7: string text, 8: binary raw, 9: Color color, 10: uuid id }
  union Pick { 1: i32 number, 2: string text, 3: Leaf leaf }
  struct Tree {
    1: optional Leaf leaf
    2: optional list<Tree> kids
    3: optional map<string, Tree> named
    4: optional list<i32> numbers
    5: optional set<string> words
    6: optional map<i64, bool> flags
    7: optional list<list<bool>> bits
    8: optional map<Color, list<double>> reals
    9: optional Pick pick
    10: optional string name
    11: optional bool yes
    40: optional map<Leaf, i32> by_leaf
    2000: optional i16 far
  }
  struct Needs { 1: required i32 a, 2: optional i32 b, 3: required string c }
  struct Holder { 1: optional Needs needs, 2: optional Pick pick, 3: optional list<Needs> more }
)";

inline const tl::schema& dom_schema() {
  static const tl::schema loaded = tl::schema::parse(dom_idl);
  return loaded;
}

/// std::pair needs to know how its members are constructed, and this would lead back to the pair.
template <class First, class Second>
struct both {
  First first;
  Second second;
};

struct model {
  tl::ttype wire = tl::ttype::stop;
  std::int64_t number = 0;  ///< integers and bools
  double real = 0;
  std::string text = {};  ///< text, binary, uuid
  tl::ttype key = tl::ttype::stop, element = tl::ttype::stop;
  std::vector<both<std::int16_t, model>> fields = {};  ///< ids ascending
  std::vector<model> elements = {};
  std::vector<both<model, model>> entries = {};

  [[nodiscard]] std::size_t field(std::int16_t id) const {
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (fields[i].first == id) return i;
    return fields.size();
  }
};

template <class Writer>
void write_model(Writer& out, const model& of) {
  using tl::ttype;
  switch (static_cast<int>(of.wire)) {
    case 2:
      out.write_bool(of.number != 0);
      break;
    case 3:
      out.write_i8(static_cast<std::int8_t>(of.number));
      break;
    case 6:
      out.write_i16(static_cast<std::int16_t>(of.number));
      break;
    case 8:
      out.write_i32(static_cast<std::int32_t>(of.number));
      break;
    case 10:
      out.write_i64(of.number);
      break;
    case 4:
      out.write_double(of.real);
      break;
    case 11:
      out.write_bytes(tl::byte_view(of.text.data(), of.text.size()));
      break;
    case 16: {
      tl::uuid_bytes id{};
      std::copy(of.text.begin(), of.text.end(), id.begin());
      out.write_uuid(id);
      break;
    }
    case 12: {
      const tl::struct_mark mark = out.begin_struct();
      for (const auto& [id, value] : of.fields) {
        out.write_field(value.wire, id);
        write_model(out, value);
      }
      out.write_stop();
      out.end_struct(mark);
      break;
    }
    case 13:
      out.write_map({of.key, of.element, static_cast<std::uint32_t>(of.entries.size())});
      for (const auto& [key, value] : of.entries) {
        write_model(out, key);
        write_model(out, value);
      }
      break;
    default:
      out.write_list({of.element, static_cast<std::uint32_t>(of.elements.size())});
      for (const model& item : of.elements) write_model(out, item);
  }
}
template <class P>
std::string wire_bytes_of(const model& of) {
  tl::buffer bytes;
  typename P::writer out(bytes);
  write_model(out, of);
  return bytes.str();
}

using chance = std::mt19937;
inline std::size_t below(chance& random, std::size_t count) { return random() % count; }

inline model random_model(chance& random, tl::type of, int depth) {
  model result;
  result.wire = of.wire();
  const auto wide = static_cast<std::uint64_t>(random()) * (random() % 3 == 0 ? 1u : 0x100000001u);
  const std::int64_t any = static_cast<std::int64_t>(wide) >> (random() % 40);
  switch (of.kind()) {
    case tl::type_kind::bool_:
      result.number = any & 1;
      break;
    case tl::type_kind::i8:
      result.number = static_cast<std::int8_t>(any);
      break;
    case tl::type_kind::i16:
      result.number = static_cast<std::int16_t>(any);
      break;
    case tl::type_kind::i32:
      result.number = static_cast<std::int32_t>(any);
      break;
    case tl::type_kind::enum_:
      result.number = of.members()[below(random, of.members().size())].value();
      break;
    case tl::type_kind::i64:
      result.number = any;
      break;
    case tl::type_kind::double_:
      result.real = static_cast<double>(any) / 8;
      break;
    case tl::type_kind::string:
    case tl::type_kind::binary:
      result.text = std::string(below(random, 20), static_cast<char>('a' + below(random, 26))) +
                    std::to_string(random() % 1000);
      break;
    case tl::type_kind::uuid:
      result.text = std::string(16, static_cast<char>('0' + below(random, 10)));
      break;
    case tl::type_kind::list:
    case tl::type_kind::set:
      result.element = of.element().wire();
      for (std::size_t i = depth > 0 ? below(random, 5) : 0; i > 0; --i)
        result.elements.push_back(random_model(random, of.element(), depth - 1));
      break;
    case tl::type_kind::map: {
      result.key = of.key().wire();
      result.element = of.value().wire();
      std::vector<std::string> seen;
      for (std::size_t i = depth > 0 ? below(random, 5) : 0; i > 0; --i) {
        model key = random_model(random, of.key(), depth - 1);
        const std::string bytes = wire_bytes_of<tl::binary>(key);
        if (std::find(seen.begin(), seen.end(), bytes) != seen.end()) continue;
        seen.push_back(bytes);
        result.entries.emplace_back(std::move(key), random_model(random, of.value(), depth - 1));
      }
      break;
    }
    default: {
      std::vector<tl::field_info> items;
      for (tl::field_info field : of.fields()) items.push_back(field);
      if (of.kind() == tl::type_kind::union_) items = {items[below(random, items.size())]};
      for (tl::field_info field : items)
        if (of.kind() == tl::type_kind::union_ || field.required() ||
            (random() % 3 != 0 && (depth > 0 || !field.type().is_container()))) {
          if (field.type().is_struct() && depth <= 0) continue;
          result.fields.emplace_back(field.id(), random_model(random, field.type(), depth - 1));
        }
      if (of.kind() == tl::type_kind::struct_ && random() % 8 == 0) {
        model unknown;
        unknown.wire = tl::ttype::string;
        unknown.text = "unknown";
        result.fields.emplace_back(std::int16_t{3000}, unknown);
      }
    }
  }
  return result;
}

}  // namespace thriftlens_test
