// json: wire bytes to JSON text and back.
#include "unlocked.hpp"

#include <thriftlens/json/from_json.hpp>
#include <thriftlens/json/to_json.hpp>

namespace thriftlens::python {

PyObject* to_json(type of, byte_view data, protocol_id protocol, const to_json_options& options,
                  const limits& bounds) {
  return bytes_of(
      data.size(), [&](buffer& out) { return try_append_json(protocol, of, data, out, options, bounds); },
      family::decode);
}

PyObject* from_json(type of, std::string_view text, protocol_id protocol, const from_json_options& options,
                    const limits& bounds) {
  return bytes_of(
      text.size(),
      [&](buffer& out) { return try_append_from_json(protocol, of, text, out, options, bounds); },
      family::json);
}

}  // namespace thriftlens::python
