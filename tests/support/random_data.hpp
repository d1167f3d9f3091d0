// random_data: random schemas, and random values of their types.
#pragma once

#include "support/tree.hpp"

#include <thriftlens/path/selection.hpp>
#include <thriftlens/schema/schema.hpp>

#include <algorithm>
#include <random>
#include <string>

namespace thriftlens_test {

class randomness {
 public:
  explicit randomness(std::uint64_t seed) : engine_(seed) {}
  /// 0 … below - 1.
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(engine_() % limit); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  std::int64_t bits(int count) { return static_cast<std::int64_t>(engine_()) >> (64 - count); }

 private:
  std::mt19937_64 engine_;
};

inline std::string random_type_text(randomness& random, int structs, int depth) {
  switch (random.below(depth > 0 ? 14 : 10)) {
    case 0:
      return "bool";
    case 1:
      return "i8";
    case 2:
      return "i16";
    case 3:
      return "i32";
    case 4:
      return "i64";
    case 5:
      return "double";
    case 6:
      return "string";
    case 7:
      return "binary";
    case 8:
      return "E";
    case 9:
      return "S" + std::to_string(random.below(static_cast<std::size_t>(structs)));
    case 10:
    case 11:
      return "list<" + random_type_text(random, structs, depth - 1) + ">";
    case 12:
      return "set<" + random_type_text(random, structs, depth - 1) + ">";
    default: {
      std::string key = random_type_text(random, structs, random.one_in(4) ? depth - 1 : 0);
      if (key == "double" && random.one_in(2)) key = "string";
      return "map<" + key + ", " + random_type_text(random, structs, depth - 1) + ">";
    }
  }
}

/// Structs S0, S1 …, some of them unions, that use each other.
inline std::string random_idl(randomness& random) {
  int structs = 2 + static_cast<int>(random.below(4));
  std::string idl = "enum E { A = 0, B = 1, C = 300000, D = -2 }\n";
  for (int s = 0; s < structs; ++s) {
    bool is_union = s > 0 && random.one_in(5);
    idl += (is_union ? "union S" : "struct S") + std::to_string(s) + " {\n";
    std::size_t count = 1 + random.below(9), id = 0;
    for (std::size_t f = 0; f < count; ++f) {
      id += 1 + (random.one_in(3) ? random.below(30) : 0);
      idl += "  " + std::to_string(id) + ": " + (is_union ? "" : "optional ") +
             random_type_text(random, structs, 2) + " f" + std::to_string(id) + "\n";
    }
    idl += "}\n";
  }
  return idl;
}

/// A text that is the same for equal keys: fields, set elements and map entries are sorted.
inline std::string key_text(const tree& key) {
  std::vector<std::string> parts;
  for (const tree_field& field : key.fields)
    parts.push_back(std::to_string(field.first) + key_text(field.second));
  for (const tree& element : key.elements) parts.push_back(key_text(element));
  for (const tree_entry& entry : key.entries) parts.push_back(key_text(entry.first) + key_text(entry.second));
  if (key.type != ttype::list) std::ranges::sort(parts);
  std::string all = std::to_string(key.number) + '/' + std::to_string(key.real + 0.0) + '/' + key.text;
  for (const std::string& part : parts) all += '(' + part + ')';
  return all;
}
inline bool is_same_key(const tree& left, const tree& right) { return key_text(left) == key_text(right); }

inline tree random_value(randomness& random, thriftlens::type type, int depth);

inline tree random_struct(randomness& random, thriftlens::type type, int depth) {
  tree out = structure({});
  if (depth < -2) return out;
  auto fields = type.fields();
  if (type.kind() == thriftlens::type_kind::union_) {
    auto member = fields[random.below(fields.size())];
    out.fields.emplace_back(member.id(), random_value(random, member.type(), depth - 1));
    return out;
  }
  for (auto field : fields) {
    if (random.one_in(depth > 0 ? 4 : 2)) continue;
    out.fields.emplace_back(field.id(), random_value(random, field.type(), depth - 1));
  }
  if (random.one_in(6))
    out.fields.emplace_back(static_cast<std::int16_t>(1000 + random.below(50)),
                            random.one_in(2) ? boolean(random.one_in(2)) : text("unknown"));
  if (random.one_in(8)) {
    for (std::size_t i = out.fields.size(); i > 1; --i)
      std::swap(out.fields[i - 1], out.fields[random.below(i)]);
  }
  return out;
}

inline tree random_value(randomness& random, thriftlens::type type, int depth) {
  using kind = thriftlens::type_kind;
  std::size_t size = depth <= 0 ? 0 : random.one_in(10) ? random.below(40) : random.below(4);
  switch (type.kind()) {
    case kind::bool_:
      return boolean(random.one_in(2));
    case kind::i8:
      return i8(random.bits(8));
    case kind::i16:
      return i16(random.bits(1 + static_cast<int>(random.below(16))));
    case kind::i32:
      return i32(random.bits(1 + static_cast<int>(random.below(32))));
    case kind::i64:
      return i64(random.bits(1 + static_cast<int>(random.below(64))));
    case kind::enum_:
      return i32(random.one_in(2) ? 300000 : 1);
    case kind::double_:
      return real(static_cast<double>(random.bits(20)) / 4);
    case kind::string:
    case kind::binary: {
      std::string bytes;
      for (std::size_t n = random.one_in(20) ? random.below(300) : random.below(6); n > 0; --n)
        bytes += static_cast<char>(type.kind() == kind::string ? 'a' + random.below(26) : random.below(256));
      return text(bytes);
    }
    case kind::list:
    case kind::set: {
      tree out = list(type.element().wire(), {}, type.wire());
      for (; size > 0; --size) {
        tree element = random_value(random, type.element(), depth - 1);
        const bool is_known =
            std::ranges::any_of(out.elements, [&](const tree& known) { return is_same_key(known, element); });
        if (type.kind() == kind::list || !is_known) out.elements.push_back(std::move(element));
      }
      return out;
    }
    case kind::map: {
      tree out = map(type.key().wire(), type.value().wire(), {});
      for (; size > 0; --size) {
        tree key = random_value(random, type.key(), depth - 1);
        bool known = std::any_of(out.entries.begin(), out.entries.end(),
                                 [&](const auto& entry) { return is_same_key(entry.first, key); });
        if (!known) out.entries.emplace_back(std::move(key), random_value(random, type.value(), depth - 1));
      }
      return out;
    }
    default:
      return random_struct(random, type, depth);
  }
}

/// Some parts of a struct's values: by paths, all but those, or with a field more.
inline thriftlens::selection random_selection(randomness& random, thriftlens::type type) {
  std::vector<thriftlens::path> paths;
  for (auto field : type.fields()) {
    if (random.one_in(2)) continue;
    std::string text = "$." + std::string(field.name());
    thriftlens::type at = field.type();
    while (at.is_container() && random.below(4) != 0) {
      text += at.kind() == thriftlens::type_kind::map ? "{*}" : "[*]";
      at = at.kind() == thriftlens::type_kind::map ? at.value() : at.element();
    }
    if (at.is_struct() && random.one_in(2))
      text += "." + std::string(at.fields()[random.below(at.fields().size())].name());
    paths.push_back(thriftlens::path::compile(type, text));
  }
  thriftlens::selection what = thriftlens::selection::compile(type, paths);
  if (random.one_in(3)) what = thriftlens::selection::all(type) - what;
  if (random.one_in(4))
    what = what | thriftlens::selection::compile(type, "{ " + std::string(type.fields()[0].name()) + " }");
  return what;
}

}  // namespace thriftlens_test
