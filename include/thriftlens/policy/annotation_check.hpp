// annotation_check: findings about the annotations that a redaction follows. Paths and type rules are not
// looked at.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/policy/redaction.hpp>
#include <thriftlens/schema/schema.hpp>

#include <string>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A line for each annotation `options.annotation` of a type, field or function that contradicts a stricter
/// one, cannot be applied or has no effect; without `options.annotation` for each annotation that has an
/// action such as keep_last(4) as its value somewhere. `options.paths` and `options.types` are not looked at.
/// Linear in the schema for each annotation. Error: bad_rule (options that make no sense).
[[nodiscard]] result<std::vector<std::string>> try_check_annotations(const schema& of,
                                                                     const redact_options& options);
[[nodiscard]] inline std::vector<std::string> check_annotations(const schema& of,
                                                                const redact_options& options) {
  return try_check_annotations(of, options).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/policy/annotation_check.ipp>
#endif
