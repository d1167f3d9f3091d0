// describe: a schema as text for people and as JSON for programs (`thriftlens.describe/1`).
#pragma once

#include <thriftlens/schema/schema.hpp>

#include <string>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The root file's declarations as IDL, with typedefs resolved and ids and defaults explicit. Loads from the
/// same folder as the root with the same description; includes also the files that typedefs of its includes
/// refer to. Does not distinguish included files with equal base names; omits annotations within types.
[[nodiscard]] std::string describe(const schema& of);
/// One type's declaration.
[[nodiscard]] std::string describe(type of);

/// The root file as one JSON object, schema `thriftlens.describe/1`, on one line.
[[nodiscard]] std::string describe_json(const schema& of);
/// One type: its object in `structs` or `enums`, or the type as in fields.
[[nodiscard]] std::string describe_json(type of);

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED_LOADER)
#include <thriftlens/schema/describe.ipp>
#endif
