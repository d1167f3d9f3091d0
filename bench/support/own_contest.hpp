// own_contest: operations on the user's own structs as contestants. Never timed itself.
#pragma once

#include "own.hpp"
#include "payloads.hpp"

#include <type_traits>

namespace bench::own {

/// Enters Operation<Protocol, Struct> of a family for both protocols on every payload.
template <template <class, class> class Operation, class Family>
bool enter_all(const std::string& task, const std::string& name) {
  for (const payload& input : payloads()) {
    auto enter_struct = [&]<class Struct>(std::type_identity<Struct>) {
      enter<Operation<thriftlens::binary, Struct>>(task, input, input.binary, name, 1, input.type());
      enter<Operation<thriftlens::compact, Struct>>(task + "_compact", input, input.compact, name, 1,
                                                    input.type());
    };
    switch (input.holds) {
      case kind::simple:
        enter_struct(std::type_identity<simple<Family, plain>>{});
        break;
      case kind::nesting:
        enter_struct(std::type_identity<nesting<Family, plain>>{});
        break;
      case kind::sparse:
        enter_struct(std::type_identity<nesting<Family, maybe>>{});
        break;
    }
  }
  return true;
}

}  // namespace bench::own
