// redact_claims: the actions of options and annotations.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/policy/redact_action.hpp>
#include <thriftlens/policy/redact_graph.hpp>
#include <thriftlens/policy/redact_options.hpp>
#include <thriftlens/schema/service.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The record of an annotation check, filled while rules are compiled.
struct annotation_log {
  struct conflict {
    std::string at;  ///< "User.mail"
    redact_reason stricter;
    redact_reason weaker;
  };

  std::vector<conflict> conflicts;      ///< may repeat
  pod_vector<redact_reason> effective;  ///< rules that were chosen somewhere, with `keeps` false; may repeat
  std::set<std::string> errors;         ///< of rules that cannot be applied
};

/// Numbered actions of one redaction; of two, the later one has the greater number.
class redact_claims {
 public:
  using form = redact_action::form;

  explicit redact_claims(const redact_options& options) : options_(options) {}

  [[nodiscard]] const redact_action& operator[](std::uint32_t action) const { return actions_[action]; }
  [[nodiscard]] bool keeps(std::uint32_t action) const { return actions_[action].kind == form::keep; }
  /// Whether the action of a struct or container applies to its contents.
  [[nodiscard]] bool goes_inside(std::uint32_t action) const {
    const form kind = actions_[action].kind;
    return kind == form::keep || is_mask(kind);
  }
  [[nodiscard]] bool is_stricter(std::uint32_t action, std::uint32_t than) const {
    return actions_[action].is_stricter_than(actions_[than]);
  }
  /// Whether a key is needed, as far as resolved.
  [[nodiscard]] bool uses_key() const noexcept { return uses_key_; }
  /// The first error of an annotation or of a missing key; cleared by the call.
  [[nodiscard]] std::optional<error> take_fault() { return std::exchange(fault_, std::nullopt); }

  /// `default_action` and `values`. Errors: bad_rule, missing_key.
  [[nodiscard]] THRIFTLENS_COLD result<void> read_options() {
    if (result<std::uint32_t> default_action = add_option("default_action", options_.default_action);
        !default_action)
      return default_action.error();
    for (const auto& [value, written] : options_.values) {
      result<std::uint32_t> action = add_option(value, written);
      if (!action) return action.error();
      if (!meanings_.try_emplace(value, *action).second)
        return error(errc::bad_rule, joined({in_quotes(value), " is duplicate in values"}));
    }
    return {};
  }
  /// Adds an action of an option. Errors: bad_rule, missing_key.
  [[nodiscard]] THRIFTLENS_COLD result<std::uint32_t> add_option(std::string_view rule,
                                                                 std::string_view written) {
    result<std::uint32_t> action = add(written);
    if (!action) return error(errc::bad_rule, joined({rule, ": ", action.error().message()}));
    if (!claim_key(*action)) return *take_fault();
    return action;
  }
  /// False with a fault if the action needs a key and there is none.
  [[nodiscard]] THRIFTLENS_COLD bool claim_key(std::uint32_t action) {
    if (actions_[action].kind != form::hash) return true;
    uses_key_ = true;
    if (options_.key != redact_hash::secret_key{}) return true;
    fault_ = error(errc::missing_key);
    return false;
  }

  [[nodiscard]] THRIFTLENS_COLD redact_claim of_field(field_info field, type in) {
    return of_declaration(field.annotations(),
                          {redact_reason::form::field, false, field.index(), in.index()});
  }
  [[nodiscard]] THRIFTLENS_COLD redact_claim of_declared(type of) {
    return of_declaration(of.annotations(), {redact_reason::form::declared, false, of.index()});
  }
  [[nodiscard]] THRIFTLENS_COLD redact_claim of_function(const schema_image& image, std::uint32_t function) {
    return of_declaration(function_info(&image, function).annotations(),
                          {redact_reason::form::function, false, function});
  }
  /// The strictest of a type as written and of the typedefs it names.
  [[nodiscard]] THRIFTLENS_COLD redact_claim of_written(const written_type& of) {
    redact_claim strictest;
    if (options_.annotation.empty() || of.place() == image::none) return strictest;
    const schema_image& in = *of.type().image();
    for (const std::uint32_t i : in.written_types[of.place()].annotations.indices()) {
      const annotation_info annotation(&in, i);
      if (annotation.key() != options_.annotation) continue;
      const std::uint32_t action = meaning(annotation.value());
      if (!strictest || is_stricter(action, strictest.action))
        strictest = {action, {redact_reason::form::written, false, of.place(), i}};
    }
    return strictest;
  }

 private:
  [[nodiscard]] THRIFTLENS_COLD result<std::uint32_t> add(std::string_view written) {
    result<redact_action> action = redact_action::try_parse(written);
    if (!action) return action.error();
    actions_.push_back(std::move(*action));
    return static_cast<std::uint32_t>(actions_.size() - 1);
  }
  [[nodiscard]] THRIFTLENS_COLD redact_claim of_declaration(const annotation_range& annotations,
                                                            const redact_reason& reason) {
    if (options_.annotation.empty()) return {};
    const std::optional<std::string_view> value = annotations.find(options_.annotation);
    if (!value) return {};
    check_one_meaning(annotations, *value);
    return {meaning(*value), reason};
  }
  /// The action of an annotation's value; `default_action` if it is not one.
  [[nodiscard]] THRIFTLENS_COLD std::uint32_t meaning(std::string_view value) {
    if (const auto known = meanings_.find(value); known != meanings_.end()) return known->second;
    const result<std::uint32_t> action = add(value);
    return meanings_.emplace(value, action ? *action : 0).first->second;
  }
  THRIFTLENS_COLD void check_one_meaning(const annotation_range& annotations, std::string_view value) {
    for (const annotation_info annotation : annotations) {
      if (annotation.key() != options_.annotation || annotation.value() == value) continue;
      fault_ =
          error(errc::bad_rule, joined({"the annotation ", in_quotes(annotation.key()), " has the values ",
                                        in_quotes(value), " and ", in_quotes(annotation.value())}));
    }
  }

  const redact_options& options_;
  std::vector<redact_action> actions_;  // the first is `default_action`
  std::map<std::string, std::uint32_t, std::less<>> meanings_;
  std::optional<error> fault_;
  bool uses_key_ = false;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
