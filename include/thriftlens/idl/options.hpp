// options: lookup, strictness and limits of loading IDL.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// lenient accepts real-world IDL. strict follows the Apache compiler and additionally rejects: a stray `;`
/// after a declaration, a line end inside a string, a keyword as namespace, an enum member without its
/// enum's name, a number that is not a member of its enum, `1e5` for an integer, a bool other than 0 and 1, a
/// default that wraps around (`byte b = 200`), an inherited function defined again, a typedef of an unknown
/// name or of a constant that nothing uses; what Apache resolves while it reads and is declared only later
/// (constants, enums of their members, types of constants and defaults, bases, exceptions), a constant as the
/// value of a struct, annotations of constants, words of the IDL as names of anything but fields, `\xHH` and
/// `\uHHHH`, oneway with a result or exceptions.
enum class mode : std::uint8_t { lenient, strict };
/// How fields without an id are numbered: -1, -2 … as Apache writes them, or previous + 1 as CloudWeGo does.
enum class implicit_ids : std::uint8_t { apache, cloudwego };

/// Bounds on IDL that may come from a configuration system.
struct idl_limits {
  std::size_t source_size = 16u << 20;  ///< bytes of one file
  std::size_t total_size = 64u << 20;   ///< bytes of all files of a load
  std::uint32_t files = 10'000;         ///< files of a load
  std::uint32_t depth =
      64;  ///< nested types and constants; chains of typedefs, constants, services and includes
  std::size_t type_size = 1u << 16;     ///< maximum length of a type name with all typedefs expanded
  std::size_t const_values = 1u << 18;  ///< values of all constants and defaults, with references expanded
  std::size_t const_bytes = 4u << 20;   ///< bytes of strings that references to constants repeat
  std::uint32_t errors = 100;           ///< findings reported before the rest is cut
};

/// Options of load, parse and check.
/// An include is looked up in `includes` (as written, then relative to the including source), by `loader`,
/// and on disk: as absolute path, next to the including file, in `include_dirs`. Untrusted IDL must not read
/// other files or quote them in messages: absolute and upward paths are looked up on disk only if they are
/// included by a file, not by a text from memory, and end in `.thrift`.
struct load_options {
  std::vector<std::string> include_dirs{};  ///< searched in order, after the including file's folder
  std::map<std::string, std::string>
      includes{};  ///< in-memory sources by the path an include names; looked up first
  /// Called with the path as written and the including file's name; returns the text or nullopt. Takes
  /// precedence over the disk, but not over `includes`.
  std::function<std::optional<std::string>(std::string_view path, std::string_view from)> loader{};
  enum mode mode = mode::lenient;
  enum implicit_ids implicit_ids = implicit_ids::apache;
  idl_limits limits{};

  /// Never destroyed: units that pass no options do not compile the destructor.
  [[nodiscard]] THRIFTLENS_COLD static const load_options& defaults() {
    static const load_options& options = *new load_options();
    return options;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
