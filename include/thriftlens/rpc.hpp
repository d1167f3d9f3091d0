// rpc: calls and answers under a service of the IDL, by bytes.
// In: nothing. Out: what room rpc offers; thriftlens.hpp opens all rooms but json.
#pragma once

#include <thriftlens/rpc/answer.hpp>
#include <thriftlens/rpc/application_exception.hpp>
#include <thriftlens/rpc/call.hpp>
#include <thriftlens/rpc/message.hpp>
#include <thriftlens/rpc/reply.hpp>
