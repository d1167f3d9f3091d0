// compiled: all bodies except those of JSON; thriftlens::compiled compiles them in several units.
#pragma once

#if !defined(THRIFTLENS_COMPILED)
#error "thriftlens: this unit and all others are compiled with THRIFTLENS_COMPILED"
#endif

#include <thriftlens/loader.ipp>

#include <thriftlens/columns/arrow_check.ipp>
#include <thriftlens/columns/arrow_export.ipp>
#include <thriftlens/columns/arrow_owner.ipp>
#include <thriftlens/columns/arrow_source.ipp>
#include <thriftlens/columns/column_memory.ipp>
#include <thriftlens/columns/column_plan.ipp>
#include <thriftlens/columns/columns.ipp>
#include <thriftlens/columns/from_columns.ipp>
#include <thriftlens/columns/predicate.ipp>
#include <thriftlens/compare/compare.ipp>
#include <thriftlens/compare/identify.ipp>
#include <thriftlens/compare/infer.ipp>
#include <thriftlens/compare/inspect.ipp>
#include <thriftlens/core/diagnostic.ipp>
#include <thriftlens/core/error.ipp>
#include <thriftlens/core/path_builder.ipp>
#include <thriftlens/core/quote.ipp>
#include <thriftlens/dom/arrange.ipp>
#include <thriftlens/dom/document.ipp>
#include <thriftlens/dom/node.ipp>
#include <thriftlens/dom/tree.ipp>
#include <thriftlens/dom/value.ipp>
#include <thriftlens/edit/edit.ipp>
#include <thriftlens/edit/stream_trim.ipp>
#include <thriftlens/edit/trim.ipp>
#include <thriftlens/path/path.ipp>
#include <thriftlens/path/selection.ipp>
#include <thriftlens/policy/annotation_check.ipp>
#include <thriftlens/policy/redact.ipp>
#include <thriftlens/policy/redact_action.ipp>
#include <thriftlens/policy/redaction.ipp>
#include <thriftlens/policy/rewrite.ipp>
#include <thriftlens/policy/rules.ipp>
#include <thriftlens/policy/validate.ipp>
#include <thriftlens/protocol/binary_shape.ipp>
#include <thriftlens/protocol/canonical.ipp>
#include <thriftlens/protocol/compact_shape.ipp>
#include <thriftlens/protocol/key_equality.ipp>
#include <thriftlens/records/append_framed.ipp>
#include <thriftlens/records/detect.ipp>
#include <thriftlens/records/record_cutter.ipp>
#include <thriftlens/records/records.ipp>
#include <thriftlens/rewrite/pass.ipp>
#include <thriftlens/transport/frame_writer.ipp>
#include <thriftlens/transport/session.ipp>
#include <thriftlens/view/explain.ipp>
#include <thriftlens/view/plan.ipp>
