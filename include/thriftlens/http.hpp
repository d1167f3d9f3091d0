// http: everything of room http, and with it simdjson.
// In: nothing. Out: plans between HTTP messages and Thrift bytes, their options, routers.
// Never included by thriftlens.hpp: who needs no JSON needs no simdjson.
#pragma once

#include <thriftlens/http/plan.hpp>
#include <thriftlens/http/router.hpp>
