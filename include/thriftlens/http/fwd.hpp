// fwd: declarations of module http.
#pragma once

#include <thriftlens/core/config.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

struct http_options;
struct http_request;
struct http_response;
struct http_route;
class http_plan;
class http_router;

}  // namespace thriftlens::inline THRIFTLENS_ABI
