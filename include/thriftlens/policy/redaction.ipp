// redaction: bodies of redaction.hpp.
#pragma once

#include <thriftlens/policy/redaction.hpp>

#include <thriftlens/policy/redact_listing.hpp>
#include <thriftlens/policy/redaction_compiler.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

THRIFTLENS_BODY result<redaction> redaction::try_compile(type of, const redact_options& options) {
  if (!of) return error(errc::wrong_type, "a redaction needs a type");
  auto made = std::make_shared<detail::redact_graph>();
  made->from = of;
  made->hash = redact_hash(options.key);
  made->unknown = options.unknown;
  made->annotation = options.annotation;
  if (result<void> done = detail::redaction_compiler(*made, options).run(); !done) return done.error();
  return redaction(std::move(made));
}

THRIFTLENS_BODY std::vector<redact_entry> redaction::listing() const { return list_redactions(*data_); }

}  // namespace thriftlens::inline THRIFTLENS_ABI
