// compile: builds a plan_image from the annotations of a type and of the types in it.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/http/annotations.hpp>
#include <thriftlens/http/plan_image.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Compiles one plan. Used once.
class plan_compiler {
 public:
  plan_compiler(type root, const http_options& options, name_case names) : names_(names) {
    plan_.image = root.image();
    plan_.root = root;
    plan_.options = options;
    plan_.structs.reset(plan_.image->structs.size());
    plan_.fields.reset(plan_.image->fields.size());
  }

  [[nodiscard]] THRIFTLENS_COLD plan_image run() {
    visit(plan_.root);
    while (!open_.empty()) {
      const type next = open_.back();
      open_.pop_back();
      compile(next);
    }
    add_body_keys();
    return std::move(plan_);
  }

 private:
  THRIFTLENS_COLD void visit(type of) {
    if (of.kind() == type_kind::map) {
      visit(of.key());
      visit(of.value());
    } else if (of.is_container()) {
      visit(of.element());
    } else if (of.is_struct()) {
      http_struct& plan = plan_.structs.make(of.node().first);
      if (!std::exchange(plan.is_known, true)) open_.push_back(of);
    }
  }

  THRIFTLENS_COLD void compile(type of) {
    http_struct& plan = plan_.structs.make(of.node().first);
    name_case names = names_;
    if (plan_.options.idl.agw)
      if (const auto own = case_of(of.annotations(), names_)) names = *own;
    for (const field_info info : of.fields()) {
      read(of, info, names);
      const http_field& field = plan_.fields[info.index()];
      if (!field.request.empty() || field.is_base) plan.mapped.push_back(info.index());
      plan.is_special |= field.special != 0;
      plan.has_removed |= field.removed && info.required();
      visit(info.type());
    }
    find_keys(of, plan);
  }

  THRIFTLENS_COLD void read(type of, field_info field, name_case names) {
    http_field& plan = plan_.fields.make(field.index());
    const std::string fault = field_annotations(field, names, plan_.options.idl).read(plan);
    const bool is_root = of == plan_.root;
    if (!fault.empty()) plan_.faults.push_back(joined({of.name(), '.', field.name(), ": ", fault}));
    if (is_root) find_base(field, plan);
    note_status(of, field, plan);
    split_directions(plan);
    settle(of, field, plan);
    if (is_root && plan_.options.idl.body_as_alias) make_alias(plan);
    for (http_mapping& mapping : plan.request) {
      assign_slot(mapping, is_root);
      note_repeats(mapping, field.type().kind());
    }
    add_fallback(plan);
    const auto is_body = [](const http_mapping& mapping) { return mapping.part == http_part::body; };
    plan_.reads_json |=
        is_root && !plan.removed && (plan.request.empty() || std::ranges::any_of(plan.request, is_body));
    set_key_text(plan);
    set_special(field, plan);
  }
  THRIFTLENS_COLD void find_base(field_info field, http_field& plan) const {
    if (plan_.options.base == http_base::off || !field.type().is_struct()) return;
    const std::string name = field.type().name();
    plan.is_base = name == "base.Base";
    plan.is_base_resp = name == "base.BaseResp";
  }
  THRIFTLENS_COLD void note_status(type of, field_info field, const http_field& plan) {
    const auto is_status = [](const http_mapping& mapping) { return mapping.part == http_part::status; };
    const type_kind kind = field.type().kind();
    const bool may_be_one = is_integer(kind) || kind == type_kind::enum_ || kind == type_kind::string;
    if (!may_be_one && std::ranges::any_of(plan.request, is_status))
      plan_.losses.push_back(joined(
          {of.name(), '.', field.name(), ": api.http_code needs an integer, not ", field.type().name()}));
  }
  [[nodiscard]] static bool is_integer(type_kind kind) noexcept {
    return kind == type_kind::i8 || kind == type_kind::i16 || kind == type_kind::i32 ||
           kind == type_kind::i64;
  }
  THRIFTLENS_COLD static void split_directions(http_field& plan) {
    plan.response = plan.request;
    std::erase_if(plan.request,
                  [](const http_mapping& mapping) { return mapping.part == http_part::status; });
  }
  // Warns about mappings that can never give a value.
  THRIFTLENS_COLD void settle(type of, field_info field, http_field& plan) {
    const auto is_wrong = [&](const http_mapping& mapping) {
      return mapping.part == http_part::no_body_struct && !field.type().is_struct();
    };
    if (std::ranges::any_of(plan.request, is_wrong)) {
      warn(of, field, joined({"api.no_body_struct needs a struct, not ", field.type().name()}));
    }
    for (std::size_t i = 0; i + 1 < plan.request.size(); ++i) {
      const http_part part = plan.request[i].part;
      if (part == http_part::raw_uri || (part == http_part::no_body_struct && field.type().is_struct()))
        warn(of, field,
             joined({"api.", to_string(plan.request[i + 1].part), " is unreachable: api.", to_string(part),
                     " always has a value"}));
    }
  }
  THRIFTLENS_COLD void warn(type of, field_info field, const std::string& reason) {
    plan_.warnings.push_back(joined({of.name(), '.', field.name(), ": ", reason}));
  }
  THRIFTLENS_COLD static void make_alias(http_field& plan) {
    const auto is_body = [](const http_mapping& mapping) { return mapping.part == http_part::body; };
    const auto body = std::ranges::find_if(plan.request, is_body);
    if (body == plan.request.end()) return;
    plan.key = body->key;
    std::erase_if(plan.request, is_body);
    std::erase_if(plan.response, is_body);
  }

  THRIFTLENS_COLD std::uint32_t slot_of(http_part part, std::string_view key) {
    key_table& table = plan_.keys[static_cast<std::size_t>(part)];
    const std::uint32_t slot =
        table.add(part == http_part::header ? lower_text(key) : std::string(key), plan_.slot_count);
    if (slot == plan_.slot_count) ++plan_.slot_count;
    return slot;
  }
  THRIFTLENS_COLD void assign_slot(http_mapping& mapping, bool is_root) {
    if (mapping.part == http_part::raw_body) plan_.reads_raw_body = true;
    if (static_cast<std::size_t>(mapping.part) >= keyed_parts) return;
    if (mapping.part == http_part::body) (is_root ? plan_.has_root_body : plan_.reads_body_keys) = true;
    if (mapping.part == http_part::body && !is_root) nested_body_keys_.push_back(mapping.key);
    mapping.slot = slot_of(mapping.part, mapping.key);
  }
  THRIFTLENS_COLD void note_repeats(const http_mapping& mapping, type_kind kind) {
    const bool is_list = is_sequence(kind);
    const bool repeats = mapping.part == http_part::query || mapping.part == http_part::form ||
                         mapping.part == http_part::body;
    if (!is_list || !repeats || mapping.slot == key_table::none) return;
    if (plan_.repeats.size() <= mapping.slot) plan_.repeats.resize(mapping.slot + 1);
    plan_.repeats[mapping.slot] = true;
  }
  THRIFTLENS_COLD void add_fallback(http_field& plan) {
    plan.fallback.fill(key_table::none);
    const http_request_options& options = plan_.options.request;
    if (!plan_.options.idl.mapping) return;
    if (!options.fallback && !options.traceback) return;
    static constexpr http_part order[] = {http_part::path, http_part::query, http_part::header,
                                          http_part::cookie, http_part::body};
    for (std::size_t i = 0; i < plan.fallback.size(); ++i) plan.fallback[i] = slot_of(order[i], plan.key);
  }
  THRIFTLENS_COLD void set_key_text(http_field& plan) const {
    std::string name = plan.key;
    for (const http_mapping& mapping : plan.response)
      if (mapping.part == http_part::body) name = mapping.key;
    plan.json_key = joined({",\"", escaped(name), "\":"});
    plan.json_key_size = static_cast<std::uint32_t>(plan.json_key.size());
    plan.json_key.append(64, '\0');
  }
  [[nodiscard]] THRIFTLENS_COLD static std::string escaped(std::string_view name) {
    constexpr char hex[] = "0123456789abcdef";
    std::string json;
    for (const char c : name) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20) {
        json.append("\\u00").append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
        continue;
      }
      if (c == '"' || c == '\\') json += '\\';
      json += c;
    }
    return json;
  }
  THRIFTLENS_COLD void set_special(field_info field, http_field& plan) const {
    const bool formed = plan.form != json_form::plain || plan.removed;
    if (plan.is_mapped() || formed || plan.is_base) plan.special |= special_request;
    const bool placed = !plan.response.empty() || plan.is_base_resp || plan.no_answer;
    if (placed || formed || plan.key != field.alias()) plan.special |= special_response;
  }
  THRIFTLENS_COLD void find_keys(type of, http_struct& plan) {
    const bool is_root = of == plan_.root;
    for (const field_info info : of.fields()) {
      const http_field& field = plan_.fields[info.index()];
      if (!field.removed) key_entry(plan, field.key).field = info.index();
      plan.has_own_keys |= field.key != info.alias();
      if (!is_root) continue;
      for (const http_mapping& mapping : field.request) {
        if (mapping.part != http_part::body) continue;
        key_entry(plan, mapping.key).body.push_back(info.index());
        plan.has_own_keys = true;
      }
    }
    if (plan_.options.idl.names == json_names::both) add_names(of, plan);
  }
  // Keys of the JSON root that fields of nested structs read.
  THRIFTLENS_COLD void add_body_keys() {
    http_struct& root = plan_.structs.make(plan_.root.node().first);
    for (const std::string& key : nested_body_keys_) {
      key_entry(root, key).is_nested = true;
      root.has_own_keys = true;
    }
  }
  THRIFTLENS_COLD void add_names(type of, http_struct& plan) {
    for (const field_info info : of.fields()) {
      own_key& entry = key_entry(plan, info.name());
      if (entry.field == image::none && !plan_.fields[info.index()].removed) entry.field = info.index();
    }
    plan.has_own_keys = true;
  }
  THRIFTLENS_COLD static own_key& key_entry(http_struct& plan, std::string_view key) {
    const auto next = static_cast<std::uint32_t>(plan.own.size());
    const std::uint32_t number = plan.keys.add(key, next);
    if (number == next) plan.own.emplace_back();
    return plan.own[number];
  }

  plan_image plan_;
  name_case names_;
  std::vector<type> open_;
  std::vector<std::string> nested_body_keys_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
