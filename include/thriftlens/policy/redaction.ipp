// redaction: bodies of redaction.hpp.
#pragma once

#include <thriftlens/policy/redaction.hpp>

#include <thriftlens/policy/redact_listing.hpp>
#include <thriftlens/policy/redaction_compiler.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

THRIFTLENS_BODY result<redaction> redaction::try_compile(type of, const redact_options& options) {
  if (!of) return error(errc::wrong_type, "a redaction needs a type");
  auto graph = std::make_shared<detail::redact_graph>();
  graph->from = of;
  graph->hash = redact_hash(options.key.bytes);
  graph->unknown = options.unknown;
  graph->annotation = options.annotation;
  if (result<void> status = detail::redaction_compiler(*graph, options).run(); !status) return status.error();
  return redaction(std::move(graph));
}

THRIFTLENS_BODY std::vector<redact_entry> redaction::listing() const { return list_redactions(*data_); }

}  // namespace thriftlens::inline THRIFTLENS_ABI
