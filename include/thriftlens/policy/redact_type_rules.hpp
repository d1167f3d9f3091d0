// redact_type_rules: rules for a struct, an enum or a field of a struct, wherever it occurs. A name that
// several files declare names all of them.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/nearest.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/policy/redact_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The rules by type of one redaction.
class redact_type_rules {
 public:
  /// Adds rule number `number`, in their order. Linear in the types of the schema. Errors: unknown_name,
  /// no_such_field, bad_rule (repeated rule).
  [[nodiscard]] result<void> add(const schema_image& image, std::string_view text, std::uint32_t action,
                                 std::uint32_t number) {
    rules_.push_back({action, {redact_reason::form::type_rule, false, number}});
    reached_.push_back(false);
    const std::vector<type> named = find_types(image, text);
    for (const type& match : named) rule_of_.try_emplace(key_of(match.index(), image::none), number);
    if (is_added(number)) return {};
    if (!named.empty()) return repeated_rule(text);
    const std::size_t dot = text.rfind('.');
    const std::vector<type> owners = find_types(image, text.substr(0, dot));
    if (dot == std::string_view::npos || owners.empty()) return no_type(image, text);
    const std::string_view name = text.substr(dot + 1);
    for (const type& owner : owners) {
      if (!owner.is_struct()) continue;
      if (const field_info field = owner.find_field(name))
        rule_of_.try_emplace(key_of(owner.index(), field.index()), number);
    }
    if (is_added(number)) return {};
    return no_field(owners.front(), name, text);
  }
  [[nodiscard]] redact_claim of_field(field_info field, type in) {
    return find(key_of(in.index(), field.index()));
  }
  [[nodiscard]] redact_claim of_type(type of) { return find(key_of(of.index(), image::none)); }
  /// Whether the rule applies to a value that was found.
  [[nodiscard]] bool is_reached(std::uint32_t number) const { return reached_[number]; }

 private:
  [[nodiscard]] static std::uint64_t key_of(std::uint32_t type, std::uint32_t field) noexcept {
    return std::uint64_t{type} << 32 | field;
  }

  [[nodiscard]] redact_claim find(std::uint64_t key) {
    const auto known = rule_of_.find(key);
    if (known == rule_of_.end()) return {};
    reached_[known->second] = true;
    return rules_[known->second];
  }
  [[nodiscard]] bool is_added(std::uint32_t number) const {
    for (const auto& [key, rule] : rule_of_) {
      if (rule == number) return true;
    }
    return false;
  }
  [[nodiscard]] static std::vector<type> named_types(const schema_image& image) {
    std::vector<type> types;
    for (std::uint32_t i = 0; i < image.types.size(); ++i) {
      const type candidate(&image, i);
      if (candidate.is_struct() || candidate.is_enum()) types.push_back(candidate);
    }
    return types;
  }
  [[nodiscard]] static std::vector<type> find_types(const schema_image& image, std::string_view name) {
    std::vector<type> types = named_types(image);
    std::erase_if(types, [&](const type& candidate) { return candidate.name() != name; });
    return types;
  }
  [[nodiscard]] static error no_type(const schema_image& image, std::string_view text) {
    nearest_names nearest(text.substr(0, text.rfind('.')));
    std::vector<std::string> names;
    for (const type& candidate : named_types(image)) names.push_back(candidate.name());
    for (const std::string& candidate : names) nearest.offer(candidate);
    return error(errc::unknown_name,
                 joined({"no struct or enum for the rule ", in_quotes(text), nearest.text()}));
  }
  [[nodiscard]] static error no_field(const type& in, std::string_view name, std::string_view text) {
    if (!in.is_struct()) return no_type(*in.image(), text);
    return in.find_field(name) ? repeated_rule(text) : in.try_field(name).error();
  }
  [[nodiscard]] static error repeated_rule(std::string_view text) {
    return error(errc::bad_rule, joined({"duplicate rule ", in_quotes(text)}));
  }

  std::map<std::uint64_t, std::uint32_t> rule_of_;  // by type and field
  std::vector<redact_claim> rules_;
  std::vector<bool> reached_;  // by rule
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
