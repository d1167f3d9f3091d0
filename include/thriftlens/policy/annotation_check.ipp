// annotation_check: bodies of annotation_check.hpp.
#pragma once

#include <thriftlens/policy/annotation_check.hpp>

#include <thriftlens/core/joined.hpp>
#include <thriftlens/policy/redact_listing.hpp>
#include <thriftlens/policy/redaction_compiler.hpp>

#include <set>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

class annotation_reporter {
 public:
  annotation_reporter(const redact_graph& graph, const annotation_log& log)
      : graph_(graph),
        image_(*graph.from.image()),
        log_(log),
        effective_(log.effective.begin(), log.effective.end()) {}

  [[nodiscard]] std::vector<std::string> run() {
    lines_ = log_.errors;
    for (const annotation_log::conflict& conflict : log_.conflicts) {
      lines_.insert(joined({conflict.at, ": ", reason_text(graph_, conflict.stricter), " is stricter than ",
                            reason_text(graph_, conflict.weaker), ", which has no effect there"}));
      weaker_.insert(conflict.weaker);
    }
    structs();
    enums();
    services();
    for (const image::const_node& constant : image_.consts)
      without_effect(joined({"constant ", qualified_name(image_, constant)}), constant.annotations,
                     "a constant is not part of the data");
    return {lines_.begin(), lines_.end()};
  }

 private:
  [[nodiscard]] bool has_key(image::slice annotations) const {
    return annotation_range(&image_, annotations).find(graph_.annotation).has_value();
  }
  void without_effect(const std::string& subject, image::slice annotations, const char* reason) {
    if (has_key(annotations))
      lines_.insert(joined(
          {subject, annotation_text(graph_.annotation, {&image_, annotations}), " has no effect: ", reason}));
  }
  /// Reports a rule that was never chosen, unless a contradiction explains it.
  void unless_chosen(const redact_reason& rule, image::slice annotations) {
    if (has_key(annotations) && !effective_.contains(rule) && !weaker_.contains(rule))
      lines_.insert(
          joined({reason_text(graph_, rule), " has no effect: the rule of an enclosing value replaces it"}));
  }
  void structs() {
    for (const image::struct_node& node : image_.structs) {
      unless_chosen({redact_reason::form::declared, false, node.type}, node.annotations);
      for (const std::uint32_t i : node.fields.indices())
        unless_chosen({redact_reason::form::field, false, i, node.type}, image_.field_texts[i].annotations);
    }
  }
  void enums() {
    for (const image::enum_node& node : image_.enums) {
      for (const std::uint32_t i : node.members.indices()) {
        const image::enum_member_node& member = image_.enum_members[i];
        without_effect(joined({"enum member ", qualified_name(image_, node), '.', image_.view(member.name)}),
                       member.annotations, "annotate the enum");
      }
    }
  }
  void services() {
    for (const image::service_node& service : image_.services)
      without_effect(joined({"service ", qualified_name(image_, service)}), service.annotations,
                     "annotate its functions");
    for (std::uint32_t i = 0; i < image_.functions.size(); ++i) {
      const image::function_node& node = image_.functions[i];
      const std::string name = joined({"function ", function_name(image_, i)});
      if (function_info(&image_, i).returns().kind() == type_kind::void_)
        without_effect(name, node.annotations, "it returns void");
      else
        unless_chosen({redact_reason::form::function, false, i}, node.annotations);
    }
  }

  const redact_graph& graph_;
  const schema_image& image_;
  const annotation_log& log_;
  std::set<redact_reason> effective_;
  std::set<std::string> lines_;
  std::set<redact_reason> weaker_;
};

/// Keys of annotations that have an action as their value somewhere.
[[nodiscard]] THRIFTLENS_BODY std::set<std::string> redaction_keys(const schema_image& of) {
  std::set<std::string> keys;
  for (const image::annotation_node& annotation : of.annotations) {
    if (redact_action::try_parse(of.view(annotation.value))) keys.emplace(of.view(annotation.key));
  }
  return keys;
}

[[nodiscard]] THRIFTLENS_BODY result<std::vector<std::string>> check_key(const schema& of,
                                                                         const redact_options& options) {
  redact_graph graph;
  graph.from = type(of.image().get(), 0);
  graph.annotation = options.annotation;
  annotation_log log;
  result<void> status = redaction_compiler(graph, options, &log).check_annotations();
  if (!status) return status.error();
  return annotation_reporter(graph, log).run();
}

}  // namespace detail

THRIFTLENS_BODY result<std::vector<std::string>> try_check_annotations(const schema& of,
                                                                       const redact_options& options) {
  redact_options checked = options;
  checked.paths.clear();
  checked.types.clear();
  checked.key.bytes[0] = 1;  // hash without a key is not reported
  if (!options.annotation.empty()) return detail::check_key(of, checked);
  std::vector<std::string> lines;
  for (const std::string& key : detail::redaction_keys(*of.image())) {
    checked.annotation = key;
    result<std::vector<std::string>> findings = detail::check_key(of, checked);
    if (!findings) return findings.error();
    lines.insert(lines.end(), findings->begin(), findings->end());
  }
  return lines;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
