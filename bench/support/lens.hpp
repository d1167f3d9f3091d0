// lens: shared by the contestants of this library: the schema of idl/bench.thrift, loaded once, and the two
// protocols.
#pragma once

#include "contest.hpp"
#include "payloads.hpp"

#include <thriftlens/path/path.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/schema/schema.hpp>

#include <string>
#include <tuple>
#include <type_traits>

namespace bench::lens {

inline thriftlens::type type(const char* name) {
  static const thriftlens::schema schema = thriftlens::schema::load(bench_idl());
  return schema.type(name);
}

template <class Protocol>
std::string name() {
  return std::is_same_v<Protocol, thriftlens::binary> ? "thriftlens" : "thriftlens_compact";
}

/// Tasks on Compact bytes have a group of their own: their peer is Apache's Compact.
template <class Protocol>
std::string task(const std::string& base) {
  return std::is_same_v<Protocol, thriftlens::binary> ? base : base + "_compact";
}

/// Type and path of the value that get_one, set_one and write are about.
inline std::tuple<thriftlens::type, thriftlens::path> late_field(const payload& of) {
  const thriftlens::type root = type(of.type());
  return {root, thriftlens::path::compile(
                    root, of.is_simple() ? "$.BinaryField" : "$.MapStringSimple{\"15\"}.BinaryField")};
}

/// Registers an operation template for both protocols and every payload; `arguments(payload)` returns a tuple
/// for its constructor.
template <template <class> class Operation, class Arguments>
bool enter_both(const std::string& base, Arguments arguments, const std::string& variant = {}) {
  for (const payload& input : payloads()) {
    std::apply(
        [&](auto... args) {
          enter<Operation<thriftlens::binary>>(base, input, input.binary,
                                               name<thriftlens::binary>() + variant, 1, args...);
          enter<Operation<thriftlens::compact>>(task<thriftlens::compact>(base), input, input.compact,
                                                name<thriftlens::compact>() + variant, 1, args...);
        },
        arguments(input));
  }
  return true;
}

}  // namespace bench::lens
