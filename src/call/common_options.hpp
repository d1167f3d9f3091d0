// common_options: options that several operations share.
#pragma once

#include "call/options.hpp"
#include "call/wire_form.hpp"

#include <thriftlens/compare/compare.hpp>
#include <thriftlens/core/enum_values.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/idl/options.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/policy/redaction.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/protocol/header.hpp>

namespace thriftlens::python {

template <auto... Path>
[[nodiscard]] constexpr auto protocol_option() {
  return choice<Path...>("protocol");
}
/// Maximum nesting depth.
template <auto... Path>
[[nodiscard]] constexpr auto depth_option() {
  return number<Path..., &limits::depth>("depth", 0, limits::max_depth);
}
/// Maximum size of the output; 0 derives it from the input.
template <auto... Path>
[[nodiscard]] constexpr auto output_size_option() {
  return number<Path..., &limits::output_size>("output_size", limits::automatic, 0xffffffffu);
}

}  // namespace thriftlens::python
