// json: JSON in and out, with simdjson. By their own names: <thriftlens/json/bound.hpp> for structs with a
// codec binding, <thriftlens/json/tjson.hpp> for Apache's JSON protocol.
#pragma once

#include <thriftlens/json/from_json.hpp>
#include <thriftlens/json/json_text.hpp>
#include <thriftlens/json/to_json.hpp>
