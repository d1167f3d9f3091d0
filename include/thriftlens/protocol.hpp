// protocol: Binary, Compact, conversion between them, and message headers, without a schema.
#pragma once

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/protocol/message.hpp>
#include <thriftlens/protocol/select.hpp>
