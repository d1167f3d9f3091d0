// thriftlens: everything but JSON.
// In: nothing. Out: every room that needs the standard library alone.
#pragma once

#include <thriftlens/codec.hpp>
#include <thriftlens/columns.hpp>
#include <thriftlens/compare.hpp>
#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/error.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/dom.hpp>
#include <thriftlens/edit.hpp>
#include <thriftlens/idl.hpp>
#include <thriftlens/idl/fwd.hpp>
#include <thriftlens/path.hpp>
#include <thriftlens/policy.hpp>
#include <thriftlens/protocol.hpp>
#include <thriftlens/protocol/canonical.hpp>
#include <thriftlens/protocol/fwd.hpp>
#include <thriftlens/protocol/struct_ids.hpp>
#include <thriftlens/protocol/unknown_key.hpp>
#include <thriftlens/records.hpp>
#include <thriftlens/rpc.hpp>
#include <thriftlens/schema.hpp>
#include <thriftlens/schema/zero_value.hpp>
#include <thriftlens/transport.hpp>
#include <thriftlens/transport/fwd.hpp>
#include <thriftlens/view.hpp>
