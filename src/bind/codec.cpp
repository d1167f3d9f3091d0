// codec: decode and encode.
#include "call/method.hpp"
#include "call/reading.hpp"
#include "convert/codec_object.hpp"
#include "convert/wire_bytes.hpp"
#include "docs/codec_docs.hpp"
#include "schema/type_object.hpp"
#include "support/argument.hpp"

namespace thriftlens::python {

namespace {

constexpr auto decode_table =
    table(into_option, table(choice<&decode_options::form>("protocol"), reading_rest));
constexpr auto decoder_table = table(into_option, reading_table);
constexpr auto decode_signature = signature_from<"decode", required_positionals<"data">, decode_table>;
/// The Model of the option `into`; null without it, or with a Python error set.
object model_of(PyObject* self, const decode_options& options) {
  if (options.into == nullptr || options.into == Py_None) return {};
  if (options.leniency.unknown == on_unknown::keep) {
    raise_value_error("unknown='keep' needs dicts: objects of a class cannot have unknown fields");
    return {};
  }
  if (options.enums != enum_values::number) {
    raise_value_error(
        "enums= cannot be combined with into=: annotations of the class select the form of enums");
    return {};
  }
  return model_for(self, options.into, options.names == json_names::alias);
}
PyObject* decode_method(PyObject* self, PyObject** positionals, decode_options& options) {
  wire_bytes data;
  if (!data.take(positionals[0], options.form, type_of(self).of, options.bounds.depth)) return nullptr;
  options.protocol = protocol_of(options.form);
  const object model = model_of(self, options);
  if (!model && PyErr_Occurred() != nullptr) return nullptr;
  return decode(*type_of(self).keys, type_of(self).of, data.bytes(), options,
                model ? model_root(model.get()) : nullptr);
}

constexpr auto writing_rest =
    table(choice<&encode_options::unknown, &encode_unknown::of_objects>("unknown"),
          choice<&encode_options::defaults>("defaults"), choice<&encode_options::names>("names"),
          choice<&encode_options::missing>("missing"), choice<&encode_options::invalid_utf8>("invalid_utf8"),
          depth_option<&encode_options::bounds>());
constexpr auto writing_table = table(protocol_option<&encode_options::protocol>(), writing_rest);
constexpr auto encode_table = table(choice<&encode_options::form>("protocol"), writing_rest);
constexpr auto encode_signature = signature_from<"encode", required_positionals<"value">, encode_table>;
/// An explicit `unknown` also applies to views, which otherwise use their own option.
void set_views(const arguments& args, encode_options& options) {
  if (names_option(args, "unknown")) options.unknown.of_views = options.unknown.of_objects;
}
PyObject* encode_method(PyObject* self, const arguments& args) {
  positional_values positionals;
  encode_options options;
  if (!encode_signature().read(args, positionals, options)) return nullptr;
  options.protocol = protocol_of(options.form);
  set_views(args, options);
  PyObject* bytes = encode(*type_of(self).keys, type_of(self).of, positionals[0], options);
  return in_form(bytes, options.form, type_of(self).of, options.bounds);
}

PyObject* decoder_method(PyObject* self, PyObject**, const decode_options& options) {
  object model = model_of(self, options);
  if (!model && PyErr_Occurred() != nullptr) return nullptr;
  return make_decoder(type_of(self).keys, type_of(self).of, options, std::move(model));
}

PyObject* encoder_method(PyObject* self, const arguments& args) {
  encode_options options;
  if (!encoder_signature().read(args, nullptr, options)) return nullptr;
  set_views(args, options);
  return make_encoder(type_of(self).keys, type_of(self).of, options);
}

}  // namespace

const signature_of<encode_options>& encoder_signature() {
  return signature_from<"encoder", no_positionals, writing_table>();
}
const signature_of<decode_options>& decoder_signature() {
  return signature_from<"decoder", no_positionals, decoder_table>();
}

std::span<const method> codec_methods() {
  static const method methods[] = {method_of<decode_signature, decode_method>(decode_doc),
                                   {encode_signature(), fast_method<encode_method>(), encode_doc},
                                   method_of<decoder_signature, decoder_method>(decoder_doc),
                                   {encoder_signature(), fast_method<encoder_method>(), encoder_doc}};
  return methods;
}

}  // namespace thriftlens::python
