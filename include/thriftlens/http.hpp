// http: all headers of the module; includes simdjson.
#pragma once

#include <thriftlens/http/plan.hpp>
#include <thriftlens/http/router.hpp>
