// from_json: bodies of from_json.hpp.
#pragma once

#include <thriftlens/core/overlap.hpp>
#include <thriftlens/json/from_json.hpp>
#include <thriftlens/json/read/read.hpp>
#include <thriftlens/json/read/text_source.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

template <protocol Protocol>
result<void> try_append_from_json(type value_type, std::string_view json, buffer& out,
                                  const from_json_options& options) {
  if (!value_type) [[unlikely]]
    return error(errc::wrong_type, "JSON needs a type; this handle is empty");
  if (detail::overlaps(byte_view(json), out)) [[unlikely]]
    return detail::overlap_error();
  if (!detail::are_valid(options.leniency.unknown, options.leniency.missing, options.leniency.invalid_utf8))
      [[unlikely]]
    return *detail::find_bad_option({{"unknown", options.leniency.unknown},
                                     {"missing", options.leniency.missing},
                                     {"invalid_utf8", options.leniency.invalid_utf8}});
  return detail::json_reader<Protocol>(json, *value_type.image(), out, options, options.limits)
      .run(value_type);
}

#if defined(THRIFTLENS_COMPILED)
template result<void> try_append_from_json<binary>(type, std::string_view, buffer&, const from_json_options&);
template result<void> try_append_from_json<compact>(type, std::string_view, buffer&,
                                                    const from_json_options&);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
