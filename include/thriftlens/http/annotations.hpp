// annotations: what api.*, agw.* and go.tag of a field say.
#pragma once

#include <thriftlens/http/letter_case.hpp>
#include <thriftlens/http/plan_image.hpp>
#include <thriftlens/schema/service.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// How fields without a key of their own are called.
enum class name_case : std::uint8_t { as_it_is, snake, lower_camel };

[[nodiscard]] inline std::string in_case(name_case how, std::string_view name) {
  if (how == name_case::snake) return snake_case(name);
  return how == name_case::lower_camel ? lower_camel_case(name) : std::string(name);
}
/// `key` without the prefix "agw." or "janus."; empty where it has neither.
[[nodiscard]] inline std::string_view agw_word(std::string_view key) noexcept {
  if (key.starts_with("agw.")) return key.substr(4);
  return key.starts_with("janus.") ? key.substr(6) : std::string_view();
}
/// What agw.to_snake and agw.to_lower_camel_case of a declaration ask for; nothing where neither is there.
/// The value "false" ends that case alone, where it comes from `outer`.
[[nodiscard]] inline std::optional<name_case> case_of(const annotation_range& all,
                                                      name_case outer = name_case::as_it_is) {
  std::optional<name_case> found;
  for (const annotation_info each : all) {
    const std::string key = lower_text(each.key());
    const std::string_view word = agw_word(key);
    const bool snake = word == "to_snake";
    if (!snake && word != "to_lower_camel_case") continue;
    const bool is_on = lower_text(each.value()) != "false";
    const name_case how = snake ? name_case::snake : name_case::lower_camel;
    if (is_on)
      found = how;
    else if (found.value_or(outer) == how)
      found = name_case::as_it_is;
  }
  return found;
}

/// The key in a go.tag's json part: `json:"name,omitempty"`; nothing without one.
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
    if (options_.agw == http_switch::on)
      if (const auto own = case_of(field.annotations(), outer)) case_ = *own;
    find_key();
  }

  /// Fills `made`; returns what is wrong with them, or nothing.
  [[nodiscard]] std::string read(http_field& made) {
    made.key = key_;
    for (const annotation_info each : field_.annotations()) take(lower_text(each.key()), each.value(), made);
    add_body(made);
    return fault_;
  }

 private:
  [[nodiscard]] bool maps() const noexcept { return options_.mapping == http_switch::on; }

  void find_key() { key_ = options_.names == json_names::field ? std::string(field_.name()) : alias(); }
  [[nodiscard]] std::string alias() const {
    std::optional<std::string_view> tag;
    for (const annotation_info each : field_.annotations()) {
      const std::string key = lower_text(each.key());
      const bool is_agw = key == "agw.key" && options_.agw == http_switch::on;
      if ((key == "api.key" || is_agw) && !each.value().empty()) return std::string(each.value());
      if (key == "go.tag" && !tag) tag = go_tag_key(each.value());
    }
    if (tag && !tag->empty()) return std::string(*tag);
    return in_case(case_, field_.name());
  }

  void take(const std::string& key, std::string_view value, http_field& made) {
    if (key == "dynamicgo.deprecated") made.removed = true;
    if (key.starts_with("api."))
      take_api(std::string_view(key).substr(4), value, made);
    else if (options_.agw == http_switch::on)
      take_agw(agw_word(key), lower_text(value), made);
  }
  void take_api(std::string_view word, std::string_view value, http_field& made) {
    if (word == "none") made.no_answer = true;
    if (word == "js_conv" && options_.js_conv == http_switch::on) made.form = json_form::js_conv;
    if (word == "body") take_body(value);
    for (int part = 0; part <= static_cast<int>(http_part::no_body_struct); ++part) {
      const auto known = static_cast<http_part>(part);
      if (known != http_part::body && word == to_string(known)) add(made, known, std::string(value));
    }
  }
  void take_agw(std::string_view word, std::string_view value, http_field& made) {
    if (word == "js_conv" && options_.js_conv == http_switch::on) made.form = json_form::js_conv;
    const bool is_text = field_.type().kind() == type_kind::string;
    if (word == "body_dynamic" && is_text && options_.js_conv == http_switch::on)
      made.form = json_form::dynamic;
    if (word == "target" && value == "ignore") made.removed = true;
    if (word != "source" && word != "target") return;
    if (const auto part = part_of(value)) add(made, *part, key_of_part());
  }
  [[nodiscard]] std::string key_of_part() const {
    const auto own = case_of(field_.annotations());
    return key_ != in_case(case_, field_.name()) ? key_
                                                 : in_case(own.value_or(name_case::as_it_is), field_.name());
  }
  [[nodiscard]] static std::optional<http_part> part_of(std::string_view word) {
    if (word == "post") return http_part::form;
    if (word == "not_body_struct") return http_part::no_body_struct;
    for (const http_part each : {http_part::query, http_part::header, http_part::cookie, http_part::path,
                                 http_part::raw_uri, http_part::raw_body, http_part::status})
      if (word == to_string(each)) return each;
    return std::nullopt;
  }

  void add(http_field& made, http_part part, std::string key) {
    if (!maps()) return;
    for (const http_mapping& each : made.request)
      if (each.part == part) return;  // of a repeated annotation the first counts
    made.request.push_back({part, key_table::none, std::move(key)});
  }
  void take_body(std::string_view key) {
    if (body_) fault_ = "api.body is given twice";
    if (!body_) body_ = std::string(key);
  }
  // It is tried last, wherever it stands.
  void add_body(http_field& made) {
    if (!body_ || !maps()) return;
    made.request.push_back({http_part::body, key_table::none, *body_});
  }

  field_info field_;
  const http_idl_options& options_;
  name_case case_;
  std::string key_;
  std::optional<std::string> body_;
  std::string fault_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
