// resolve: from files as parsed to files as meant.
// In: programs whose includes are linked. Out: the same with every name, constant and default resolved, and
// findings. Never reads a file.
#pragma once

#include <thriftlens/idl/const_resolver.hpp>
#include <thriftlens/idl/scope.hpp>
#include <thriftlens/idl/type_resolver.hpp>

#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// `lost[i]` excuses names that program i may have lost to a syntax error. Linear in the programs.
inline void resolve(program_set& set, const std::vector<lost_names>& lost, const load_options& options,
                    findings& to) {
  scope names(set);
  names.build(lost, to);
  type_resolver types(set, names, options, to);
  types.run();
  const_resolver(set, names, types, options, to).run();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
