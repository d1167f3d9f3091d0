// options: how IDL is found and how strictly it is read.
// In: the caller's wishes. Out: one aggregate that load, parse and check share.
// Never a bound on wire data: that is core/limits.
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

/// lenient accepts what real-world IDL holds; strict follows the Apache compiler.
enum class mode : std::uint8_t { lenient, strict };
/// How fields without an id are numbered: -1, -2 … as Apache writes them, or previous + 1 as CloudWeGo does.
enum class implicit_ids : std::uint8_t { apache, cloudwego };

/// Bounds on IDL that may come from a configuration system.
struct idl_limits {
  std::size_t source_size = 64u << 20;      ///< bytes of one file
  std::size_t total_size = 256u << 20;      ///< bytes of all files of a load
  std::uint32_t files = 10'000;             ///< files of a load
  std::uint32_t depth = 64;                 ///< nested types, constants, includes of includes
  std::size_t const_values = 1u << 20;      ///< values of all constants and defaults, with references expanded
  std::uint32_t errors = 100;               ///< findings reported before the rest is cut
};

/// What load, parse and check take beside the root.
struct load_options {
  std::vector<std::string> include_dirs{};            ///< searched in order, after the including file's folder
  std::map<std::string, std::string> includes{};      ///< in-memory sources by the path an include names; looked up first
  /// Called with the path as written and the including file's name; the text, or nothing. Asked after `includes`, before the disk.
  std::function<std::optional<std::string>(std::string_view path, std::string_view from)> loader{};
  enum mode mode = mode::lenient;
  enum implicit_ids implicit_ids = implicit_ids::apache;
  idl_limits limits{};
};

}  // namespace thriftlens::idl
