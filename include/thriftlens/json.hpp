// json: everything of room json, and with it simdjson.
// In: nothing. Out: to_json, from_json and their options, tjson.
// Never included by thriftlens.hpp: who needs no JSON needs no simdjson.
#pragma once

#include <thriftlens/json/bound.hpp>
#include <thriftlens/json/from_json.hpp>
#include <thriftlens/json/json_text.hpp>
#include <thriftlens/json/tjson.hpp>
#include <thriftlens/json/to_json.hpp>
