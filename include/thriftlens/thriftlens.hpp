// thriftlens: everything but JSON.
// In: nothing. Out: every room that needs the standard library alone.
// Never includes simdjson: that is json.hpp.
#pragma once

#include <thriftlens/codec/arena_resource.hpp>
#include <thriftlens/codec/bind_by_name.hpp>
#include <thriftlens/codec/idl_text.hpp>
#include <thriftlens/codec/size.hpp>
#include <thriftlens/compare/compare.hpp>
#include <thriftlens/compare/inspect.hpp>
#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/error.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/missing.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/dom/document.hpp>
#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/idl/fwd.hpp>
#include <thriftlens/idl/load.hpp>
#include <thriftlens/idl/program.hpp>
#include <thriftlens/path/borrowed_selection.hpp>
#include <thriftlens/policy/redact.hpp>
#include <thriftlens/policy/rewrite.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/fwd.hpp>
#include <thriftlens/protocol/message.hpp>
#include <thriftlens/schema/describe.hpp>
#include <thriftlens/schema/schema.hpp>
#include <thriftlens/schema/store.hpp>
#include <thriftlens/simd/base64.hpp>
#include <thriftlens/simd/decimal.hpp>
#include <thriftlens/simd/digits.hpp>
#include <thriftlens/simd/fwd.hpp>
#include <thriftlens/simd/json_escape.hpp>
#include <thriftlens/simd/json_quote.hpp>
#include <thriftlens/text/number_in.hpp>
#include <thriftlens/text/number_out.hpp>
