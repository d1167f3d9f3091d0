// compare: what two values differ in, and what bytes hold without a schema.
// In: nothing. Out: what room compare offers; thriftlens.hpp opens all rooms but json.
// Never opens another room but by what this one is made of.
#pragma once

#include <thriftlens/compare/compare.hpp>
#include <thriftlens/compare/identify.hpp>
#include <thriftlens/compare/infer.hpp>
#include <thriftlens/compare/inspect.hpp>
