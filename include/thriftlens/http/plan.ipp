// plan: bodies of plan.hpp.
#pragma once

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
  return error(errc::wrong_type, "an HTTP plan needs a struct, not " + (of ? of.name() : "an empty handle"));
}
[[nodiscard]] inline from_json_options json_options_of(const http_options& from) {
  from_json_options made;
  made.limits = from.limits;
  made.unknown = on_unknown{from.request.unknown};
  made.quoted_numbers = from.request.quoted_numbers;
  made.names = json_names::alias;
  return made;
}
[[nodiscard]] inline to_json_options json_options_of_answer(const http_options& from) {
  to_json_options made;
  made.limits = from.limits;
  made.unknown = on_unknown{from.response.unknown};
  made.int64 = from.response.int64;
  made.missing_required = from.response.missing_required;
  made.names = json_names::alias;
  return made;
}
/// How a function's own annotation has the names of fields without one.
[[nodiscard]] inline name_case names_of(function_info of, const http_options& options) {
  const bool reads_agw = options.idl.agw == http_switch::on;
  const auto own = reads_agw ? case_of(of.annotations()) : std::nullopt;
  return own.value_or(name_case::as_it_is);
}
/// The struct that is all of a function's arguments: it is the request then; else an empty handle.
[[nodiscard]] inline field_info only_struct_of(type arguments) {
  if (arguments.fields().size() != 1) return {};
  const field_info only = arguments.fields()[0];
  return only.type().is_struct() ? only : field_info();
}
/// Each once: a type may be both request and answer.
inline void add_new(const std::vector<std::string>& texts, std::vector<std::string>& to) {
  for (const std::string& each : texts)
    if (std::ranges::find(to, each) == to.end()) to.push_back(each);
}
/// Fields of a request without a body that only a body could fill.
inline void add_unfilled(const plan_image& plan, const std::vector<http_route>& routes,
                         std::vector<std::string>& losses) {
  const auto has_body = [](const http_route& each) { return each.method != "GET" && each.method != "HEAD"; };
  const bool looks_up =
      plan.options.request.fallback == http_switch::on || plan.options.request.traceback == http_switch::on;
  if (routes.empty() || looks_up || !plan.root || std::ranges::any_of(routes, has_body)) return;
  const auto is_body = [](const http_mapping& each) {
    return each.part == http_part::body || each.part == http_part::form || each.part == http_part::raw_body;
  };
  for (const field_info each : plan.root.fields()) {
    const http_field& field = plan.fields[each.index()];
    if (field.removed || field.is_base || !std::ranges::all_of(field.request, is_body)) continue;
    losses.push_back(plan.root.name() + '.' + std::string(each.name()) +
                     ": only a body could fill it, and requests by GET have none");
  }
}
/// Annotated fields of a struct and of structs in it, with their path in front. Of a struct inside itself
/// only the outer one; no more than `max_steps` fields are looked at, for types can share types many times
/// over.
class source_list {
 public:
  explicit source_list(const plan_image& plan) : plan_(plan) {}

  void add(type of, const std::string& path) {
    outer_.push_back(of);
    for (const field_info each : of.fields()) {
      if (++steps_ > max_steps) break;
      add_field(each, path + std::string(each.name()));
    }
    outer_.pop_back();
  }
  std::vector<http_field_source> made;

 private:
  static constexpr std::size_t max_steps = 20000;
  void add_field(field_info field, const std::string& path) {
    http_field_source found{path, field.required(), {}};
    for (const http_mapping& place : plan_.fields[field.index()].request)
      found.places.push_back({place.part, place.key});
    if (!found.places.empty()) made.push_back(std::move(found));
    const bool is_inside = std::find(outer_.begin(), outer_.end(), field.type()) != outer_.end();
    if (field.type().is_struct() && !is_inside) add(field.type(), path + '.');
  }

  const plan_image& plan_;
  std::vector<type> outer_;
  std::size_t steps_ = 0;
};

[[nodiscard]] inline std::optional<error> find_bad_option(const http_options& of) {
  return find_bad_option({{"request.unknown", of.request.unknown},
                          {"request.invalid_utf8", of.request.invalid_utf8},
                          {"response.unknown", of.response.unknown},
                          {"response.unplaced", of.response.unplaced},
                          {"response.missing_required", of.response.missing_required}});
}

}  // namespace detail

THRIFTLENS_BODY void http_plan::held::collect_findings() {
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
  auto made = std::make_shared<held>();
  made->request = detail::plan_compiler(of, options, detail::name_case::as_it_is).run();
  made->response = made->request;
  made->faults = made->request.faults;
  made->losses = made->request.losses;
  return http_plan(std::move(made));
}
THRIFTLENS_BODY result<http_plan> http_plan::try_compile(function_info of, const http_options& options) {
  if (!of) return error(errc::type_not_found, "an HTTP plan needs a function, not an empty handle");
  if (std::optional<error> bad = detail::find_bad_option(options)) return *std::move(bad);
  auto made = std::make_shared<held>();
  const detail::name_case names = detail::names_of(of, options);
  made->function = of;
  made->routes = detail::routes_of(of.annotations());
  const type arguments = of.arguments();
  const field_info only = detail::only_struct_of(arguments);
  if (only) {
    made->has_argument = true;
    made->argument = only.id();
  }
  made->request = detail::plan_compiler(only ? only.type() : arguments, options, names).run();
  if (of.returns().is_struct()) made->response = detail::plan_compiler(of.returns(), options, names).run();
  for (const field_info each : of.result().fields())
    if (each.id() != 0 && each.type().is_struct())
      made->exceptions.push_back(detail::plan_compiler(each.type(), options, names).run());
  made->collect_findings();
  return http_plan(std::move(made));
}

template <protocol Protocol>
result<void> http_plan::try_append_request(const http_request& request, buffer& out) const {
  const detail::plan_image& plan = held_->request;
  if (!plan.faults.empty()) return error(errc::bad_rule, plan.faults.front());
  if (detail::overlaps(byte_view(request.body), out)) return detail::overlap_error();
  detail::http_parts parts(plan, request);
  if (result<void> loaded = parts.load(); !loaded) return loaded;
  detail::rollback guard(out);
  from_json_options options = detail::json_options_of(plan.options);
  if (plan.reads_raw_body) options.unknown = on_unknown::drop;  // it holds whatever came
  if (held_->has_argument) {
    typename Protocol::writer head(out);
    head.write_field(ttype::struct_, held_->argument);
  }
  result<void> done = detail::http_request_reader<Protocol>(plan, parts, out, options).run();
  if (!done) return done;
  if (held_->has_argument) typename Protocol::writer(out).write_stop();
  guard.keep();
  return {};
}

template <protocol Protocol>
result<http_response> http_plan::try_response(byte_view data, type as) const {
  const detail::plan_image* plan = &held_->response;
  for (const detail::plan_image& each : held_->exceptions)
    if (as && each.root == as) plan = &each;
  if (!plan->root || (as && plan->root != as))
    return error(errc::wrong_type, "the plan has no answer of that type");
  if (!plan->faults.empty()) return error(errc::bad_rule, plan->faults.front());
  http_response made;
  const to_json_options options = detail::json_options_of_answer(plan->options);
  if (result<void> done = detail::http_answer_writer<Protocol>(*plan, data, made, options).run(); !done)
    return std::move(done).error();
  return made;
}

THRIFTLENS_BODY std::vector<http_field_source> http_plan::sources() const {
  detail::source_list list(held_->request);
  list.add(held_->request.root, {});
  return std::move(list.made);
}

#if defined(THRIFTLENS_COMPILED)
template result<void> http_plan::try_append_request<binary>(const http_request&, buffer&) const;
template result<void> http_plan::try_append_request<compact>(const http_request&, buffer&) const;
template result<http_response> http_plan::try_response<binary>(byte_view, type) const;
template result<http_response> http_plan::try_response<compact>(byte_view, type) const;
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
