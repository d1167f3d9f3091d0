// http: everything of room http, and with it simdjson.
#pragma once

#include <thriftlens/http/plan.hpp>
#include <thriftlens/http/router.hpp>
