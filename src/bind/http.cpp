// http: plans between HTTP and Thrift, and their router.
#include "bind/bind.hpp"
#include "call/http_pairs.hpp"
#include "call/http_spelling.hpp"
#include "schema/type_object.hpp"
#include "support/bytes_like.hpp"
#include "support/locked.hpp"
#include "support/unlocked.hpp"

#include <pybind11/stl.h>

#include <thriftlens/http/plan.hpp>
#include <thriftlens/http/router.hpp>

#include <mutex>

namespace thriftlens::python {

namespace {

namespace py = pybind11;

struct http_call {
  http_options http = {};
};
template <auto Group, auto Member>
constexpr auto setting(const char* name) {
  return choice<&http_call::http, Group, Member>(name);
}
template <std::size_t http_limits::*Member>
constexpr auto bound(const char* name) {
  return number<&http_call::http, &http_options::bounds, Member>(name, 0, 0xffffffffu);
}
constexpr auto http_table =
    table(setting<&http_options::idl, &http_idl_options::mapping>("mapping"),
          setting<&http_options::idl, &http_idl_options::js_conv>("js_conv"),
          setting<&http_options::idl, &http_idl_options::agw>("agw"),
          setting<&http_options::idl, &http_idl_options::body_as_alias>("body_as_alias"),
          setting<&http_options::idl, &http_idl_options::defaults>("defaults"),
          setting<&http_options::idl, &http_idl_options::names>("names"),
          setting<&http_options::request, &http_request_options::unknown>("unknown"),
          setting<&http_options::request, &http_request_options::quoted_numbers>("quoted_numbers"),
          setting<&http_options::request, &http_request_options::enums>("enums"),
          setting<&http_options::request, &http_request_options::invalid_utf8>("invalid_utf8"),
          setting<&http_options::request, &http_request_options::fallback>("fallback"),
          setting<&http_options::request, &http_request_options::traceback>("traceback"),
          setting<&http_options::request, &http_request_options::body>("body"),
          setting<&http_options::request, &http_request_options::url_syntax>("url_syntax"),
          setting<&http_options::response, &http_response_options::unknown>("unknown_fields"),
          setting<&http_options::response, &http_response_options::int64>("int64"),
          setting<&http_options::response, &http_response_options::unsigned_bytes>("unsigned_bytes"),
          setting<&http_options::response, &http_response_options::null_nonfinite>("null_nonfinite"),
          setting<&http_options::response, &http_response_options::unplaced>("unplaced"),
          setting<&http_options::response, &http_response_options::unfit>("unfit"),
          setting<&http_options::response, &http_response_options::text>("text"),
          setting<&http_options::response, &http_response_options::missing_required>("missing_required"),
          setting<&http_options::absent, &http_absent_options::required>("absent_required"),
          setting<&http_options::absent, &http_absent_options::default_>("absent_default"),
          setting<&http_options::absent, &http_absent_options::optional>("absent_optional"),
          setting<&http_options::absent, &http_absent_options::plain_optional>("plain_optional"),
          choice<&http_call::http, &http_options::binary>("binary"),
          choice<&http_call::http, &http_options::base>("base"), bound<&http_limits::body_size>("body_size"),
          bound<&http_limits::url_size>("url_size"), bound<&http_limits::header_size>("header_size"),
          bound<&http_limits::headers>("headers"), bound<&http_limits::parameters>("parameters"),
          depth_option<&http_call::http, &http_options::limits>(),
          output_size_option<&http_call::http, &http_options::limits>());

const signature_of<http_call>& http_signature() {
  static const signature_of<http_call> signature("plan", {}, http_table);
  return signature;
}
/// Throws TypeError or ValueError for invalid options.
http_options options_of(const py::dict& options) {
  std::vector<PyObject*> values;
  py::tuple names(options.size());
  for (const auto& [name, value] : options) {
    names[values.size()] = name;
    values.push_back(value.ptr());
  }
  http_call call;
  if (!http_signature().read({values.data(), 0, names.ptr()}, nullptr, call)) throw py::error_already_set();
  return call.http;
}
template <class T>
T value_or_throw(result<T> value) {
  if (value) return *std::move(value);
  raise(value.error(), family_of(value.error().code()));
  throw py::error_already_set();
}
/// The function with that argument struct, or a false handle.
function_info function_of(type arguments) {
  const schema_image& image = *arguments.image();
  for (std::uint32_t at = 0; at < image.functions.size(); ++at) {
    const function_info function(&image, at);
    if (function.arguments() == arguments) return function;
  }
  return {};
}

py::str text_of(std::string_view from) {
  PyObject* text = PyUnicode_DecodeUTF8(from.data(), static_cast<Py_ssize_t>(from.size()), "surrogateescape");
  if (text == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(text);
}
py::bytes bytes_object(byte_view from) { return {reinterpret_cast<const char*>(from.data()), from.size()}; }
py::list pairs_object(const std::vector<http_response::pair>& from) {
  py::list rows;
  for (const http_response::pair& header : from)
    rows.append(py::make_tuple(text_of(header.name), text_of(header.value)));
  return rows;
}

/// The implementation of thriftlens.http.Plan.
class plan_object {
 public:
  plan_object(const py::object& of, bool is_function, const py::dict& options) {
    if (!is_type(of.ptr())) throw py::type_error("expected a thriftlens.Type or Function");
    const type_object& source = type_of(of.ptr());
    keys_ = source.keys;
    const http_options compiled_options = options_of(options);
    plan_.emplace(value_or_throw(is_function
                                     ? http_plan::try_compile(function_of(source.of), compiled_options)
                                     : http_plan::try_compile(source.of, compiled_options)));
  }

  [[nodiscard]] py::bytes request(std::string_view method, const py::object& url, const py::object& headers,
                                  const py::object& cookies, const py::object& path_params,
                                  const py::object& body, const py::object& base, bool compact) const {
    http_pairs header_list, cookie_list, path_list;
    text_holder url_text;
    bytes_like body_bytes, base_bytes;
    const bool is_read = url_text.take(url.ptr()) && header_list.take(headers.ptr()) &&
                         cookie_list.take(cookies.ptr()) && path_list.take(path_params.ptr()) &&
                         body_bytes.take(body.ptr()) && base_bytes.take(base.ptr());
    if (!is_read) throw py::error_already_set();
    http_request message{.method = method, .url = url_text.text()};
    message.headers = header_list.pairs();
    message.cookies = cookie_list.pairs();
    message.path_params = path_list.pairs();
    message.body = {reinterpret_cast<const char*>(body_bytes.bytes().data()), body_bytes.bytes().size()};
    message.base = base_bytes.bytes();
    const auto write = [&](buffer& out) {
      return compact ? plan_->try_append_request<thriftlens::compact>(message, out)
                     : plan_->try_append_request<binary>(message, out);
    };
    PyObject* output = bytes_of(message.body.size(), write);
    if (output == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::bytes>(output);
  }

  [[nodiscard]] py::tuple response(const py::object& data, const py::object& as, bool compact) const {
    bytes_like bytes;
    if (!bytes.take(data.ptr())) throw py::error_already_set();
    const type of = as.is_none() ? type() : type_of(as.ptr()).of;
    result<http_response> reply = [&] {
      const unlocked free(bytes.bytes().size());
      return compact ? plan_->try_response<thriftlens::compact>(bytes.bytes(), of)
                     : plan_->try_response<binary>(bytes.bytes(), of);
    }();
    if (!reply) {
      raise(reply.error(), family_of(reply.error().code()));
      throw py::error_already_set();
    }
    const py::object base = reply->base.empty() ? py::object(py::none()) : bytes_object(reply->base);
    return py::make_tuple(reply->status, pairs_object(reply->headers), pairs_object(reply->cookies),
                          bytes_object(reply->body), base, reply->is_raw);
  }

  [[nodiscard]] py::list routes() const {
    py::list rows;
    for (const http_route& route : plan_->routes())
      rows.append(py::make_tuple(text_of(route.method), text_of(route.path)));
    return rows;
  }
  [[nodiscard]] py::list sources() const {
    py::list rows;
    for (const http_field_source& source : plan_->sources()) {
      py::list origins;
      for (const auto& origin : source.places)
        origins.append(py::make_tuple(std::string(to_string(origin.part)), text_of(origin.key)));
      rows.append(py::make_tuple(text_of(source.field), source.required, origins));
    }
    return rows;
  }
  [[nodiscard]] py::list faults() const { return texts(plan_->faults()); }
  [[nodiscard]] py::list losses() const { return texts(plan_->losses()); }
  [[nodiscard]] py::list warnings() const { return texts(plan_->warnings()); }
  [[nodiscard]] std::optional<std::uint32_t> request_index() const { return plan_->request_type().index(); }

 private:
  static py::list texts(const std::vector<std::string>& from) {
    py::list rows;
    for (const std::string& item : from) rows.append(text_of(item));
    return rows;
  }

  std::shared_ptr<schema_keys> keys_;
  std::optional<http_plan> plan_;
};

class router_object {
 public:
  void add(const std::string& method, const std::string& pattern, std::uint32_t target) {
    const result<void> status = [&] {
      const std::scoped_lock alone(mutex_);
      return router_.try_add(method, pattern, target);
    }();
    if (status) return;
    raise(status.error(), family_of(status.error().code()));
    throw py::error_already_set();
  }
  [[nodiscard]] py::object find(const std::string& method, const std::string& path) const {
    const http_match match = [&] {
      const std::scoped_lock alone(mutex_);
      return router_.find(method, path);
    }();
    py::list params;
    for (const http_response::pair& param : match.params)
      params.append(py::make_tuple(text_of(param.name), text_of(param.value)));
    py::list allowed;
    for (const std::string& method_name : match.allowed) allowed.append(text_of(method_name));
    return py::make_tuple(match.is_match ? py::object(py::int_(match.target)) : py::object(py::none()),
                          params, allowed);
  }

 private:
  mutable mutex mutex_;
  http_router router_;
};

/// The options with their choices, the default first.
py::object option_rows() {
  PyObject* options = http_signature().rows();
  if (options == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(options);
}

}  // namespace

void bind_http(py::module_& module) {
  using namespace py::literals;
  static_cast<void>(http_signature());  // initialized while no other thread can use it
  py::class_<plan_object>(module, "HttpPlan", "The compiled half of thriftlens.http.Plan.")
      .def(py::init<const py::object&, bool, const py::dict&>(), "of"_a, "is_function"_a, "options"_a)
      .def("request", &plan_object::request, "method"_a, "url"_a, "headers"_a, "cookies"_a, "path_params"_a,
           "body"_a, "base"_a, "compact"_a)
      .def("response", &plan_object::response, "data"_a, "as_"_a, "compact"_a)
      .def("routes", &plan_object::routes)
      .def("sources", &plan_object::sources)
      .def("faults", &plan_object::faults)
      .def("losses", &plan_object::losses)
      .def("warnings", &plan_object::warnings)
      .def("request_index", &plan_object::request_index);
  py::class_<router_object>(module, "HttpRouter", "The compiled half of thriftlens.http.Router.")
      .def(py::init<>())
      .def("add", &router_object::add, "method"_a, "pattern"_a, "target"_a)
      .def("find", &router_object::find, "method"_a, "path"_a);
  module.def("http_options", &option_rows,
             "Options of plans: (words or None, default, lowest, highest) by name.");
}

}  // namespace thriftlens::python
