// schema: loads IDL, and the class Schema.
#include "bind/bind.hpp"
#include "call/load_signature.hpp"
#include "convert/value.hpp"
#include "schema/type_object.hpp"
#include "support/named_tuple.hpp"

#include <pybind11/stl.h>

#include <thriftlens/idl/load.hpp>
#include <thriftlens/policy/annotation_check.hpp>
#include <thriftlens/schema/build.hpp>
#include <thriftlens/schema/describe.hpp>
#include <thriftlens/schema/schema.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace thriftlens::python {

namespace {

namespace py = pybind11;

/// IDL may have any encoding; invalid UTF-8 is replaced.
py::str text(std::string_view from) { return owned(shown_text(from)); }
PyObject* texts_of(const std::vector<std::string>& from) {
  return new_list(from, [](const std::string& item) { return shown_text(item); });
}
template <class T>
T schema_value(result<T> value, family kind = family::schema) {
  if (value) return *std::move(value);
  raise(value.error(), kind);
  throw py::error_already_set();
}
PyObject* annotations_of(const annotation_range& from) {
  return new_list(from, [](const annotation_info& row) { return new_tuple(row.key(), row.value()); });
}

named_tuple field_class("thriftlens._core.FieldRow",
                        "A field of a struct; `type` is an index, `default` is None without one.",
                        {"id", "name", "type", "requiredness", "has_default", "default", "alias", "doc",
                         "annotations", "type_annotations"});
named_tuple function_class(
    "thriftlens._core.FunctionRow",
    "A function of a service; `returns`, `arguments` and `result` are indices of types.",
    {"name", "oneway", "returns", "arguments", "result", "doc", "annotations", "streaming"});
named_tuple service_class("thriftlens._core.ServiceRow",
                          "A service with its own functions and those of its bases, nearest first.",
                          {"name", "extends", "doc", "annotations", "functions", "inherited"});

PyObject* row_of(const function_info& function) {
  return function_class.make(function.name(), function.oneway(), function.returns().index(),
                             function.arguments().index(), function.result().index(), function.doc(),
                             annotations_of(function.annotations()), to_string(function.streaming()));
}
PyObject* rows_of(const std::vector<service_info>& services) {
  object rows(PyList_New(0));
  for (const service_info& service : services) {
    for (const function_info function : service.functions()) {
      if (!append_new(rows, row_of(function))) return nullptr;
    }
  }
  return rows.release();
}

/// Throws ValueError for an unknown value.
idl::implicit_ids implicit_ids_of(const py::object& value) {
  load_options read;
  PyObject* const values[] = {value.ptr()};
  const py::tuple names = py::make_tuple("implicit_ids");
  if (!load_signature().read({values, 0, names.ptr()}, nullptr, read)) throw py::error_already_set();
  return read.implicit_ids;
}

/// Gets includes from a Python callable. The first exception is rethrown after the load.
class python_loader {
 public:
  explicit python_loader(py::object callable) : callable_(std::move(callable)) {}

  std::optional<std::string> operator()(std::string_view path, std::string_view from) {
    const py::gil_scoped_acquire hold;
    if (failed_) return std::nullopt;
    try {
      py::object source = callable_(text(path), text(from));
      if (source.is_none()) return std::nullopt;
      return source.cast<std::string>();
    } catch (py::error_already_set& thrown) {
      failed_.emplace(std::move(thrown));
    } catch (const py::cast_error&) {
      PyErr_SetString(PyExc_TypeError, "loader must return str, bytes or None");
      failed_.emplace();
    }
    return std::nullopt;
  }
  void rethrow() {
    if (failed_) throw *std::move(failed_);
  }

 private:
  py::object callable_;
  std::optional<py::error_already_set> failed_;
};

class schema_object {
 public:
  using source_row = std::tuple<std::string, std::string, std::vector<std::uint32_t>>;

  explicit schema_object(idl::program_set from)
      : schema_(detail::build_image(from)),
        keys_(std::make_shared<schema_keys>(schema_.image())),
        sources_(idl::sources_of(from)) {}

  /// `source` is a file name, or the text if `name` is set.
  static schema_object load(const std::string& source, const std::optional<std::string>& name,
                            std::vector<std::string> include_dirs,
                            std::map<std::string, std::string> includes, py::object loader, bool strict,
                            const py::object& implicit_ids) {
    load_options options = options_of(strict, implicit_ids);
    options.include_dirs = std::move(include_dirs);
    options.includes = std::move(includes);
    python_loader python_loader_(loader);
    if (!loader.is_none())
      options.loader = [&](std::string_view path, std::string_view from) {
        return python_loader_(path, from);
      };
    return load_unlocked(
        [&] { return name ? idl::try_parse(source, options, *name) : idl::try_load(source, options); },
        python_loader_);
  }
  /// `files`: the result of sources().
  static schema_object load_sources(const std::vector<source_row>& files, bool strict,
                                    const py::object& implicit_ids) {
    const load_options options = options_of(strict, implicit_ids);
    idl::source_set sources;
    for (const auto& [file, source, includes] : files) sources.files.push_back({file, source, includes});
    python_loader none{py::none()};
    return load_unlocked([&] { return idl::try_load(sources, options); }, none);
  }
  /// (file, text, indices of the includes) of all files, the root first.
  [[nodiscard]] py::list sources() const {
    py::list rows;
    for (const idl::source_file& source : sources_.files)
      rows.append(py::make_tuple(py::bytes(source.file), py::bytes(source.text), py::cast(source.includes)));
    return rows;
  }

  [[nodiscard]] std::uint32_t find(const std::string& name) const {
    return schema_value(schema_.try_type(name)).index();
  }
  /// A weak reference to the table of the types.
  void set_table(const py::object& reference) { keys_->table = object::share(reference.ptr()); }
  [[nodiscard]] py::object make(const py::type& of, std::uint32_t index) const {
    return owned(make_type(reinterpret_cast<PyTypeObject*>(of.ptr()), keys_, checked(index)));
  }
  [[nodiscard]] py::object type_names() const { return owned(texts_of(schema_.type_names())); }
  [[nodiscard]] py::object service_names() const { return owned(texts_of(schema_.service_names())); }
  [[nodiscard]] py::list constant_names() const {
    py::list rows;
    const schema_image& image = keys_->image();
    for (const detail::image::symbol& entry : image.symbols) {
      if (entry.kind != detail::image::symbol_kind::const_) continue;
      std::string name(image.view(entry.name));
      if (entry.program != 0) name = std::string(image.view(image.programs[entry.program].name)) + '.' + name;
      rows.append(text(name));
    }
    return rows;
  }

  [[nodiscard]] py::object describe_parts(std::uint32_t index) const {
    const type of = handle(index);
    return owned(new_tuple(to_string(of.kind()), of.name(), of.doc(), annotations_of(of.annotations())));
  }
  [[nodiscard]] std::vector<std::uint32_t> parameters(std::uint32_t index) const {
    const type of = handle(index);
    if (of.kind() == type_kind::map) return {of.key().index(), of.value().index()};
    if (of.is_container()) return {of.element().index()};
    return {};
  }
  [[nodiscard]] py::object fields(std::uint32_t index) const {
    const type of = handle(index);
    if (!of.is_struct()) return py::list();
    return owned(new_list(of.fields(), [this](const field_info& field) { return row_of(field); }));
  }
  [[nodiscard]] py::object members(std::uint32_t index) const {
    const type of = handle(index);
    if (!of.is_enum()) return py::list();
    return owned(new_list(of.members(), [](const enum_member_info& member) {
      return new_tuple(member.name(), member.value(), annotations_of(member.annotations()));
    }));
  }
  [[nodiscard]] py::object constant(const std::string& name) const {
    const constant_info info = schema_value(schema_.try_constant(name));
    return owned(constant_value(info.type, info.value));
  }
  [[nodiscard]] py::object service(const std::string& name) const {
    const service_info info = schema_value(schema_.try_service(name));
    const service_info base = info.base();
    std::vector<service_info> ancestors;
    // Bases are followed as handles: names are ambiguous if two files have the same base name.
    for (service_info ancestor = base; ancestor; ancestor = ancestor.base()) ancestors.push_back(ancestor);
    return owned(service_class.make(info.name(), base ? shown_text(base.name()) : new_none(), info.doc(),
                                    annotations_of(info.annotations()), rows_of({info}), rows_of(ancestors)));
  }
  [[nodiscard]] py::str describe(std::optional<std::uint32_t> index, bool json) const {
    if (!index) return text(json ? describe_json(schema_) : thriftlens::describe(schema_));
    return text(json ? describe_json(handle(*index)) : thriftlens::describe(handle(*index)));
  }
  [[nodiscard]] py::object check_annotations(std::string annotation,
                                             std::vector<std::pair<std::string, std::string>> values,
                                             std::string action) const {
    redact_options rules{.annotation = std::move(annotation), .values = std::move(values)};
    rules.default_action = std::move(action);
    return owned(texts_of(schema_value(try_check_annotations(schema_, rules))));
  }
  [[nodiscard]] py::object warnings() const { return owned(findings(schema_.warnings())); }

 private:
  template <class Load>
  static schema_object load_unlocked(Load load, python_loader& loader_) {
    std::optional<result<idl::program_set>> loaded;
    {
      const py::gil_scoped_release unlocked;
      loaded.emplace(load());
    }
    loader_.rethrow();
    return schema_object(schema_value(*std::move(loaded)));
  }
  [[nodiscard]] std::uint32_t checked(std::uint32_t index) const {
    if (index >= keys_->image().types.size()) throw py::index_error("type index out of range");
    return index;
  }
  [[nodiscard]] type handle(std::uint32_t index) const { return {&keys_->image(), checked(index)}; }
  [[nodiscard]] static load_options options_of(bool strict, const py::object& implicit_ids) {
    load_options options;
    options.mode = strict ? idl::mode::strict : idl::mode::lenient;
    options.implicit_ids = implicit_ids_of(implicit_ids);
    return options;
  }
  [[nodiscard]] PyObject* constant_value(type of, byte_view value) const {
    constexpr decode_leniency lenient{.invalid_utf8 = on_invalid_utf8::replace};
    return decode(*keys_, of, value, {.leniency = lenient, .bounds = {.depth = limits::max_depth}});
  }
  [[nodiscard]] PyObject* row_of(const field_info& field) const {
    static constexpr const char* requirements[] = {"default", "required", "optional"};
    return field_class.make(
        field.id(), field.name(), field.type().index(), requirements[static_cast<int>(field.requiredness())],
        field.has_default(),
        field.has_default() ? constant_value(field.type(), field.default_binary()) : new_none(),
        field.alias(), field.doc(), annotations_of(field.annotations()),
        annotations_of(field.type_annotations()));
  }

  schema schema_;
  std::shared_ptr<schema_keys> keys_;
  idl::source_set sources_;
};

}  // namespace

const signature_of<load_options>& load_signature() {
  static constexpr auto options = table(choice<&load_options::implicit_ids>("implicit_ids"));
  return signature_from<"load", no_positionals, options>();
}

namespace {

using schema_class = py::class_<schema_object>;

void bind_loading(schema_class& cls) {
  using namespace py::literals;
  cls.def_static("load", &schema_object::load, "source"_a, "name"_a, "include_dirs"_a, "includes"_a,
                 "loader"_a, "strict"_a, "implicit_ids"_a)
      .def_static("load_sources", &schema_object::load_sources, "files"_a, "strict"_a, "implicit_ids"_a)
      .def("sources", &schema_object::sources)
      .def("warnings", &schema_object::warnings)
      .def("check_annotations", &schema_object::check_annotations, "annotation"_a, "values"_a, "action"_a);
}
void bind_names(schema_class& cls) {
  using namespace py::literals;
  cls.def("find", &schema_object::find, "name"_a)
      .def("type_names", &schema_object::type_names)
      .def("service_names", &schema_object::service_names)
      .def("constant_names", &schema_object::constant_names)
      .def("constant", &schema_object::constant, "name"_a)
      .def("service", &schema_object::service, "name"_a);
}
/// The parts of types, which are numbered.
void bind_types(schema_class& cls) {
  using namespace py::literals;
  cls.def("set_table", &schema_object::set_table, "reference"_a)
      .def("make", &schema_object::make, "of"_a, "index"_a)
      .def("parts", &schema_object::describe_parts, "index"_a)
      .def("parameters", &schema_object::parameters, "index"_a)
      .def("fields", &schema_object::fields, "index"_a)
      .def("members", &schema_object::members, "index"_a)
      .def("describe", &schema_object::describe, "index"_a, "json"_a);
}

}  // namespace

void bind_schema(py::module_& module) {
  static_cast<void>(load_signature());  // initialized while no other thread can use it
  schema_class cls(module, "Schema", "The compiled half of thriftlens.Schema.");
  bind_loading(cls);
  bind_names(cls);
  bind_types(cls);
}

}  // namespace thriftlens::python
