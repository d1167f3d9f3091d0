// source_set: the texts of a load. File names serve messages and program names; the files need not exist.
#pragma once

#include <thriftlens/idl/program.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

struct source_file {
  std::string file{};                     ///< how messages name it; its base name is the program's
  std::string text{};                     ///< IDL
  std::vector<std::uint32_t> includes{};  ///< file indices of its includes, in order

  friend bool operator==(const source_file&, const source_file&) = default;
};

/// The root first.
struct source_set {
  std::vector<source_file> files{};

  friend bool operator==(const source_set&, const source_set&) = default;
};

/// The sources of a successful load. Copies the texts.
[[nodiscard]] inline source_set sources_of(const program_set& loaded) {
  source_set result;
  result.files.reserve(loaded.programs.size());
  for (const program& loaded_program : loaded.programs) {
    source_file& added = result.files.emplace_back(
        source_file{std::string(loaded_program.file), std::string(loaded_program.source)});
    for (const include& to : loaded_program.includes) added.includes.push_back(to.program);
  }
  return result;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
