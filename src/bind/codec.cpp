// codec: decode and encode.
#include "call/method.hpp"
#include "call/reading.hpp"
#include "call/type_docs.hpp"
#include "convert/codec_object.hpp"
#include "convert/wire_bytes.hpp"
#include "schema/type_object.hpp"

namespace thriftlens::python {

namespace {

const signature_of<decode_options>& decode_signature() {
  static constexpr positional list[] = {{"data"}};
  static constexpr auto options = table(choice<&decode_options::form>("protocol"), reading_rest);
  static const signature_of<decode_options> made("decode", {list}, options);
  return made;
}
PyObject* decode_method(PyObject* self, const arguments& given) {
  positional_values found;
  decode_options options;
  wire_bytes data;
  if (!decode_signature().read(given, found, options)) return nullptr;
  if (!data.take(found[0], options.form, type_of(self).of, options.bounds.depth)) return nullptr;
  options.protocol = protocol_of(options.form);
  return decode(*type_of(self).keys, type_of(self).of, data.bytes(), options);
}

constexpr auto writing_rest =
    table(choice<&encode_options::unknown>("unknown"), choice<&encode_options::defaults>("defaults"),
          choice<&encode_options::names>("names"), choice<&encode_options::missing>("missing"),
          choice<&encode_options::invalid_utf8>("invalid_utf8"), depth_option<&encode_options::bounds>());
constexpr auto writing_table = table(protocol_option<&encode_options::protocol>(), writing_rest);
const signature_of<encode_options>& encode_signature() {
  static constexpr positional list[] = {{"value"}};
  static constexpr auto options = table(choice<&encode_options::form>("protocol"), writing_rest);
  static const signature_of<encode_options> made("encode", {list}, options);
  return made;
}
/// An option that is said counts for views too; otherwise each goes by its own.
void set_views(const arguments& given, encode_options& options) {
  if (names_option(given, "unknown")) options.views = options.unknown;
}
PyObject* encode_method(PyObject* self, const arguments& given) {
  positional_values found;
  encode_options options;
  if (!encode_signature().read(given, found, options)) return nullptr;
  options.protocol = protocol_of(options.form);
  set_views(given, options);
  PyObject* made = encode(*type_of(self).keys, type_of(self).of, found[0], options);
  return in_form(made, options.form, type_of(self).of, options.bounds);
}

PyObject* decoder_method(PyObject* self, const arguments& given) {
  decode_options options;
  if (!decoder_signature().read(given, nullptr, options)) return nullptr;
  return make_decoder(type_of(self).keys, type_of(self).of, options);
}

PyObject* encoder_method(PyObject* self, const arguments& given) {
  encode_options options;
  if (!encoder_signature().read(given, nullptr, options)) return nullptr;
  set_views(given, options);
  return make_encoder(type_of(self).keys, type_of(self).of, options);
}

}  // namespace

const signature_of<encode_options>& encoder_signature() {
  static const signature_of<encode_options> made("encoder", {}, writing_table);
  return made;
}
const signature_of<decode_options>& decoder_signature() {
  static const signature_of<decode_options> made("decoder", {}, reading_table);
  return made;
}

std::span<const method> codec_methods() {
  static const method all[] = {{decode_signature(), fast_method<decode_method>(), decode_doc},
                               {encode_signature(), fast_method<encode_method>(), encode_doc},
                               {decoder_signature(), fast_method<decoder_method>(), decoder_doc},
                               {encoder_signature(), fast_method<encoder_method>(), encoder_doc}};
  return all;
}

}  // namespace thriftlens::python
