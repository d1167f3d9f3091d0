// compiled_json: the bodies of JSON and HTTP, for one unit of a program that is built without
// thriftlens::compiled_json.
#pragma once

#if !defined(THRIFTLENS_COMPILED)
#error "thriftlens: this unit and all others are compiled with THRIFTLENS_COMPILED"
#endif

#include <thriftlens/http/plan.ipp>
#include <thriftlens/json/from_json.ipp>
#include <thriftlens/json/tjson.ipp>
#include <thriftlens/json/to_json.ipp>
