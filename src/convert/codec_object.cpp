// codec_object: the classes Decoder and Encoder.
#include "convert/codec_object.hpp"

#include "call/method.hpp"
#include "call/reduce.hpp"
#include "docs/codec_docs.hpp"
#include "schema/type_object.hpp"
#include "support/argument.hpp"
#include "support/bytes_like.hpp"
#include "support/heap_class.hpp"

namespace thriftlens::python {

namespace {

template <class Options>
struct codec_object {
  PyObject_HEAD std::shared_ptr<schema_keys> keys;
  type of;
  Options options;
  object model;       // of a decoder; null without one
  object annotation;  // that the model was made of
};
using decoder_object = codec_object<decode_options>;
using encoder_object = codec_object<encode_options>;

template <class Object>
Object& self_of(PyObject* self) noexcept {
  return *reinterpret_cast<Object*>(self);
}

template <class Options>
PyObject* make(PyTypeObject* of, std::shared_ptr<schema_keys> keys, type to, const Options& options,
               object model = {}, object annotation = {}) {
  PyObject* const self = new_instance(of);
  if (self == nullptr) return nullptr;
  auto& codec = self_of<codec_object<Options>>(self);
  std::construct_at(&codec.keys, std::move(keys));
  std::construct_at(&codec.of, to);
  std::construct_at(&codec.options, options);
  std::construct_at(&codec.model, std::move(model));
  std::construct_at(&codec.annotation, std::move(annotation));
  return self;
}
template <class Object>
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(self_of<Object>(self).model.get());
  Py_VISIT(self_of<Object>(self).annotation.get());
  return 0;
}
template <class Object>
void destroy(PyObject* self) {
  PyObject_GC_UnTrack(self);
  std::destroy_at(&self_of<Object>(self).annotation);
  std::destroy_at(&self_of<Object>(self).model);
  std::destroy_at(&self_of<Object>(self).keys);
  free_instance(self);
}
template <class Object>
PyObject* represent(PyObject* self) {
  const std::string name = self_of<Object>(self).of.name();
  return PyUnicode_FromFormat("<%s %s>", Py_TYPE(self)->tp_name, name.c_str());
}

const model_node* model_of(const decoder_object& codec) {
  return codec.model ? model_root(codec.model.get()) : nullptr;
}
PyObject* decode_method(PyObject* self, PyObject* argument) {
  const auto& codec = self_of<decoder_object>(self);
  bytes_like data;
  if (!data.take(argument)) return nullptr;
  return decode(*codec.keys, codec.of, data.bytes(), codec.options, model_of(codec));
}
PyObject* decode_counted_method(PyObject* self, PyObject* argument) {
  const auto& codec = self_of<decoder_object>(self);
  if (!PyBytes_Check(argument)) return raise_wrong_type("data must be bytes", argument);
  std::size_t taken = 0;
  object value(
      decode_yielding_gil(*codec.keys, codec.of, bytes_in(argument), codec.options, model_of(codec), taken));
  return value ? new_tuple(std::move(value), taken) : nullptr;
}
PyObject* encode_method(PyObject* self, PyObject* argument) {
  const auto& codec = self_of<encoder_object>(self);
  return encode(*codec.keys, codec.of, argument, codec.options);
}

template <class Object>
PyObject* reduce_method(PyObject* self, const signature& of, const char* method) {
  const Object& codec = self_of<Object>(self);
  const decltype(codec.options) defaults{};
  object options = changed_options(of.options(), &codec.options, &defaults);
  if (!options) return nullptr;
  if (codec.annotation && PyDict_SetItemString(options.get(), "into", codec.annotation.get()) != 0)
    return nullptr;
  return reduced(*codec.keys, codec.of.index(), method, object(PyTuple_New(0)), std::move(options));
}
PyObject* reduce_decoder_method(PyObject* self, PyObject*) {
  return reduce_method<decoder_object>(self, decoder_signature(), "decoder");
}
PyObject* reduce_encoder_method(PyObject* self, PyObject*) {
  return reduce_method<encoder_object>(self, encoder_signature(), "encoder");
}

constexpr char reduce_doc[] = "Pickles the type and the options.";
constexpr char decode_counted_doc[] =
    "_decode_counted($self, data, /)\n--\n\nThe value, and the bytes of memory that its objects take. Other "
    "threads can run at the same time.";

/// Decoder(type, ...) calls type.decoder(...).
PyObject* construct(PyObject* arguments, PyObject* options, const char* method) {
  PyObject* const of = PyTuple_GET_SIZE(arguments) == 1 ? PyTuple_GET_ITEM(arguments, 0) : nullptr;
  if (of == nullptr || !is_type(of))
    return raise_type_error("expected a thriftlens.Type, and options by name");
  const object bound(PyObject_GetAttrString(of, method));
  const object none(PyTuple_New(0));
  return bound && none ? PyObject_Call(bound.get(), none.get(), options) : nullptr;
}
PyObject* new_decoder(PyTypeObject*, PyObject* arguments, PyObject* options) {
  return construct(arguments, options, "decoder");
}
PyObject* new_encoder(PyTypeObject*, PyObject* arguments, PyObject* options) {
  return construct(arguments, options, "encoder");
}

/// The docstring of a class: its signature and text.
std::string class_text(const signature& takes, const char* doc) {
  std::string text = takes.text("type") + doc;
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

template <class Object, auto New>
PyTypeObject* make_class(const char* name, const std::string& doc, PyMethodDef* methods) {
  return new_class({name, sizeof(Object), Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC},
                   {{Py_tp_methods, methods},
                    type_slot<New>(Py_tp_new),
                    type_slot<represent<Object>>(Py_tp_repr),
                    raw_slot(Py_tp_traverse, traverse<Object>),
                    raw_slot(Py_tp_dealloc, destroy<Object>),
                    doc_slot(doc.c_str())});
}
PyMethodDef decoder_methods[] = {
    plain_method<decode_method>("decode", METH_O, decoder_decode_doc),
    plain_method<reduce_decoder_method>("__reduce__", METH_NOARGS, reduce_doc),
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, "Decoder[T], for annotations."},
    plain_method<decode_counted_method>("_decode_counted", METH_O, decode_counted_doc),
    {}};
PyMethodDef encoder_methods[] = {plain_method<encode_method>("encode", METH_O, encoder_encode_doc),
                                 plain_method<reduce_encoder_method>("__reduce__", METH_NOARGS, reduce_doc),
                                 {}};

}  // namespace

PyTypeObject* decoder_class() {
  static shared_object cached;
  return class_once(cached, [] {
    return make_class<decoder_object, new_decoder>(
        "thriftlens.Decoder", class_text(decoder_signature(), decoder_class_doc), decoder_methods);
  });
}
PyTypeObject* encoder_class() {
  static shared_object cached;
  return class_once(cached, [] {
    return make_class<encoder_object, new_encoder>(
        "thriftlens.Encoder", class_text(encoder_signature(), encoder_class_doc), encoder_methods);
  });
}

PyObject* make_decoder(std::shared_ptr<schema_keys> keys, type of, const decode_options& options,
                       object model) {
  decode_options own = options;
  own.into = nullptr;  // borrowed
  object annotation = model ? object::share(options.into) : object();
  return make(decoder_class(), std::move(keys), of, own, std::move(model), std::move(annotation));
}
PyObject* make_encoder(std::shared_ptr<schema_keys> keys, type of, const encode_options& options) {
  return make(encoder_class(), std::move(keys), of, options);
}

}  // namespace thriftlens::python
