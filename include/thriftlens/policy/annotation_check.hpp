// annotation_check: findings about the annotations of a redaction. Ignores paths and type rules.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/policy/redaction.hpp>
#include <thriftlens/schema/schema.hpp>

#include <string>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// One line for every annotation `options.annotation` of a type, field or function that contradicts a
/// stricter one, cannot be applied or has no effect; without `options.annotation`, for all annotation keys
/// with an action such as keep_last(4) as a value. Ignores `options.paths` and `options.types`. Linear in the
/// schema for every annotation key. Error: bad_rule (invalid options).
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
