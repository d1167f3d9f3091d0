// bind_lens: views, edits, rules compiled once, comparisons.
#include "bind.hpp"
#include "bytes_like.hpp"
#include "edit_object.hpp"
#include "guarded.hpp"
#include "type_object.hpp"
#include "unlocked.hpp"
#include "view_object.hpp"

#include <thriftlens/compare/compare.hpp>
#include <thriftlens/compare/inspect.hpp>
#include <thriftlens/policy/redact.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/protocol/convert.hpp>

#include <optional>
#include <stdexcept>
#include <string>

namespace thriftlens::python {

namespace {

namespace py = pybind11;

/// Ends the call with the Python error that is set.
[[noreturn]] void give_up() { throw py::error_already_set(); }
[[noreturn]] void give_up(const error& reason, family kind) {
  raise(reason, kind);
  give_up();
}
type_parts parts_of(const py::object& of) {
  if (!PyObject_TypeCheck(of.ptr(), type_class()))
    throw py::type_error("expected a thriftlens.Type, not " + std::string(Py_TYPE(of.ptr())->tp_name));
  return python::parts_of(of.ptr());
}
/// The text of an option; str only.
std::string text_of(py::handle given, const char* what) {
  std::string_view text;
  if (!PyUnicode_Check(given.ptr())) throw py::type_error(std::string(what) + " map str to str");
  if (!utf8_of(given.ptr(), text, errc::path_syntax, family::plain)) give_up();
  return std::string(text);
}

protocol_id protocol_named(const std::string& name) {
  const std::optional<protocol_id> found = find_protocol(name);
  if (!found) throw py::value_error("protocol must be 'binary' or 'compact', not '" + name + "'");
  return *found;
}

template <class T>
T value_or_give_up(result<T> given) {
  if (!given) give_up(given.error(), family_of(given.error().code()));
  return *std::move(given);
}
py::bytes bytes_or_give_up(PyObject* made) {
  if (made == nullptr) give_up();
  return py::reinterpret_steal<py::bytes>(made);
}

/// The words of redact as the caller gave them; the numbers are enumerators.
struct redact_words {
  const std::string& annotation;
  const py::dict& values;
  const std::string& otherwise;
  const py::dict& paths;
  const py::bytes& key;
  std::uint32_t unknown, missing, missing_required;

  [[nodiscard]] redact_options options() const {
    redact_options made{.annotation = annotation, .otherwise = otherwise};
    for (const auto& [value, action] : values)
      made.values.emplace_back(text_of(value, "values"), text_of(action, "values"));
    for (const auto& [path, action] : paths)
      made.paths.emplace_back(text_of(path, "paths"), text_of(action, "paths"));
    const std::string bytes = key;
    if (bytes.size() > made.key.size()) throw py::value_error("key has at most 16 bytes");
    std::copy(bytes.begin(), bytes.end(), made.key.begin());
    made.unknown = static_cast<redact_unknown>(unknown);
    made.missing = static_cast<redact_options::missing_rules>(missing);
    made.missing_required = static_cast<thriftlens::missing_required>(missing_required);
    return made;
  }
};

/// Rules of a redaction, compiled for one type.
class redaction_object {
 public:
  redaction_object(const py::object& of, const std::string& annotation, const py::dict& values,
                   const std::string& otherwise, const py::dict& paths, const py::bytes& key,
                   std::uint32_t unknown, std::uint32_t missing, std::uint32_t missing_required)
      : parts_(parts_of(of)),
        rules_(value_or_give_up(redaction::try_compile(
            parts_.of,
            redact_words{annotation, values, otherwise, paths, key, unknown, missing, missing_required}
                .options()))) {}

  py::bytes apply(const py::object& data, const std::string& protocol, std::uint32_t depth) const {
    const applied what{.run = redacted, .rules = this, .protocol = protocol_named(protocol), .depth = depth};
    if (is_noting()) note(what, py::cast(this).ptr());
    PyObject* const argument = data.ptr();
    return bytes_or_give_up(redacted(what, nullptr, &argument));
  }
  /// With the numbers of what was replaced and dropped, and of the unknown fields among the latter.
  py::tuple counted(const py::object& data, const std::string& protocol, std::uint32_t depth) const {
    redact_report report;
    py::bytes made = bytes_or_give_up(run(data.ptr(), protocol_named(protocol), depth, report));
    return py::make_tuple(std::move(made), report.replaced, report.dropped, report.unknown);
  }
  py::list listing() const {
    py::list all;
    for (const redact_entry& each : rules_.listing())
      all.append(py::make_tuple(words(each.path), words(each.action), words(each.why)));
    return all;
  }

 private:
  /// IDL may hold any bytes.
  static py::str words(const std::string& text) {
    PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
    if (made == nullptr) give_up();
    return py::reinterpret_steal<py::str>(made);
  }
  static PyObject* redacted(const applied& what, PyObject*, PyObject* const* data) {
    redact_report unused;
    return static_cast<const redaction_object*>(what.rules)->run(*data, what.protocol, what.depth, unused);
  }
  PyObject* run(PyObject* data, protocol_id protocol, std::uint32_t depth, redact_report& report) const {
    bytes_like given;
    if (!given.take(data)) return nullptr;
    return bytes_of(given.bytes().size(), [&](buffer& out) {
      return visit_protocol(protocol, [&](auto tag) -> result<void> {
        const result<redact_report> done =
            try_redact_to(out, view<decltype(tag)>(given.bytes(), parts_.of, {.depth = depth}), rules_);
        if (!done) return done.error();
        report = *done;
        return {};
      });
    });
  }

  type_parts parts_;
  redaction rules_;
};

/// What values of one type must be, compiled.
class validator_object {
 public:
  validator_object(const py::object& of, bool unknown, bool utf8, bool enums, bool keys, bool rules,
                   bool missing, std::size_t most, std::uint32_t depth)
      : parts_(parts_of(of)),
        checks_(value_or_give_up(validator::try_compile(
            parts_.of, {.bounds = {.depth = depth},
                        .most_findings = most,
                        .unknown = static_cast<validate_options::unknown_fields>(unknown),
                        .utf8 = static_cast<validate_options::utf8_check>(!utf8),
                        .enums = static_cast<validate_options::enum_check>(!enums),
                        .keys = static_cast<validate_options::key_check>(keys),
                        .rules = static_cast<validate_options::rule_check>(!rules),
                        .missing_required = static_cast<missing_required>(!missing)}))) {}

  /// The findings as exceptions that nobody has raised.
  py::object findings(const py::object& data, const std::string& protocol) const {
    return called(listed, data, protocol);
  }
  /// Raises the first of the findings.
  py::object check(const py::object& data, const std::string& protocol) const {
    return called(checked, data, protocol);
  }

 private:
  py::object called(PyObject* (*run)(const applied&, PyObject*, PyObject* const*), const py::object& data,
                    const std::string& protocol) const {
    const applied what{.run = run, .rules = this, .protocol = protocol_named(protocol)};
    if (is_noting()) note(what, py::cast(this).ptr());
    PyObject* const argument = data.ptr();
    PyObject* made = run(what, nullptr, &argument);
    if (made == nullptr) give_up();
    return py::reinterpret_steal<py::object>(made);
  }
  /// False with a Python error set.
  [[nodiscard]] static bool find(const applied& what, PyObject* data, std::vector<error>& found) {
    const validator& checks = static_cast<const validator_object*>(what.rules)->checks_;
    bytes_like given;
    if (!given.take(data)) return false;
    visit_protocol(what.protocol, [&](auto tag) {
      const unlocked free(given.bytes().size());
      if (!checks.template valid<decltype(tag)>(given.bytes()))
        found = checks.template findings<decltype(tag)>(given.bytes());
    });
    return true;
  }
  static PyObject* checked(const applied& what, PyObject*, PyObject* const* data) {
    std::vector<error> found;
    if (!find(what, *data, found)) return nullptr;
    return found.empty() ? new_reference(Py_None) : raise(found.front(), family::decode);
  }
  static PyObject* listed(const applied& what, PyObject*, PyObject* const* data) {
    std::vector<error> found;
    if (!find(what, *data, found)) return nullptr;
    object all(PyList_New(0));
    for (const error& each : found) {
      const object made(exception_of(each, family::decode));
      if (!all || !made || PyList_Append(all.get(), made.get()) != 0) return nullptr;
    }
    return all.release();
  }

  type_parts parts_;
  validator checks_;
};

py::object bytes_or_none(byte_view bytes, ttype wire) {
  if (wire == ttype::stop) return py::none();
  return py::bytes(bytes.text().data(), bytes.size());
}

PyObject* row_of(const difference& each) {
  static constexpr const char* kinds[] = {"added", "removed", "changed"};
  PyObject* path =
      PyUnicode_DecodeUTF8(each.path.data(), static_cast<Py_ssize_t>(each.path.size()), "replace");
  if (path == nullptr) return nullptr;
  return py::make_tuple(kinds[static_cast<int>(each.kind)], py::reinterpret_steal<py::str>(path),
                        bytes_or_none(each.left, each.left_wire), bytes_or_none(each.right, each.right_wire))
      .release()
      .ptr();
}

/// The differences: kind, path and the wire bytes of both sides of each.
PyObject* compared_rows(const applied& what, PyObject* of, PyObject* const* data) {
  bytes_like lefts, rights;
  if (!lefts.take(data[0]) || !rights.take(data[1])) return nullptr;
  const type whole = python::parts_of(of).of;
  const compare_options options{.order = static_cast<compare_options::order_check>(what.keep_order),
                                .most_differences = what.most,
                                .bounds = {.output_size = what.output_size}};
  const auto found = [&] {
    const unlocked free(lefts.bytes().size() + rights.bytes().size());
    return visit_protocol(what.protocol, [&](auto from) {
      return visit_protocol(what.right_protocol, [&](auto to) {
        const limits bounds{.depth = what.depth};
        return try_differences(view<decltype(from)>(lefts.bytes(), whole, bounds),
                               view<decltype(to)>(rights.bytes(), whole, bounds), options);
      });
    });
  }();
  if (!found) return raise(found.error(), family_of(found.error().code()));
  object rows(PyList_New(0));
  for (const difference& each : *found) {
    const object row(row_of(each));
    if (!rows || !row || PyList_Append(rows.get(), row.get()) != 0) return nullptr;
  }
  return rows.release();
}

/// The differences as Type._named makes them of rows.
PyObject* compared(const applied& what, PyObject* of, PyObject* const* data) {
  object rows(compared_rows(what, of, data));
  if (!rows || PyList_GET_SIZE(rows.get()) == 0) return rows.release();
  const auto word = [](protocol_id id) { return id == protocol_id::binary ? "binary" : "compact"; };
  return PyObject_CallMethod(of, "_named", "OssI", rows.get(), word(what.protocol), word(what.right_protocol),
                             what.depth);
}

template <auto Run>
py::object differences(const py::object& of, const py::object& left, const py::object& right,
                       const std::string& left_protocol, const std::string& right_protocol, bool keep_order,
                       std::size_t most, std::uint32_t depth, std::size_t output_size) {
  static_cast<void>(parts_of(of));
  const applied what{.run = Run,
                     .protocol = protocol_named(left_protocol),
                     .right_protocol = protocol_named(right_protocol),
                     .right_data = true,
                     .keep_order = keep_order,
                     .depth = depth,
                     .most = most,
                     .output_size = output_size};
  note(what, nullptr);
  PyObject* const both[] = {left.ptr(), right.ptr()};
  PyObject* made = Run(what, of.ptr(), both);
  if (made == nullptr) give_up();
  return py::reinterpret_steal<py::object>(made);
}

py::str inspected(const py::object& data, const std::string& protocol, const py::object& of,
                  std::uint32_t text_size, std::uint32_t elements, std::uint32_t depth,
                  std::size_t output_size) {
  bytes_like given;
  if (!given.take(data.ptr())) give_up();
  inspect_options options{
      .text_size = text_size, .elements = elements, .bounds = {.depth = depth, .output_size = output_size}};
  if (!of.is_none()) options.of = parts_of(of).of;
  const std::string text = visit_protocol(protocol_named(protocol), [&](auto tag) {
    const unlocked free(given.bytes().size());
    return inspect<decltype(tag)>(given.bytes(), options);
  });
  PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (made == nullptr) give_up();
  return py::reinterpret_steal<py::str>(made);
}

py::bytes converted(const py::object& data, const std::string& source, const std::string& target,
                    std::uint32_t depth, std::size_t output_size) {
  bytes_like given;
  if (!given.take(data.ptr())) give_up();
  const limits bounds{.depth = depth, .output_size = output_size};
  const auto work = [&](buffer& out) {
    return visit_protocol(protocol_named(source), [&](auto from) {
      return visit_protocol(protocol_named(target), [&](auto to) {
        return try_append_converted<decltype(from), decltype(to)>(given.bytes(), out, bounds);
      });
    });
  };
  static_cast<void>(protocol_named(source)), static_cast<void>(protocol_named(target));
  return bytes_or_give_up(bytes_of(given.bytes().size(), work, family::decode));
}

}  // namespace

void bind_lens(py::module_& module) {
  using namespace py::literals;
  if (view_class() == nullptr) give_up();
  module.attr("View") = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(view_class()));
  if (edit_class() == nullptr) give_up();
  module.attr("Edit") = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(edit_class()));
  static PyMethodDef reason = {
      "reason", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(guarded<reason_of>::call)),
      METH_FASTCALL,
      "reason(view, name=None, /)\n--\n\nWhat an exception that was raised without a text says."};
  module.attr("reason") = py::reinterpret_steal<py::object>(PyCFunction_New(&reason, nullptr));
  module.def("inspect", &inspected, "data"_a, "protocol"_a, "of"_a, "text_size"_a, "elements"_a, "depth"_a,
             "output_size"_a);
  module.def("convert", &converted, "data"_a, "source"_a, "target"_a, "depth"_a, "output_size"_a);
  py::class_<redaction_object>(module, "Redaction", "Rules of Type.redact, compiled.")
      .def(py::init<const py::object&, const std::string&, const py::dict&, const std::string&,
                    const py::dict&, const py::bytes&, std::uint32_t, std::uint32_t, std::uint32_t>(),
           "of"_a, "annotation"_a, "values"_a, "otherwise"_a, "paths"_a, "key"_a, "unknown"_a, "missing"_a,
           "missing_required"_a)
      .def("apply", &redaction_object::apply, "data"_a, "protocol"_a, "depth"_a)
      .def("counted", &redaction_object::counted, "data"_a, "protocol"_a, "depth"_a)
      .def("listing", &redaction_object::listing);
  py::class_<validator_object>(module, "Validator", "Checks of Type.validate, compiled.")
      .def(py::init<const py::object&, bool, bool, bool, bool, bool, bool, std::size_t, std::uint32_t>(),
           "of"_a, "unknown"_a, "utf8"_a, "enums"_a, "keys"_a, "rules"_a, "missing_required"_a, "most"_a,
           "depth"_a)
      .def("findings", &validator_object::findings, "data"_a, "protocol"_a)
      .def("check", &validator_object::check, "data"_a, "protocol"_a);
  if (prepared_class() == nullptr) give_up();
  module.attr("prepared") = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(prepared_class()));
  module.def("differences", &differences<compared>, "of"_a, "left"_a, "right"_a, "left_protocol"_a,
             "right_protocol"_a, "keep_order"_a, "most"_a, "depth"_a, "output_size"_a);
  module.def("difference_rows", &differences<compared_rows>, "of"_a, "left"_a, "right"_a, "left_protocol"_a,
             "right_protocol"_a, "keep_order"_a, "most"_a, "depth"_a, "output_size"_a);
}

}  // namespace thriftlens::python
