// http: plans between HTTP and Thrift, and their router.
#include "bind/bind.hpp"
#include "call/common_options.hpp"
#include "call/http_pairs.hpp"
#include "schema/type_object.hpp"
#include "support/bytes_like.hpp"
#include "support/locked.hpp"
#include "support/named_tuple.hpp"
#include "support/throwing.hpp"
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

constexpr auto http_signature = signature_from<"plan", no_positionals, http_table>;
/// Throws TypeError or ValueError for invalid options.
http_options options_of(const py::dict& options) {
  std::vector<PyObject*> values;
  py::tuple names(options.size());
  for (const auto& [name, value] : options) {
    names[values.size()] = name;
    values.push_back(value.ptr());
  }
  http_call call;
  require(http_signature().read({values.data(), 0, names.ptr()}, nullptr, call));
  return call.http;
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

PyObject* pairs_of(const std::vector<http_response::pair>& from) {
  return new_list(from, [](const http_response::pair& header) {
    return new_tuple(escaped_text(header.name), escaped_text(header.value));
  });
}
PyObject* escaped_texts(const std::vector<std::string>& from) {
  return new_list(from, [](const std::string& text) { return escaped_text(text); });
}

/// The arguments of a request, borrowed for a call.
struct request_arguments {
  text_holder method, url;
  http_pairs headers, cookies, path_params;
  bytes_like body, base;

  void take_line(const py::object& verb, const py::object& target) {
    require(method.take(verb.ptr()) && url.take(target.ptr()));
  }
  [[nodiscard]] http_request message() const {
    return {.method = method.text(),
            .url = url.text(),
            .headers = headers.pairs(),
            .cookies = cookies.pairs(),
            .path_params = path_params.pairs(),
            .body = body.bytes().text(),
            .base = base.bytes()};
  }
};

named_tuple response_class("thriftlens._core.HttpResponse", "An HTTP response.",
                           {"status", "headers", "cookies", "body", "base", "is_raw"});

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

  [[nodiscard]] py::bytes request(const py::object& method, const py::object& url, const py::object& headers,
                                  const py::object& cookies, const py::object& path_params,
                                  const py::object& body, const py::object& base, bool compact) const {
    request_arguments from;
    from.take_line(method, url);
    require(from.headers.take(headers.ptr()) && from.cookies.take(cookies.ptr()));
    require(from.path_params.take(path_params.ptr()) && from.body.take(body.ptr()) &&
            from.base.take(base.ptr()));
    const http_request message = from.message();
    return owned<py::bytes>(bytes_of(message.body.size(), [&](buffer& out) {
      return compact ? plan_->try_append_request<thriftlens::compact>(message, out)
                     : plan_->try_append_request<binary>(message, out);
    }));
  }

  [[nodiscard]] py::object response(const py::object& data, const py::object& as, bool compact) const {
    bytes_like bytes;
    require(bytes.take(data.ptr()));
    const type of = as.is_none() ? type() : type_of(as.ptr()).of;
    const http_response reply = value_or_throw(without_gil(bytes.bytes().size(), [&] {
      return compact ? plan_->try_response<thriftlens::compact>(bytes.bytes(), of)
                     : plan_->try_response<binary>(bytes.bytes(), of);
    }));
    return owned(response_class.make(
        reply.status, pairs_of(reply.headers), pairs_of(reply.cookies), to_python(byte_view(reply.body)),
        reply.base.empty() ? new_none() : to_python(byte_view(reply.base)), reply.is_raw));
  }

  [[nodiscard]] py::object routes() const {
    return owned(new_list(plan_->routes(), [](const http_route& route) {
      return new_tuple(escaped_text(route.method), escaped_text(route.path));
    }));
  }
  [[nodiscard]] py::object sources() const {
    return owned(new_list(plan_->sources(), [](const http_field_source& source) {
      return new_tuple(escaped_text(source.field), source.required,
                       new_list(source.places, [](const auto& origin) {
                         return new_tuple(to_string(origin.part), escaped_text(origin.key));
                       }));
    }));
  }
  [[nodiscard]] py::object faults() const { return owned(escaped_texts(plan_->faults())); }
  [[nodiscard]] py::object losses() const { return owned(escaped_texts(plan_->losses())); }
  [[nodiscard]] py::object warnings() const { return owned(escaped_texts(plan_->warnings())); }
  [[nodiscard]] std::optional<std::uint32_t> request_index() const { return plan_->request_type().index(); }

 private:
  std::shared_ptr<schema_keys> keys_;
  std::optional<http_plan> plan_;
};

class router_object {
 public:
  void add(const py::object& method, const py::object& pattern, std::uint32_t target) {
    text_holder name, path;
    require(name.take(method.ptr()) && path.take(pattern.ptr()));
    require([&] {
      const std::scoped_lock alone(mutex_);
      return router_.try_add(name.text(), path.text(), target);
    }());
  }
  [[nodiscard]] py::object find(const py::object& method, const py::object& path) const {
    text_holder name, location;
    require(name.take(method.ptr()) && location.take(path.ptr()));
    const http_match match = [&] {
      const std::scoped_lock alone(mutex_);
      return router_.find(name.text(), location.text());
    }();
    return owned(new_tuple(match.is_match ? to_python(match.target) : new_none(), pairs_of(match.params),
                           escaped_texts(match.allowed)));
  }

 private:
  mutable mutex mutex_;
  http_router router_;
};

/// The options with their choices, the default first.
py::object option_rows() { return owned(http_signature().rows()); }

void bind_plan(py::module_& module) {
  using namespace py::literals;
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
}

}  // namespace

void bind_http(py::module_& module) {
  using namespace py::literals;
  static_cast<void>(http_signature());  // initialized while no other thread can use it
  bind_plan(module);
  py::class_<router_object>(module, "HttpRouter", "The compiled half of thriftlens.http.Router.")
      .def(py::init<>())
      .def("add", &router_object::add, "method"_a, "pattern"_a, "target"_a)
      .def("find", &router_object::find, "method"_a, "path"_a);
  module.def("http_options", &option_rows,
             "Options of plans: (words or None, default, lowest, highest) by name.");
}

}  // namespace thriftlens::python
