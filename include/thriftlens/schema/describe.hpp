// describe: a schema as text for people and as JSON for programs (`thriftlens.describe/1`).
#pragma once

#include <thriftlens/schema/schema.hpp>

#include <string>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The root file's declarations as IDL, typedefs seen through, ids and defaults written out. It loads again
/// where the root stood and describes itself the same; it includes besides what typedefs of its includes lead
/// to. (It cannot tell two included files of one base name apart, and annotations within types are not in
/// it.)
[[nodiscard]] std::string describe(const schema& of);
/// One type's declaration.
[[nodiscard]] std::string describe(type of);

/// The root file as one JSON object, schema `thriftlens.describe/1`, on one line.
[[nodiscard]] std::string describe_json(const schema& of);
/// One type: the object it has in `structs` or `enums`, or the type as fields write it.
[[nodiscard]] std::string describe_json(type of);

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/schema/describe.ipp>
#endif
