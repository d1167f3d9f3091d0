// layout_cases: random schemas of nested containers of structs, and values for fast paths: runs of structs
// with equal fields, then a different one.
#pragma once

#include "edit/edit_scripts.hpp"

#include <thriftlens/path/path.hpp>
#include <thriftlens/schema/schema.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace thriftlens_test {

/// IDL of an enum E, structs S0, S1 … and sometimes a union U, with mutual references.
class layout_idl {
 public:
  explicit layout_idl(choices& from) : from_(from) {}

  std::string text() {
    structs_ = 2 + from_.below(3);
    has_union_ = from_.one_in(4);
    std::string idl = "enum E { A = 0, B = 1, C = 300000 }\n";
    for (std::size_t i = 0; i < structs_; ++i) idl += structure("struct S" + std::to_string(i), false);
    return has_union_ ? idl + structure("union U", true) : idl;
  }

 private:
  std::string structure(const std::string& head, bool is_union) {
    std::string idl = head + " {\n";
    std::size_t id = 0;
    for (std::size_t remaining = 1 + from_.below(6); remaining != 0; --remaining) {
      id += from_.one_in(6) ? 1 + from_.below(40) : 1;
      idl += "  " + std::to_string(id) + ": " + requiredness(is_union) + type(3) + " f" + std::to_string(id) +
             "\n";
    }
    return idl + "}\n";
  }
  std::string requiredness(bool is_union) {
    if (is_union) return "";
    return from_.one_in(20) ? "required " : from_.below(2) == 0 ? "optional " : "";
  }
  std::string type(int depth) {
    const std::size_t kind = from_.below(8);
    if (depth == 0 || kind < 3) return scalar();
    if (kind == 3) return structure_name();
    if (kind == 4) return "set<" + inner(depth) + ">";
    if (kind < 6) return "list<" + inner(depth) + ">";
    return "map<" + key() + ", " + inner(depth) + ">";
  }
  std::string inner(int depth) {
    const std::size_t kind = from_.below(8);
    return kind < 4 ? structure_name() : kind < 7 ? type(depth - 1) : scalar();
  }
  std::string key() {
    return from_.one_in(16) ? structure_name() : from_.below(2) == 0 ? "string" : scalar();
  }
  std::string structure_name() {
    return has_union_ && from_.one_in(6) ? "U" : "S" + std::to_string(from_.below(structs_));
  }
  std::string scalar() {
    static constexpr const char* names[] = {"i32", "string", "i64", "bool",   "string", "double",
                                            "i8",  "i16",    "E",   "binary", "i32",    "uuid"};
    return names[from_.below(std::size(names))];
  }

  choices& from_;
  std::size_t structs_ = 0;
  bool has_union_ = false;
};

/// Writes values of a type. Structs of a container mostly have the same fields, for which a layout can be
/// learned.
template <class P>
class layout_values {
 public:
  layout_values(choices& from, thriftlens::buffer& out) : from_(from), out_bytes_(out), out_(out) {}

  void root(thriftlens::type of) { structure(of, fields_of(of, false), 5); }
  void value(thriftlens::type of, int depth) {
    if (of.is_struct()) return structure(of, fields_of(of, from_.below(2) == 0), depth);
    if (of.kind() == kinds::map) return entries(of, depth);
    if (of.is_container()) return elements(of, depth);
    scalar(of);
  }

 private:
  using kinds = thriftlens::type_kind;
  using field_mask = std::uint64_t;

  field_mask fields_of(thriftlens::type of, bool only_plain) {
    field_mask mask = 0;
    std::size_t at = 0;
    for (const thriftlens::field_info field : of.fields()) {
      const bool is_nested = field.type().is_struct() || field.type().is_container();
      if (from_.below(only_plain && is_nested ? 8 : 3) != 0 && !(only_plain && is_nested))
        mask |= field_mask{1} << at;
      if (field.required()) mask |= field_mask{1} << at;
      ++at;
    }
    if (of.kind() == kinds::union_) return field_mask{1} << from_.below(of.fields().size());
    return mask;
  }
  void structure(thriftlens::type of, field_mask mask, int depth) {
    const auto outer = out_.begin_struct();
    const auto fields = of.fields();
    const bool is_reversed = from_.one_in(32), has_unknown = from_.one_in(16);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::size_t at = is_reversed ? fields.size() - 1 - i : i;
      if ((mask >> at & 1) == 0 || depth == 0 || left_ == 0) continue;
      --left_;
      if (from_.one_in(128)) {
        out_.write_field(thriftlens::ttype::i32, fields[at].id());
        out_.write_i32(5);
        continue;
      }
      out_.write_field(fields[at].type().wire(), fields[at].id());
      value(fields[at].type(), depth - 1);
    }
    if (has_unknown) {
      out_.write_field(thriftlens::ttype::string, 2000);
      out_.write_bytes(std::string_view("unknown"));
    }
    out_.write_stop();
    out_.end_struct(outer);
  }
  /// A row of values of one type.
  struct row {
    field_mask usual = 0;
    bool is_struct = false;
  };
  row open_row(thriftlens::type of) {
    if (!of.is_struct()) return {};
    return {fields_of(of, from_.below(4) != 0), true};
  }
  void next(const row& in, thriftlens::type of, int depth) {
    if (!in.is_struct) return value(of, depth);
    structure(of, from_.one_in(5) ? fields_of(of, from_.below(4) == 0) : in.usual, depth);
  }
  std::uint32_t size(int depth) {
    static constexpr std::uint32_t sizes[] = {4, 1, 0, 2, 5, 3, 8, 6, 4, 12};
    const std::uint32_t expected = sizes[from_.below(std::size(sizes))];
    if (depth <= 0 || expected > left_) return 0;
    left_ -= expected;
    return expected;
  }
  void elements(thriftlens::type of, int depth) {
    const std::uint32_t count = size(depth);
    const row in = open_row(of.element());
    if (of.wire() == thriftlens::ttype::set) return distinct_elements(of.element(), in, count, depth);
    out_.write_list({of.element().wire(), count});
    for (std::uint32_t i = 0; i < count; ++i) next(in, of.element(), depth - 1);
  }
  void distinct_elements(thriftlens::type of, const row& in, std::uint32_t count, int depth) {
    std::vector<std::string> items;
    for (std::uint32_t i = 0; i < count; ++i) {
      thriftlens::buffer bytes;
      layout_values element(from_, bytes);
      element.left_ = left_;
      element.next(in, of, depth - 1);
      left_ = element.left_;
      if (std::find(items.begin(), items.end(), bytes.str()) == items.end()) items.push_back(bytes.str());
    }
    out_.write_set({of.wire(), static_cast<std::uint32_t>(items.size())});
    for (const std::string& element : items) out_bytes_.append(element);
  }
  void entries(thriftlens::type of, int depth) {
    const thriftlens::map_header header{of.key().wire(), of.value().wire(),
                                        of.key().kind() == kinds::bool_ && depth > 0 ? 2 : size(depth)};
    out_.write_map(header);
    const bool repeats = from_.one_in(24);
    const row in = open_row(of.value());
    for (std::uint32_t i = 0; i < header.size; ++i) {
      key(of.key(), repeats ? i / 2 : i);
      next(in, of.value(), depth - 1);
    }
  }
  void key(thriftlens::type of, std::uint32_t number) {
    if (of.is_struct()) return structure(of, fields_of(of, true), 1);
    if (of.wire() == thriftlens::ttype::string) {
      static constexpr std::string_view names[] = {"", "a", "ab", "abc", "k", "z"};
      if (number < std::size(names)) return out_.write_bytes(names[number]);
      const std::string name = "k" + std::to_string(number);
      return out_.write_bytes(name);
    }
    if (of.kind() == kinds::bool_) return out_.write_bool(number % 2 != 0);
    if (of.kind() == kinds::i8) return out_.write_i8(static_cast<std::int8_t>(number));
    if (of.kind() == kinds::i16) return out_.write_i16(static_cast<std::int16_t>(number * 99));
    if (of.wire() == thriftlens::ttype::i32) return out_.write_i32(static_cast<std::int32_t>(number * 99));
    if (of.kind() == kinds::i64) return out_.write_i64(std::int64_t{number} * 99);
    if (of.kind() == kinds::double_) return out_.write_double(number + 0.5);
    out_.write_uuid({static_cast<std::uint8_t>(number)});
  }
  void scalar(thriftlens::type of) {
    const auto number = static_cast<std::int32_t>(from_.below(256)) - 3;
    if (of.wire() == thriftlens::ttype::string) {
      const std::string text(from_.one_in(16) ? 150 : from_.below(7), 'x');
      return out_.write_bytes(text);
    }
    if (of.kind() == kinds::bool_) return out_.write_bool(number % 2 != 0);
    if (of.kind() == kinds::i8) return out_.write_i8(static_cast<std::int8_t>(number));
    if (of.kind() == kinds::i16) return out_.write_i16(static_cast<std::int16_t>(number * 7));
    if (of.is_enum()) return out_.write_i32(number % 2);
    if (of.kind() == kinds::i32) return out_.write_i32(number * number * 31);
    if (of.kind() == kinds::i64) return out_.write_i64(std::int64_t{number} * 77777777);
    if (of.kind() == kinds::double_) return out_.write_double(number / 4.0);
    out_.write_uuid({1, 2, 3});
  }

  choices& from_;
  thriftlens::buffer& out_bytes_;
  typename P::writer out_;
  std::size_t left_ = 120;  // values that may still be written
};

template <class P>
std::string layout_bytes(choices& from, thriftlens::type of) {
  thriftlens::buffer bytes;
  layout_values<P>(from, bytes).root(of);
  return bytes.str();
}

/// A path to at most one value: fields, indices, keys. `to` is the type that it leads to.
inline std::string layout_path(choices& from, thriftlens::type root, thriftlens::type& to) {
  using kinds = thriftlens::type_kind;
  std::string path = "$";
  to = root;
  for (std::size_t remaining = 1 + from.below(6); remaining != 0 && (to.is_struct() || to.is_container());
       --remaining) {
    if (to.is_struct()) {
      const auto fields = to.fields();
      const auto field = fields[from.below(fields.size())];
      path += ".#" + std::to_string(field.id());
      to = field.type();
    } else if (to.kind() != kinds::map) {
      static constexpr const char* indices[] = {"[0]", "[1]", "[2]", "[3]", "[5]", "[-1]"};
      path += indices[from.below(std::size(indices))];
      to = to.element();
    } else {
      const thriftlens::type key = to.key();
      const std::size_t number = from.below(6);
      if (key.kind() == kinds::string || key.kind() == kinds::binary) {
        static constexpr const char* keys[] = {"{\"\"}",    "{\"a\"}", "{\"ab\"}",
                                               "{\"abc\"}", "{\"k\"}", "{\"z\"}"};
        path += keys[number];
      } else if (key.kind() == kinds::bool_) {
        path += number % 2 == 0 ? "{false}" : "{true}";
      } else if (key.kind() == kinds::i8) {
        path += "{" + std::to_string(number) + "}";
      } else if (key.kind() == kinds::double_) {
        path += "{" + std::to_string(number) + ".5}";
      } else if (key.is_struct() || key.kind() == kinds::uuid) {
        return path;
      } else {
        path += "{" + std::to_string(key.is_enum() ? 0 : number * 99) + "}";
      }
      to = to.value();
    }
  }
  return path;
}

/// Adds a few edits, mostly of single values that are likely to be there.
template <class P, class To>
void add_layout_edits(choices& from, thriftlens::type root, To& to, std::string* log = nullptr) {
  using kinds = thriftlens::type_kind;
  for (std::size_t remaining = 1 + from.below(3); remaining != 0; --remaining) {
    thriftlens::type of;
    const std::string path = layout_path(from, root, of);
    if (log != nullptr) *log += " " + path;
    const auto number = static_cast<int>(from.below(100));
    if (from.below(5) == 0) {
      to.erase(path);
    } else if (of.is_struct() || of.is_container()) {
      thriftlens::buffer bytes;
      layout_values<P>(from, bytes).value(of, 3);
      to.set(path, thriftlens::wire_bytes{bytes});
    } else if (of.wire() == thriftlens::ttype::string) {
      to.set(path, std::string(static_cast<std::size_t>(number), 'n'));
    } else if (of.kind() == kinds::bool_) {
      to.set(path, number % 2 == 0);
    } else if (of.kind() == kinds::double_) {
      to.set(path, number / 8.0);
    } else if (of.kind() == kinds::uuid) {
      to.set(path, thriftlens::uuid_bytes{3, 2, 1});
    } else {
      to.set(path, of.is_enum() ? number % 2 : number);
    }
  }
}

/// Changes a byte or cuts the end off, sometimes.
inline void damage(choices& from, std::string& bytes) {
  if (from.below(4) != 0) return;
  const std::size_t at = (from.below(256) * 256 + from.below(256)) % bytes.size();
  if (from.below(2) == 0)
    bytes.resize(at);
  else
    bytes[at] = static_cast<char>(from.below(256));
}

}  // namespace thriftlens_test
