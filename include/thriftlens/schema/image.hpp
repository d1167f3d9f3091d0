// image: the compiled form of a set of IDL files: flat arrays of small nodes, 32-bit indices between them.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/diagnostic.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/hash.hpp>
#include <thriftlens/core/index_range.hpp>
#include <thriftlens/core/pod_vector.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/protocol/binary_shape.hpp>
#include <thriftlens/protocol/traits.hpp>
#include <thriftlens/protocol/ttype.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Kind of an IDL type; some kinds share a wire type (binary and string, enum and i32, union and struct).
enum class type_kind : unsigned char {
  void_,
  bool_,
  i8,
  i16,
  i32,
  i64,
  double_,
  string,
  binary,
  uuid,
  enum_,
  list,
  set,
  map,
  struct_,
  union_,
  exception_,
};

/// The IDL keyword of a kind: "i32", "struct" …
[[nodiscard]] constexpr std::string_view to_string(type_kind kind) noexcept {
  constexpr std::string_view names[] = {"void",   "bool",   "i8",     "i16",   "i32",      "i64",
                                        "double", "string", "binary", "uuid",  "enum",     "list",
                                        "set",    "map",    "struct", "union", "exception"};
  return names[static_cast<unsigned char>(kind)];
}
template <>
inline constexpr bool detail::is_printed<type_kind> = true;
/// struct, union or exception.
[[nodiscard]] constexpr bool is_struct(type_kind kind) noexcept { return kind >= type_kind::struct_; }
/// List or set.
[[nodiscard]] constexpr bool is_sequence(type_kind kind) noexcept {
  return kind == type_kind::list || kind == type_kind::set;
}
/// Neither a container nor a struct.
[[nodiscard]] constexpr bool is_scalar(type_kind kind) noexcept { return kind < type_kind::list; }

namespace detail::image {

inline constexpr std::uint32_t none = 0xffffffffu;

/// A run in one of the image's arrays or pools.
struct slice {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;

  /// Indices of its elements.
  [[nodiscard]] index_range indices() const noexcept { return {begin, begin + size}; }
};

struct type_node {
  type_kind kind = type_kind::void_;
  ttype wire = ttype::void_;
  std::uint8_t width = 0;  ///< bytes in Binary, 0 where the size varies
  std::uint32_t first =
      none;  ///< list, set: element type; map: key type; struct: struct node; enum: enum node
  std::uint32_t second = none;  ///< map: value type
};

enum field_flag : std::uint8_t { required = 1, optional = 2, has_default = 4 };

/// Field data for inner loops, 16 bytes, ordered by id within a struct.
struct field_node {
  std::uint32_t header = 0;  ///< Binary's header as loaded by load_le: ttype, id high, id low, 0
  std::uint32_t type = none;
  std::int16_t id = 0;
  ttype wire = ttype::stop;
  std::uint8_t flags = 0;
  std::uint16_t required_rank = 0;  ///< number of required fields before it
  std::uint8_t width = 0;           ///< of its type
  type_kind kind = type_kind::void_;
};
static_assert(sizeof(field_node) == 16);

/// The rest of a field; same index as its field_node.
struct field_text {
  slice name;             ///< in text
  slice alias;            ///< in text; equals name without an alias
  slice json_name;        ///< in text: `,"name":`
  slice json_alias;       ///< in text: `,"alias":`
  slice default_binary;   ///< in bytes: the default value as Binary
  slice default_compact;  ///< in bytes: the default value as Compact (a bool as in a list element)
  slice default_written;  ///< in bytes: as Binary, sets with their duplicate elements
  slice doc;
  slice annotations;             ///< the field's own
  std::uint32_t written = none;  ///< in written_types: annotations of its type

  [[nodiscard]] by_protocol<slice> defaults() const noexcept { return {{default_binary, default_compact}}; }
};

/// Annotations of a written type; shared by uses of the same typedef.
struct written_type {
  slice annotations;            ///< of the written type and of its typedefs
  std::uint32_t first = none;   ///< of elements or keys; none: no annotations
  std::uint32_t second = none;  ///< of a map's values

  [[nodiscard]] bool is_empty() const noexcept {
    return annotations.size == 0 && first == none && second == none;
  }
};

/// First bytes of a struct in Binary if all leading fields are present and ordered by id
/// (schema/prefix_template.hpp).
struct prefix_node {
  slice segments;            ///< in prefix_segments; none: the first field has no fixed layout
  std::uint32_t blocks = 0;  ///< first in prefix_blocks
  std::uint32_t levels = 0;
  bool complete = false;  ///< it covers the entire struct, including the stop byte
};

/// Position of a field's header in the prefix template of its struct.
struct prefix_position {
  static constexpr std::uint8_t none_ = 0xff;
  std::uint8_t segment = none_;
  std::uint8_t at = 0;
  [[nodiscard]] explicit operator bool() const noexcept { return segment != none_; }
};

/// An open-addressing table from text to a 32-bit value: slots hold value + 1, 0 is empty.
struct name_table {
  std::uint32_t begin = 0;  ///< in name_slots
  std::uint32_t mask = 0;   ///< slot count - 1
  std::uint64_t seed = 0;
};

struct struct_node {
  slice fields;                ///< field_node and field_text indices, ids ascending
  std::uint32_t declared = 0;  ///< in indices: the same fields in source order
  std::uint32_t id_table =
      none;  ///< in indices: field index + 1 by id - lowest_id, 0 for none; `none`: search
  std::int32_t lowest_id = 0;
  std::uint32_t id_span = 0;  ///< entries of id_table
  std::uint32_t required_count = 0;
  std::uint32_t type = none;
  prefix_node prefix;
  name_table names;
  name_table aliases;
  slice name;
  std::uint32_t program = 0;
  type_kind kind = type_kind::struct_;
  bool has_aliases = false;
  bool has_defaults = false;
  slice doc;
  slice annotations;
};

struct enum_member_node {
  slice name;
  slice json_name;  ///< in text: `"NAME"`
  std::int32_t value = 0;
  slice doc;
  slice annotations;
};

struct enum_node {
  slice members;               ///< in source order
  std::uint32_t by_value = 0;  ///< in indices: members sorted by value, first name of a value first
  name_table names;
  slice name;
  std::uint32_t program = 0;
  std::uint32_t type = none;
  slice doc;
  slice annotations;
};

struct typedef_node {
  slice name;
  std::uint32_t program = 0;
  std::uint32_t type = none;
  std::uint32_t written = none;  ///< in written_types: annotations of the type
  slice doc;
  slice annotations;
};

struct const_node {
  slice name;
  std::uint32_t program = 0;
  std::uint32_t type = none;
  std::uint32_t written_as = none;  ///< in written_types: annotations of the type
  slice value;                      ///< in bytes, as Binary
  slice written;                    ///< in bytes: the same, sets with their duplicate elements
  slice doc;
  slice annotations;
};

struct function_node {
  slice name;
  bool oneway = false;
  std::uint32_t returns = none;    ///< type; the void type for none
  std::uint32_t arguments = none;  ///< struct node: one field per argument
  std::uint32_t result = none;     ///< struct node: field 0 `success` unless void, then the exceptions
  std::uint32_t written = none;    ///< in written_types: annotations of the returned type
  slice doc;
  slice annotations;
};

struct service_node {
  slice name;
  std::uint32_t program = 0;
  std::uint32_t base = none;  ///< service node it extends
  slice functions;
  slice doc;
  slice annotations;
};

struct annotation_node {
  slice key;
  slice value;
};

struct namespace_node {
  slice scope;
  slice name;
};

/// IDL spelling that the bytes at `at` do not preserve: a uuid in capitals, an integer that wraps in its
/// type.
struct spelling {
  std::uint32_t at = 0;
  slice text;
};

struct program_node {
  slice name;
  slice file;
  slice doc;
  slice namespaces;
  slice includes;                   ///< in indices: program numbers, in source order
  std::uint32_t include_paths = 0;  ///< in include_paths: the same as they are written
  slice structs;
  slice enums;
  slice typedefs;
  slice consts;
  slice services;
};

/// Kind of a named declaration. Types and services share one namespace; constants have their own.
enum class symbol_kind : std::uint8_t { struct_, enum_, typedef_, service, const_ };
[[nodiscard]] constexpr std::uint64_t symbol_seed(std::uint32_t program, symbol_kind kind) noexcept {
  return program * std::uint64_t{2} + (kind == symbol_kind::const_ ? 1 : 0);
}
struct symbol {
  std::uint32_t program = 0;
  std::uint32_t index = 0;  ///< node index of its kind
  slice name;
  symbol_kind kind = symbol_kind::struct_;

  [[nodiscard]] constexpr std::uint64_t seed() const noexcept { return symbol_seed(program, kind); }
};

}  // namespace detail::image

/// All data of a schema. Immutable; reference-counted between schemas, documents and threads.
struct schema_image {
  detail::pod_vector<detail::image::type_node> types;
  detail::pod_vector<detail::image::field_node> fields;
  detail::pod_vector<detail::image::field_text> field_texts;
  detail::pod_vector<detail::image::prefix_position> prefix_positions;  ///< same index as fields
  detail::pod_vector<detail::shape_segment> prefix_segments;
  detail::pod_vector<detail::simd::masked_block> prefix_blocks;
  detail::pod_vector<detail::image::struct_node> structs;
  detail::pod_vector<detail::image::enum_node> enums;
  detail::pod_vector<detail::image::enum_member_node> enum_members;
  detail::pod_vector<detail::image::typedef_node> typedefs;
  detail::pod_vector<detail::image::const_node> consts;
  detail::pod_vector<detail::image::function_node> functions;
  detail::pod_vector<detail::image::service_node> services;
  detail::pod_vector<detail::image::annotation_node> annotations;
  detail::pod_vector<detail::image::written_type> written_types;
  detail::pod_vector<detail::image::namespace_node> namespaces;
  detail::pod_vector<detail::image::program_node> programs;
  detail::pod_vector<detail::image::slice> include_paths;
  detail::pod_vector<detail::image::spelling> spellings;  ///< `at` ascending
  detail::pod_vector<detail::image::symbol> symbols;
  detail::pod_vector<std::uint32_t> symbol_slots;  ///< open addressing by program and name: index + 1
  detail::pod_vector<std::uint32_t> indices;
  detail::pod_vector<std::uint32_t> name_slots;  ///< of all name tables
  std::string text;  ///< names, docs, annotations, JSON keys; followed by 64 readable bytes
  detail::pod_vector<std::uint8_t> bytes;  ///< defaults and constants
  std::vector<diagnostic> warnings;

  [[nodiscard]] std::string_view view(detail::image::slice part) const noexcept {
    return std::string_view(text).substr(part.begin, part.size);
  }
  [[nodiscard]] byte_view value(detail::image::slice part) const noexcept {
    return {bytes.data() + part.begin, part.size};
  }

  /// The struct that a type denotes.
  [[nodiscard]] const detail::image::struct_node& struct_of(std::uint32_t type) const noexcept {
    return structs[types[type].first];
  }
  [[nodiscard]] std::string_view field_name(std::uint32_t field) const noexcept {
    return view(field_texts[field].name);
  }
  /// The prefix template of a struct.
  [[nodiscard]] detail::shape_ref prefix(const detail::image::struct_node& of) const noexcept {
    return {prefix_segments.data() + of.prefix.segments.begin, prefix_blocks.data() + of.prefix.blocks,
            of.prefix.levels};
  }
  /// Shape of the structs directly in a value of that type (possibly itself) if all their fields are present.
  [[nodiscard]] detail::shape_ref shape_inside(std::uint32_t type) const noexcept {
    const detail::image::type_node* node = &types[type];
    if (node->wire == ttype::map)
      node = &types[node->second];
    else if (is_sequence(node->wire))
      node = &types[node->first];
    if (node->wire != ttype::struct_) return {};
    const detail::image::struct_node& structure = structs[node->first];
    return structure.prefix.complete ? prefix(structure) : detail::shape_ref{};
  }

  /// Index of the field with that id, or image::none. O(1), or O(log fields) for sparse ids.
  [[nodiscard]] THRIFTLENS_INLINE std::uint32_t find_field(const detail::image::struct_node& in,
                                                           std::int16_t id) const noexcept {
    if (in.id_table != detail::image::none) {
      auto at = static_cast<std::uint32_t>(std::int32_t{id} - in.lowest_id);
      return at < in.id_span ? indices[in.id_table + at] - 1 : detail::image::none;
    }
    return search_field(in, id);
  }
  /// Same, by binary search.
  [[nodiscard]] std::uint32_t search_field(const detail::image::struct_node& in,
                                           std::int16_t id) const noexcept {
    const auto* first = fields.data() + in.fields.begin;
    const auto* last = first + in.fields.size;
    const auto* candidate =
        detail::end_of(first, last, [id](const detail::image::field_node& field) { return field.id < id; });
    return candidate != last && candidate->id == id ? static_cast<std::uint32_t>(candidate - fields.data())
                                                    : detail::image::none;
  }

  /// The first value with that hash for which `is(value)`, or image::none.
  template <class Is>
  [[nodiscard]] THRIFTLENS_INLINE std::uint32_t find_hashed(const detail::image::name_table& table,
                                                            std::uint64_t hash, Is is) const noexcept {
    if (table.mask == 0) return detail::image::none;
    for (auto at = static_cast<std::uint32_t>(hash) & table.mask;; at = (at + 1) & table.mask) {
      const std::uint32_t entry = name_slots[table.begin + at];
      if (entry == 0) return detail::image::none;
      if (is(entry - 1)) return entry - 1;
    }
  }
  /// The value stored under `name`, or image::none; `name_of(value)` returns the text to compare.
  template <class NameOf>
  [[nodiscard]] std::uint32_t find_name(const detail::image::name_table& table, std::string_view name,
                                        NameOf name_of) const noexcept {
    return find_hashed(table, detail::hash_text(name, table.seed),
                       [&](std::uint32_t value) { return name_of(value) == name; });
  }
  /// Index of the field of that name, or image::none. O(1).
  [[nodiscard]] std::uint32_t find_field(const detail::image::struct_node& in,
                                         std::string_view name) const noexcept {
    return find_name(in.names, name, [this](std::uint32_t at) { return field_name(at); });
  }
  /// Index of the field with that alias (its name if it has none), or image::none. O(1).
  [[nodiscard]] std::uint32_t find_alias(const detail::image::struct_node& in,
                                         std::string_view alias) const noexcept {
    if (!in.has_aliases) return find_field(in, alias);
    return find_name(in.aliases, alias, [this](std::uint32_t at) { return view(field_texts[at].alias); });
  }
  /// Index of the member of that name, or image::none. O(1).
  [[nodiscard]] std::uint32_t find_member(const detail::image::enum_node& in,
                                          std::string_view name) const noexcept {
    return find_name(in.names, name, [this](std::uint32_t at) { return view(enum_members[at].name); });
  }
  /// Index of the first member of that number, or image::none. O(log members).
  [[nodiscard]] std::uint32_t find_member(const detail::image::enum_node& in,
                                          std::int32_t value) const noexcept {
    std::span<const std::uint32_t> sorted(indices.data() + in.by_value, in.members.size);
    const auto is_less = [&](std::uint32_t at) { return enum_members[at].value < value; };
    const auto candidate = detail::end_of(sorted.begin(), sorted.end(), is_less);
    return candidate != sorted.end() && enum_members[*candidate].value == value ? *candidate
                                                                                : detail::image::none;
  }
  /// The type or service (or, with kind const_, the constant) of that name in a program, or null. O(1).
  [[nodiscard]] const detail::image::symbol* find_symbol(
      std::uint32_t program, std::string_view name,
      detail::image::symbol_kind kind = detail::image::symbol_kind::struct_) const noexcept {
    if (symbol_slots.empty()) return nullptr;
    const std::uint64_t seed = detail::image::symbol_seed(program, kind);
    for (std::uint32_t at = symbol_home(name, seed); symbol_slots[at] != 0; at = next_symbol_slot(at)) {
      const auto& candidate = symbols[symbol_slots[at] - 1];
      if (candidate.seed() == seed && view(candidate.name) == name) return &candidate;
    }
    return nullptr;
  }
  /// First slot of a symbol, and the next slot to probe.
  [[nodiscard]] std::uint32_t symbol_home(std::string_view name, std::uint64_t seed) const noexcept {
    return static_cast<std::uint32_t>(detail::hash_text(name, seed) & (symbol_slots.size() - 1));
  }
  [[nodiscard]] std::uint32_t next_symbol_slot(std::uint32_t at) const noexcept {
    return static_cast<std::uint32_t>((at + 1) & (symbol_slots.size() - 1));
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
