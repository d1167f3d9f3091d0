// json: everything of room json, and with it simdjson.
#pragma once

#include <thriftlens/json/bound.hpp>
#include <thriftlens/json/from_json.hpp>
#include <thriftlens/json/json_text.hpp>
#include <thriftlens/json/tjson.hpp>
#include <thriftlens/json/to_json.hpp>
