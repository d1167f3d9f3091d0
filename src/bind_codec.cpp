// bind_codec: decode and encode.
#include "bytes_like.hpp"
#include "method.hpp"
#include "reading.hpp"
#include "type_docs.hpp"
#include "type_object.hpp"

namespace thriftlens::python {

namespace {

const signature_of<decode_options>& decode_signature() {
  static constexpr positional list[] = {{"data"}};
  static const signature_of<decode_options> made("decode", {list}, reading_table);
  return made;
}
PyObject* decode_method(PyObject* self, const arguments& given) {
  positional_values found;
  decode_options options;
  bytes_like data;
  if (!decode_signature().read(given, found, options) || !data.take(found[0])) return nullptr;
  return decode(*type_of(self).keys, type_of(self).of, data.bytes(), options);
}

const signature_of<encode_options>& encode_signature() {
  static constexpr positional list[] = {{"value"}};
  static constexpr auto options =
      table(protocol_option<&encode_options::protocol>(), choice<&encode_options::unknown>("unknown"),
            choice<&encode_options::defaults>("defaults"),
            choice<&encode_options::names>("names", names_to_write), depth_option<&encode_options::bounds>());
  static const signature_of<encode_options> made("encode", {list}, options);
  return made;
}
PyObject* encode_method(PyObject* self, const arguments& given) {
  positional_values found;
  encode_options options;
  if (!encode_signature().read(given, found, options)) return nullptr;
  return encode(*type_of(self).keys, type_of(self).of, found[0], options);
}

}  // namespace

std::span<const method> codec_methods() {
  static const method all[] = {{decode_signature(), fast_method<decode_method>(), decode_doc},
                               {encode_signature(), fast_method<encode_method>(), encode_doc}};
  return all;
}

}  // namespace thriftlens::python
