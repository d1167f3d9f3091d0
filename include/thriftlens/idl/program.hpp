// program: the syntax tree of an IDL file with positions, and the set of files of a load. The program_set's
// arena owns the memory.
#pragma once

#include <thriftlens/core/arena.hpp>
#include <thriftlens/core/diagnostic.hpp>
#include <thriftlens/core/pod_vector.hpp>
#include <thriftlens/idl/slice.hpp>

#include <compare>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Qualifier of a file's names in other files: its base name without the extension.
[[nodiscard]] constexpr std::string_view program_name(std::string_view path) noexcept {
  path = path.substr(path.find_last_of("/\\") + 1);
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? path : path.substr(0, dot);
}

/// A position in a source text; line and column count from 1, the column in bytes.
struct position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  /// Ascends with the position.
  [[nodiscard]] constexpr std::uint64_t order_key() const noexcept {
    return std::uint64_t{line} << 32 | column;
  }
  friend constexpr auto operator<=>(const position&, const position&) noexcept = default;
};

/// `(key = "value")`; a key alone has the value "1", as in the Apache compiler.
struct annotation {
  std::string_view key{};
  std::string_view value{};
  position where{};
};

enum class base_type : std::uint8_t { void_, bool_, i8, i16, i32, i64, double_, string, binary, uuid };

enum class declaration_kind : std::uint8_t { none, typedef_, enum_, struct_, const_, service };

/// Refers to a declaration: `kind` selects the array of the program for the index.
struct declaration_ref {
  declaration_kind kind = declaration_kind::none;
  std::uint32_t program = 0;
  std::uint32_t index = 0;
};

/// A type as written. `target` is set by resolve for names.
struct type_ref {
  enum class form : std::uint8_t { base, list, set, map, name };

  std::string_view name{};                    ///< as written, "base.User" included
  slice<const type_ref> arguments{};          ///< list, set: element; map: key, value
  std::span<const annotation> annotations{};  ///< `cpp_type "x"` too, under that key
  position where{};
  declaration_ref target{};
  form shape = form::base;
  base_type base = base_type::void_;
  bool by_reference = false;  ///< the `&` of recursive types
};

/// A constant as written and, after resolve, converted to its type: identifiers replaced, enums as integers,
/// integers as doubles for double types, struct constants as pairs of field index and value.
struct const_value {
  enum class form : std::uint8_t { integer, real, string, identifier, list, map, boolean, structure };

  form shape = form::integer;
  std::int64_t integer = 0;  ///< integer, boolean, enum
  double real = 0;
  std::string_view text{};     ///< string: unescaped; identifier: as written
  slice<const_value> items{};  ///< list, set: elements; map: key, value, key, value …; structure: integer
                               ///< (index into fields), value …
  position where{};
};

enum class requiredness : std::uint8_t { default_, required, optional };

struct field {
  std::int16_t id = 0;  ///< explicit or implicit
  bool explicit_id = false;
  requiredness required = requiredness::default_;
  type_ref type{};
  std::string_view name{};
  /// Null without one; resolved against `type`. In lenient mode `byte b = 200` stays 200 and wraps around
  /// when encoded (i8, i16).
  const const_value* default_value = nullptr;
  std::span<const annotation> annotations{};
  std::string_view doc{};
  position where{};  ///< of the name
};

struct typedef_ {
  std::string_view name{};
  type_ref type{};
  std::span<const annotation> annotations{};
  std::string_view doc{};
  position where{};
  bool unresolved = false;  ///< an unused typedef of an unknown name or of a constant
};

struct enum_member {
  std::string_view name{};
  std::int32_t value = 0;
  std::span<const annotation> annotations{};
  std::string_view doc{};
  position where{};
};

struct enum_ {
  std::string_view name{};
  std::span<const enum_member> members{};
  bool damaged = false;  ///< members were lost to syntax errors; only in failed loads
  std::span<const annotation> annotations{};
  std::string_view doc{};
  position where{};
};

enum class struct_kind : std::uint8_t { struct_, union_, exception_ };

struct struct_ {
  struct_kind kind = struct_kind::struct_;
  std::string_view name{};
  std::span<field> fields{};  ///< in source order
  bool damaged = false;       ///< as of enums
  std::span<const annotation> annotations{};
  std::string_view doc{};
  position where{};
};

struct const_ {
  std::string_view name{};
  type_ref type{};
  const const_value* value = nullptr;
  std::span<const annotation> annotations{};
  std::string_view doc{};
  position where{};
};

struct function {
  std::string_view name{};
  bool oneway = false;
  type_ref returns{};  ///< base void_ for none
  std::span<field> arguments{};
  std::span<field> throws{};
  std::span<const annotation> annotations{};
  std::string_view doc{};
  position where{};
};

struct service {
  std::string_view name{};
  std::string_view extends{};  ///< as written, or empty
  position extends_where{};
  declaration_ref base{};  ///< the extended service, kind none without one
  std::span<function> functions{};
  std::span<const annotation> annotations{};
  std::string_view doc{};
  position where{};
};

struct namespace_ {
  std::string_view scope{};
  std::string_view name{};
  std::span<const annotation> annotations{};
  position where{};
};

/// An include that was not found; only in failed loads.
inline constexpr std::uint32_t no_program = 0xFFFFFFFFu;

struct include {
  std::string_view path{};             ///< as written
  std::string_view prefix{};           ///< base name without ".thrift": qualifier of included names
  std::uint32_t program = no_program;  ///< index into program_set::programs
  position where{};                    ///< of the path
};

/// One file. Arrays are in source order.
struct program {
  std::string_view file{};  ///< how messages name it
  std::string_view key{};   ///< real path, or the in-memory name: the identity of the file
  std::string_view name{};  ///< base name without ".thrift"
  std::string_view source{};
  std::string_view doc{};
  std::span<const namespace_> namespaces{};
  std::span<include> includes{};
  std::span<const std::string_view> cpp_includes{};
  std::span<typedef_> typedefs{};
  std::span<enum_> enums{};
  std::span<struct_> structs{};  ///< structs, unions and exceptions together
  std::span<const_> consts{};
  std::span<service> services{};
};

/// All files of one load. programs[0] is the root; a file that is included repeatedly occurs once.
struct program_set {
  arena memory{64 * 1024};
  thriftlens::detail::pod_vector<program> programs{};
  std::vector<diagnostic> warnings{};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
