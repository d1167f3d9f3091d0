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
constexpr auto word(const char* name) {
  return choice<&http_call::http, Group, Member>(name);
}
template <std::size_t http_limits::*Member>
constexpr auto bound(const char* name) {
  return number<&http_call::http, &http_options::bounds, Member>(name, 0, 0xffffffffu);
}
constexpr auto http_table =
    table(word<&http_options::idl, &http_idl_options::mapping>("mapping"),
          word<&http_options::idl, &http_idl_options::js_conv>("js_conv"),
          word<&http_options::idl, &http_idl_options::agw>("agw"),
          word<&http_options::idl, &http_idl_options::body_as_alias>("body_as_alias"),
          word<&http_options::idl, &http_idl_options::defaults>("defaults"),
          word<&http_options::idl, &http_idl_options::names>("names"),
          word<&http_options::request, &http_request_options::unknown>("unknown"),
          word<&http_options::request, &http_request_options::quoted_numbers>("quoted_numbers"),
          word<&http_options::request, &http_request_options::enums>("enums"),
          word<&http_options::request, &http_request_options::invalid_utf8>("invalid_utf8"),
          word<&http_options::request, &http_request_options::fallback>("fallback"),
          word<&http_options::request, &http_request_options::traceback>("traceback"),
          word<&http_options::request, &http_request_options::body>("body"),
          word<&http_options::request, &http_request_options::url_syntax>("url_syntax"),
          word<&http_options::response, &http_response_options::unknown>("unknown_fields"),
          word<&http_options::response, &http_response_options::int64>("int64"),
          word<&http_options::response, &http_response_options::unsigned_bytes>("unsigned_bytes"),
          word<&http_options::response, &http_response_options::null_nonfinite>("null_nonfinite"),
          word<&http_options::response, &http_response_options::unplaced>("unplaced"),
          word<&http_options::response, &http_response_options::unfit>("unfit"),
          word<&http_options::response, &http_response_options::text>("text"),
          word<&http_options::response, &http_response_options::missing_required>("missing_required"),
          word<&http_options::absent, &http_absent_options::required>("absent_required"),
          word<&http_options::absent, &http_absent_options::default_>("absent_default"),
          word<&http_options::absent, &http_absent_options::optional>("absent_optional"),
          word<&http_options::absent, &http_absent_options::plain_optional>("plain_optional"),
          choice<&http_call::http, &http_options::binary>("binary"),
          choice<&http_call::http, &http_options::base>("base"), bound<&http_limits::body_size>("body_size"),
          bound<&http_limits::url_size>("url_size"), bound<&http_limits::header_size>("header_size"),
          bound<&http_limits::headers>("headers"), bound<&http_limits::parameters>("parameters"),
          depth_option<&http_call::http, &http_options::limits>(),
          output_size_option<&http_call::http, &http_options::limits>());

const signature_of<http_call>& http_signature() {
  static const signature_of<http_call> made("plan", {}, http_table);
  return made;
}
/// Throws TypeError or ValueError that names the nearest word.
http_options options_of(const py::dict& given) {
  std::vector<PyObject*> values;
  py::tuple names(given.size());
  for (const auto& [name, value] : given) {
    names[values.size()] = name;
    values.push_back(value.ptr());
  }
  http_call call;
  if (!http_signature().read({values.data(), 0, names.ptr()}, nullptr, call)) throw py::error_already_set();
  return call.http;
}
template <class T>
T value_or_throw(result<T> given) {
  if (given) return *std::move(given);
  raise(given.error(), family_of(given.error().code()));
  throw py::error_already_set();
}
/// The function whose arguments are that struct; a false handle where there is none.
function_info function_of(type arguments) {
  const schema_image& image = *arguments.image();
  for (std::uint32_t at = 0; at < image.functions.size(); ++at) {
    const function_info each(&image, at);
    if (each.arguments() == arguments) return each;
  }
  return {};
}

py::str text_of(std::string_view from) {
  PyObject* made = PyUnicode_DecodeUTF8(from.data(), static_cast<Py_ssize_t>(from.size()), "surrogateescape");
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(made);
}
py::bytes bytes_object(byte_view from) { return {reinterpret_cast<const char*>(from.data()), from.size()}; }
py::list pairs_object(const std::vector<http_response::pair>& from) {
  py::list all;
  for (const http_response::pair& each : from)
    all.append(py::make_tuple(text_of(each.name), text_of(each.value)));
  return all;
}

/// What the plain-Python plan holds.
class plan_object {
 public:
  plan_object(const py::object& of, bool is_function, const py::dict& options) {
    if (!is_type(of.ptr())) throw py::type_error("a plan is made of a thriftlens.Type or Function");
    const type_object& held = type_of(of.ptr());
    keys_ = held.keys;
    const http_options wishes = options_of(options);
    plan_.emplace(value_or_throw(is_function ? http_plan::try_compile(function_of(held.of), wishes)
                                             : http_plan::try_compile(held.of, wishes)));
  }

  [[nodiscard]] py::bytes request(std::string_view method, const py::object& url, const py::object& headers,
                                  const py::object& cookies, const py::object& path_params,
                                  const py::object& body, const py::object& base, bool compact) const {
    http_pairs header_list, cookie_list, path_list;
    text_holder url_text;
    bytes_like body_bytes, base_bytes;
    const bool taken = url_text.take(url.ptr()) && header_list.take(headers.ptr()) &&
                       cookie_list.take(cookies.ptr()) && path_list.take(path_params.ptr()) &&
                       body_bytes.take(body.ptr()) && base_bytes.take(base.ptr());
    if (!taken) throw py::error_already_set();
    http_request asked{.method = method, .url = url_text.text()};
    asked.headers = header_list.pairs();
    asked.cookies = cookie_list.pairs();
    asked.path_params = path_list.pairs();
    asked.body = {reinterpret_cast<const char*>(body_bytes.bytes().data()), body_bytes.bytes().size()};
    asked.base = base_bytes.bytes();
    const auto write = [&](buffer& out) {
      return compact ? plan_->try_append_request<thriftlens::compact>(asked, out)
                     : plan_->try_append_request<binary>(asked, out);
    };
    PyObject* made = bytes_of(asked.body.size(), write);
    if (made == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::bytes>(made);
  }

  [[nodiscard]] py::tuple response(const py::object& data, const py::object& as, bool compact) const {
    bytes_like bytes;
    if (!bytes.take(data.ptr())) throw py::error_already_set();
    const type of = as.is_none() ? type() : type_of(as.ptr()).of;
    result<http_response> made = [&] {
      const unlocked free(bytes.bytes().size());
      return compact ? plan_->try_response<thriftlens::compact>(bytes.bytes(), of)
                     : plan_->try_response<binary>(bytes.bytes(), of);
    }();
    if (!made) {
      raise(made.error(), family_of(made.error().code()));
      throw py::error_already_set();
    }
    const py::object base = made->base.empty() ? py::object(py::none()) : bytes_object(made->base);
    return py::make_tuple(made->status, pairs_object(made->headers), pairs_object(made->cookies),
                          bytes_object(made->body), base, made->is_raw);
  }

  [[nodiscard]] py::list routes() const {
    py::list all;
    for (const http_route& each : plan_->routes())
      all.append(py::make_tuple(text_of(each.method), text_of(each.path)));
    return all;
  }
  [[nodiscard]] py::list sources() const {
    py::list all;
    for (const http_field_source& each : plan_->sources()) {
      py::list places;
      for (const auto& place : each.places)
        places.append(py::make_tuple(std::string(to_string(place.part)), text_of(place.key)));
      all.append(py::make_tuple(text_of(each.field), each.required, places));
    }
    return all;
  }
  [[nodiscard]] py::list faults() const { return texts(plan_->faults()); }
  [[nodiscard]] py::list losses() const { return texts(plan_->losses()); }
  [[nodiscard]] py::list warnings() const { return texts(plan_->warnings()); }
  [[nodiscard]] std::optional<std::uint32_t> request_index() const { return plan_->request_type().index(); }

 private:
  static py::list texts(const std::vector<std::string>& from) {
    py::list all;
    for (const std::string& each : from) all.append(text_of(each));
    return all;
  }

  std::shared_ptr<schema_keys> keys_;
  std::optional<http_plan> plan_;
};

class router_object {
 public:
  void add(const std::string& method, const std::string& pattern, std::uint32_t target) {
    const result<void> done = [&] {
      const std::scoped_lock alone(mutex_);
      return router_.try_add(method, pattern, target);
    }();
    if (done) return;
    raise(done.error(), family_of(done.error().code()));
    throw py::error_already_set();
  }
  [[nodiscard]] py::object find(const std::string& method, const std::string& path) const {
    const http_match found = [&] {
      const std::scoped_lock alone(mutex_);
      return router_.find(method, path);
    }();
    py::list params;
    for (const http_response::pair& each : found.params)
      params.append(py::make_tuple(text_of(each.name), text_of(each.value)));
    py::list allowed;
    for (const std::string& each : found.allowed) allowed.append(text_of(each));
    return py::make_tuple(found.is_match ? py::object(py::int_(found.target)) : py::object(py::none()),
                          params, allowed);
  }

 private:
  mutable mutex mutex_;
  http_router router_;
};

/// Names of the options with their words, the default first.
py::object option_rows() {
  PyObject* made = http_signature().rows();
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

}  // namespace

void bind_http(py::module_& module) {
  using namespace py::literals;
  static_cast<void>(http_signature());  // made here, where no other thread waits for it
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
