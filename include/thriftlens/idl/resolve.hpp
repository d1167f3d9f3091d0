// resolve: resolves names, types and constants of parsed files.
#pragma once

#include <thriftlens/idl/const_resolver.hpp>
#include <thriftlens/idl/scope.hpp>
#include <thriftlens/idl/type_resolver.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// `skipped` excuses names that error recovery may have skipped. Linear in the programs.
THRIFTLENS_COLD inline void resolve(program_set& set, const skipped_names& skipped,
                                    const load_options& options, findings& to) {
  scope names(set);
  names.build(skipped, to);
  type_resolver types(set, names, options, to);
  types.run();
  const_resolver(set, names, types, options, to).run();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
