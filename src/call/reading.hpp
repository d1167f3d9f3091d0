// reading: the decoding options shared by decode, get, get_many and view.
#pragma once

#include "call/common_options.hpp"
#include "convert/value.hpp"

namespace thriftlens::python {

inline constexpr auto reading_rest =
    table(choice<&decode_options::enums>("enums"),
          choice<&decode_options::leniency, &decode_leniency::unknown>("unknown"),
          choice<&decode_options::defaults>("defaults"), choice<&decode_options::names>("names"),
          choice<&decode_options::leniency, &decode_leniency::invalid_utf8>("invalid_utf8"),
          choice<&decode_options::leniency, &decode_leniency::mismatch>("mismatch"),
          choice<&decode_options::leniency, &decode_leniency::duplicates>("duplicates"),
          choice<&decode_options::leniency, &decode_leniency::missing_required>("missing_required"),
          depth_option<&decode_options::bounds>(), output_size_option<&decode_options::bounds>());
/// The class or annotation of the result.
inline constexpr auto into_option = any_object<&decode_options::into>("into");
inline constexpr auto reading_table = table(protocol_option<&decode_options::protocol>(), reading_rest);

}  // namespace thriftlens::python
