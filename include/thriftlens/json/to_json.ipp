// to_json: bodies of to_json.hpp.
#pragma once

#include <thriftlens/core/overlap.hpp>
#include <thriftlens/json/fast/fast_write.hpp>
#include <thriftlens/json/to_json.hpp>
#include <thriftlens/json/write/write.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
/// Calls `append` with the options, their selection compiled from its text.
template <class Append>
[[nodiscard]] THRIFTLENS_COLD result<void> append_with_text(type of, to_json_options options,
                                                            const Append& append) {
  const result<selection> compiled = selection::try_compile(of, options.select.text());
  if (!compiled) return compiled.error();
  options.select = *compiled;
  return append(options);
}

[[nodiscard]] inline std::optional<error> find_bad_option(const to_json_options& of) {
  return find_bad_option({{"enums", of.format.enums},
                          {"unknown", of.leniency.unknown},
                          {"names", of.names},
                          {"invalid_utf8", of.leniency.invalid_utf8},
                          {"mismatch", of.leniency.mismatch},
                          {"missing_required", of.leniency.missing_required}});
}
}  // namespace detail

template <protocol Protocol>
result<void> try_append_json(type value_type, input_bytes bytes, buffer& out,
                             const to_json_options& options) {
  if (!value_type) [[unlikely]]
    return error(errc::wrong_type, "JSON needs a type; this handle is empty");
  if (detail::overlaps(bytes, out)) [[unlikely]]
    return detail::overlap_error();
  if (options.select.is_text()) [[unlikely]] {
    return detail::append_with_text(value_type, options, [&](const to_json_options& compiled) {
      return try_append_json<Protocol>(value_type, bytes, out, compiled);
    });
  }
  const schema_image& image = *value_type.image();
  if constexpr (std::same_as<Protocol, binary>) {
    const bool served = detail::fast_json_writer::serves(options);
    if (served && detail::fast_json_writer(bytes, image, out, options, options.limits).run(value_type))
        [[likely]]
      return {};
  }
  if (std::optional<error> bad = detail::find_bad_option(options)) [[unlikely]]
    return *std::move(bad);
  return detail::json_writer<Protocol>(bytes, image, out, options, options.limits).run(value_type);
}

#if defined(THRIFTLENS_COMPILED)
template result<void> try_append_json<binary>(type, input_bytes, buffer&, const to_json_options&);
template result<void> try_append_json<compact>(type, input_bytes, buffer&, const to_json_options&);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
