// plan: bodies of plan.hpp.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/overlap.hpp>
#include <thriftlens/http/compile.hpp>
#include <thriftlens/http/plan.hpp>
#include <thriftlens/http/read_request.hpp>
#include <thriftlens/http/write_answer.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

[[nodiscard]] inline error no_struct_error(type of) {
  return error(errc::wrong_type,
               joined({"an HTTP plan needs a struct, not ", of ? of.name() : "an empty handle"}));
}
[[nodiscard]] inline from_json_options json_options_of(const http_options& from) {
  from_json_options options;
  options.limits = from.limits;
  options.leniency.unknown = on_unknown{from.request.unknown};
  options.leniency.quoted_numbers = from.request.quoted_numbers;
  options.names = json_names::alias;
  return options;
}
[[nodiscard]] inline to_json_options json_options_of_answer(const http_options& from) {
  to_json_options options;
  options.limits = from.limits;
  options.leniency.unknown = on_unknown{from.response.unknown};
  options.format.int64 = from.response.int64;
  options.leniency.missing_required = from.response.missing_required;
  options.names = json_names::alias;
  return options;
}
/// Letter case by the annotations of a function.
[[nodiscard]] inline name_case names_of(function_info of, const http_options& options) {
  const bool reads_agw = options.idl.agw;
  const auto own = reads_agw ? case_of(of.annotations()) : std::nullopt;
  return own.value_or(name_case::as_it_is);
}
/// The only argument if it is a struct, else an empty handle.
[[nodiscard]] inline field_info only_struct_of(type arguments) {
  if (arguments.fields().size() != 1) return {};
  const field_info only = arguments.fields()[0];
  return only.type().is_struct() ? only : field_info();
}
/// Without repetitions: a type may be both request and response.
inline void add_new(const std::vector<std::string>& texts, std::vector<std::string>& to) {
  for (const std::string& text : texts)
    if (std::ranges::find(to, text) == to.end()) to.push_back(text);
}
/// Fields of a request without a body that only a body could fill.
inline void add_unfilled(const plan_image& plan, const std::vector<http_route>& routes,
                         std::vector<std::string>& losses) {
  const auto has_body = [](const http_route& route) {
    return route.method != "GET" && route.method != "HEAD";
  };
  const bool looks_up = plan.options.request.fallback || plan.options.request.traceback;
  if (routes.empty() || looks_up || !plan.root || std::ranges::any_of(routes, has_body)) return;
  const auto is_body = [](const http_mapping& mapping) {
    return mapping.part == http_part::body || mapping.part == http_part::form ||
           mapping.part == http_part::raw_body;
  };
  for (const field_info info : plan.root.fields()) {
    const http_field& field = plan.fields[info.index()];
    if (field.removed || field.is_base || !std::ranges::all_of(field.request, is_body)) continue;
    losses.push_back(joined(
        {plan.root.name(), '.', info.name(), ": it is read from the body, but GET requests have no body"}));
  }
}
/// Annotated fields of a struct and of the structs in it, with their paths; recursive structs once. Visits at
/// most `max_steps` fields: types can share types many times over.
class source_list {
 public:
  explicit source_list(const plan_image& plan) : plan_(plan) {}

  void add(type of, const std::string& path) {
    outer_.push_back(of);
    for (const field_info field : of.fields()) {
      if (++steps_ > max_steps) break;
      add_field(field, path + std::string(field.name()));
    }
    outer_.pop_back();
  }
  std::vector<http_field_source> sources;

 private:
  static constexpr std::size_t max_steps = 20000;
  void add_field(field_info field, const std::string& path) {
    http_field_source source{path, field.required(), {}};
    for (const http_mapping& mapping : plan_.fields[field.index()].request)
      source.places.push_back({mapping.part, mapping.key});
    if (!source.places.empty()) sources.push_back(std::move(source));
    const bool is_inside = std::find(outer_.begin(), outer_.end(), field.type()) != outer_.end();
    if (field.type().is_struct() && !is_inside) add(field.type(), path + '.');
  }

  const plan_image& plan_;
  std::vector<type> outer_;
  std::size_t steps_ = 0;
};

[[nodiscard]] inline std::optional<error> find_bad_option(const http_options& of) {
  return find_bad_option({{"request.unknown", of.request.unknown},
                          {"request.enums", of.request.enums},
                          {"request.invalid_utf8", of.request.invalid_utf8},
                          {"response.unknown", of.response.unknown},
                          {"response.unplaced", of.response.unplaced},
                          {"response.missing_required", of.response.missing_required}});
}

}  // namespace detail

THRIFTLENS_BODY void http_plan::shared_state::collect_findings() {
  faults = request.faults;
  detail::add_unfilled(request, routes, losses);
  std::vector<const detail::plan_image*> answers{&response};
  for (const detail::plan_image& exception : exceptions) answers.push_back(&exception);
  for (const detail::plan_image* const answer : answers) {
    detail::add_new(answer->faults, faults);
    detail::add_new(answer->losses, losses);
  }
}

THRIFTLENS_BODY result<http_plan> http_plan::try_compile(type of, const http_options& options) {
  if (!of || !of.is_struct()) return detail::no_struct_error(of);
  if (std::optional<error> bad = detail::find_bad_option(options)) return *std::move(bad);
  auto state = std::make_shared<shared_state>();
  state->request = state->response = detail::plan_compiler(of, options, detail::name_case::as_it_is).run();
  state->faults = state->request.faults;
  state->losses = state->request.losses;
  return http_plan(std::move(state));
}
THRIFTLENS_BODY result<http_plan> http_plan::try_compile(function_info of, const http_options& options) {
  if (!of) return error(errc::unknown_name, "an HTTP plan needs a function, not an empty handle");
  if (std::optional<error> bad = detail::find_bad_option(options)) return *std::move(bad);
  auto state = std::make_shared<shared_state>();
  const detail::name_case names = detail::names_of(of, options);
  state->function = of;
  state->routes = detail::routes_of(of.annotations());
  const type arguments = of.arguments();
  const field_info only = detail::only_struct_of(arguments);
  if (only) {
    state->has_argument = true;
    state->argument = only.id();
  }
  state->request = detail::plan_compiler(only ? only.type() : arguments, options, names).run();
  if (of.returns().is_struct()) state->response = detail::plan_compiler(of.returns(), options, names).run();
  for (const field_info field : of.result().fields())
    if (field.id() != 0 && field.type().is_struct())
      state->exceptions.push_back(detail::plan_compiler(field.type(), options, names).run());
  state->collect_findings();
  return http_plan(std::move(state));
}

template <protocol Protocol>
result<void> http_plan::try_append_request(const http_request& request, buffer& out) const {
  const detail::plan_image& plan = state_->request;
  if (!plan.faults.empty()) return error(errc::bad_rule, plan.faults.front());
  if (detail::overlaps(byte_view(request.body), out)) return detail::overlap_error();
  detail::http_parts parts(plan, request);
  if (result<void> loaded = parts.load(); !loaded) return loaded;
  detail::rollback guard(out);
  from_json_options options = detail::json_options_of(plan.options);
  if (plan.reads_raw_body) options.leniency.unknown = on_unknown::drop;  // it holds whatever came
  if (state_->has_argument) {
    typename Protocol::writer head(out);
    head.write_field(ttype::struct_, state_->argument);
  }
  result<void> read = detail::http_request_reader<Protocol>(plan, parts, out, options).run();
  if (!read) return read;
  if (state_->has_argument) typename Protocol::writer(out).write_stop();
  guard.keep();
  return {};
}

template <protocol Protocol>
result<http_response> http_plan::try_response(byte_view data, type as) const {
  const detail::plan_image* plan = &state_->response;
  for (const detail::plan_image& exception : state_->exceptions)
    if (as && exception.root == as) plan = &exception;
  if (!plan->root || (as && plan->root != as))
    return error(errc::wrong_type, "the plan has no response of that type");
  if (!plan->faults.empty()) return error(errc::bad_rule, plan->faults.front());
  http_response answer;
  const to_json_options options = detail::json_options_of_answer(plan->options);
  if (result<void> written = detail::http_answer_writer<Protocol>(*plan, data, answer, options).run();
      !written)
    return std::move(written).error();
  return answer;
}

THRIFTLENS_BODY std::vector<http_field_source> http_plan::sources() const {
  detail::source_list list(state_->request);
  list.add(state_->request.root, {});
  return std::move(list.sources);
}

#if defined(THRIFTLENS_COMPILED)
template result<void> http_plan::try_append_request<binary>(const http_request&, buffer&) const;
template result<void> http_plan::try_append_request<compact>(const http_request&, buffer&) const;
template result<http_response> http_plan::try_response<binary>(byte_view, type) const;
template result<http_response> http_plan::try_response<compact>(byte_view, type) const;
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
