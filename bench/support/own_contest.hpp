// own_contest: operations on the user's own structs as contestants. Never timed itself.
#pragma once

#include "own.hpp"
#include "payloads.hpp"

#include <type_traits>

namespace bench::own {

/// Enters Operation<Protocol, Struct> of a family for both protocols on every payload.
template <template <class, class> class Operation, class Family>
bool enter_all(const std::string& task, const std::string& name) {
  for (const payload& each : payloads()) {
    auto enter_struct = [&]<class Struct>(std::type_identity<Struct>) {
      enter<Operation<thriftlens::binary, Struct>>(task, each, each.binary, name, 1, each.type());
      enter<Operation<thriftlens::compact, Struct>>(task + "_compact", each, each.compact, name, 1,
                                                    each.type());
    };
    switch (each.holds) {
      case kind::simple:
        enter_struct(std::type_identity<simple<Family, given>>{});
        break;
      case kind::nesting:
        enter_struct(std::type_identity<nesting<Family, given>>{});
        break;
      case kind::sparse:
        enter_struct(std::type_identity<nesting<Family, maybe>>{});
        break;
    }
  }
  return true;
}

}  // namespace bench::own
