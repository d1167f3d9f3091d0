// annotations: reads api.*, agw.* and go.tag of fields.
#pragma once

#include <thriftlens/http/letter_case.hpp>
#include <thriftlens/http/plan_image.hpp>
#include <thriftlens/schema/service.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Letter case of the keys of fields without an annotated key.
enum class name_case : std::uint8_t { as_it_is, snake, lower_camel };

[[nodiscard]] inline std::string in_case(name_case style, std::string_view name) {
  if (style == name_case::snake) return snake_case(name);
  return style == name_case::lower_camel ? lower_camel_case(name) : std::string(name);
}
/// `key` without the prefix "agw." or "janus."; empty where it has neither.
[[nodiscard]] inline std::string_view agw_name(std::string_view key) noexcept {
  if (key.starts_with("agw.")) return key.substr(4);
  return key.starts_with("janus.") ? key.substr(6) : std::string_view();
}
/// Case by agw.to_snake and agw.to_lower_camel_case, nullopt without either. The value "false" cancels only
/// the case that it names, if that comes from `outer`.
[[nodiscard]] inline std::optional<name_case> case_of(const annotation_range& annotations,
                                                      name_case outer = name_case::as_it_is) {
  std::optional<name_case> result;
  for (const annotation_info annotation : annotations) {
    const std::string key = lower_text(annotation.key());
    const std::string_view name = agw_name(key);
    const bool snake = name == "to_snake";
    if (!snake && name != "to_lower_camel_case") continue;
    const bool is_on = lower_text(annotation.value()) != "false";
    const name_case style = snake ? name_case::snake : name_case::lower_camel;
    if (is_on)
      result = style;
    else if (result.value_or(outer) == style)
      result = name_case::as_it_is;
  }
  return result;
}

/// The key of the json part of a go.tag (`json:"name,omitempty"`), or nullopt.
[[nodiscard]] inline std::optional<std::string_view> go_tag_key(std::string_view tag) {
  const std::size_t at = tag.find("json:\"");
  if (at == std::string_view::npos) return std::nullopt;
  tag.remove_prefix(at + 6);
  return tag.substr(0, tag.find_first_of(",\""));
}

/// Reads the annotations of one field.
class field_annotations {
 public:
  field_annotations(field_info field, name_case outer, const http_idl_options& options)
      : field_(field), options_(options), case_(outer) {
    if (options_.agw)
      if (const auto own = case_of(field.annotations(), outer)) case_ = *own;
    find_key();
  }

  /// Fills `plan`. Returns a description of the first fault, or an empty text.
  [[nodiscard]] std::string read(http_field& plan) {
    plan.key = key_;
    for (const annotation_info annotation : field_.annotations())
      take(lower_text(annotation.key()), annotation.value(), plan);
    add_body(plan);
    return fault_;
  }

 private:
  [[nodiscard]] bool maps() const noexcept { return options_.mapping; }

  void find_key() { key_ = options_.names == json_names::field ? std::string(field_.name()) : alias(); }
  [[nodiscard]] std::string alias() const {
    std::optional<std::string_view> tag;
    for (const annotation_info annotation : field_.annotations()) {
      const std::string key = lower_text(annotation.key());
      const bool is_agw = key == "agw.key" && options_.agw;
      if ((key == "api.key" || is_agw) && !annotation.value().empty()) return std::string(annotation.value());
      if (key == "go.tag" && !tag) tag = go_tag_key(annotation.value());
    }
    if (tag && !tag->empty()) return std::string(*tag);
    return in_case(case_, field_.name());
  }

  void take(const std::string& key, std::string_view value, http_field& plan) {
    if (key == "dynamicgo.deprecated") plan.removed = true;
    if (key.starts_with("api."))
      take_api(std::string_view(key).substr(4), value, plan);
    else if (options_.agw)
      take_agw(agw_name(key), lower_text(value), plan);
  }
  void take_api(std::string_view name, std::string_view value, http_field& plan) {
    if (name == "none") plan.no_answer = true;
    if (name == "js_conv" && options_.js_conv) plan.form = json_form::js_conv;
    if (name == "body") take_body(value);
    for (int part = 0; part <= static_cast<int>(http_part::no_body_struct); ++part) {
      const auto known = static_cast<http_part>(part);
      if (known != http_part::body && name == to_string(known)) add(plan, known, std::string(value));
    }
  }
  void take_agw(std::string_view name, std::string_view value, http_field& plan) {
    if (name == "js_conv" && options_.js_conv) plan.form = json_form::js_conv;
    const bool is_text = field_.type().kind() == type_kind::string;
    if (name == "body_dynamic" && is_text && options_.js_conv) plan.form = json_form::dynamic;
    if (name == "target" && value == "ignore") plan.removed = true;
    if (name != "source" && name != "target") return;
    if (const auto part = part_of(value)) add(plan, *part, key_of_part());
  }
  [[nodiscard]] std::string key_of_part() const {
    const auto own = case_of(field_.annotations());
    return key_ != in_case(case_, field_.name()) ? key_
                                                 : in_case(own.value_or(name_case::as_it_is), field_.name());
  }
  [[nodiscard]] static std::optional<http_part> part_of(std::string_view name) {
    if (name == "post") return http_part::form;
    if (name == "not_body_struct") return http_part::no_body_struct;
    for (const http_part part : {http_part::query, http_part::header, http_part::cookie, http_part::path,
                                 http_part::raw_uri, http_part::raw_body, http_part::status})
      if (name == to_string(part)) return part;
    return std::nullopt;
  }

  void add(http_field& plan, http_part part, std::string key) {
    if (!maps()) return;
    for (const http_mapping& mapping : plan.request)
      if (mapping.part == part) return;  // the first of repeated annotations counts
    plan.request.push_back({part, key_table::none, std::move(key)});
  }
  void take_body(std::string_view key) {
    if (body_) fault_ = "api.body is declared more than once";
    if (!body_) body_ = std::string(key);
  }
  // The body is always tried last.
  void add_body(http_field& plan) {
    if (!body_ || !maps()) return;
    plan.request.push_back({http_part::body, key_table::none, *body_});
  }

  field_info field_;
  const http_idl_options& options_;
  name_case case_;
  std::string key_;
  std::optional<std::string> body_;
  std::string fault_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
