// bind_protocol: convert.
#include "bytes_like.hpp"
#include "method.hpp"
#include "spelling.hpp"
#include "type_docs.hpp"
#include "unlocked.hpp"

#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/select.hpp>

namespace thriftlens::python {

namespace {

struct convert_call {
  std::optional<protocol_id> source = std::nullopt;
  std::optional<protocol_id> target = std::nullopt;
  limits bounds = {};
};

const signature_of<convert_call>& convert_signature() {
  static constexpr positional list[] = {{"data"}};
  static constexpr auto options = table(
      required_choice<&convert_call::source>("source"), required_choice<&convert_call::target>("target"),
      depth_option<&convert_call::bounds>(), output_size_option<&convert_call::bounds>());
  static const signature_of<convert_call> made("convert", {list, true}, options);
  return made;
}
PyObject* convert_function(PyObject*, const arguments& given) {
  positional_values found;
  convert_call call;
  bytes_like data;
  if (!convert_signature().read(given, found, call) || !data.take(found[0])) return nullptr;
  const auto work = [&](buffer& out) {
    return visit_protocol(*call.source, [&](auto from) {
      return visit_protocol(*call.target, [&](auto to) {
        return try_append_converted<decltype(from), decltype(to)>(data.bytes(), out, call.bounds);
      });
    });
  };
  return bytes_of(data.bytes().size(), work, family::decode);
}

}  // namespace

std::span<const method> protocol_functions() {
  static const method all[] = {{convert_signature(), fast_method<convert_function>(), convert_doc}};
  return all;
}

}  // namespace thriftlens::python
