// rpc: calls and answers under a service of the IDL, by bytes.
#pragma once

#include <thriftlens/rpc/answer.hpp>
#include <thriftlens/rpc/application_exception.hpp>
#include <thriftlens/rpc/call.hpp>
#include <thriftlens/rpc/message.hpp>
#include <thriftlens/rpc/reply.hpp>
