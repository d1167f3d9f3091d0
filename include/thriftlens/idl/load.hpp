// load: finds, parses and resolves a root file and its includes.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/idl/options.hpp>
#include <thriftlens/idl/program.hpp>
#include <thriftlens/idl/source_set.hpp>

#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Loads a file or pipe and its includes. Linear in their sizes. Error: errc::io if the file cannot be read,
/// else errc::schema_invalid with the errors and warnings of all files, with source lines and carets.
[[nodiscard]] result<program_set> try_load(const std::string& file, const load_options& options = {});
[[nodiscard]] inline program_set load(const std::string& file, const load_options& options = {}) {
  return try_load(file, options).value();
}
/// Loads a text; `name` is used in messages and, without extension, as the program's name. Its includes come
/// from `options`: in-memory sources, the loader and the include directories.
[[nodiscard]] result<program_set> try_parse(std::string_view text, const load_options& options = {},
                                            std::string_view name = "<text>");
[[nodiscard]] inline program_set parse(std::string_view text, const load_options& options = {},
                                       std::string_view name = "<text>") {
  return try_parse(text, options, name).value();
}
/// Reloads the texts of an earlier load; only mode, implicit_ids and limits of `options` apply. Errors:
/// schema_invalid, also if there is no file or an include refers to none of them.
[[nodiscard]] result<program_set> try_load(const source_set& sources, const load_options& options = {});
[[nodiscard]] inline program_set load(const source_set& sources, const load_options& options = {}) {
  return try_load(sources, options).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl

#if !defined(THRIFTLENS_COMPILED_LOADER)
#include <thriftlens/idl/load.ipp>
#endif
