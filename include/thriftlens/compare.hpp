// compare: what two values differ in, and what bytes hold without a schema.
// In: nothing. Out: what room compare offers; thriftlens.hpp opens all rooms but json.
#pragma once

#include <thriftlens/compare/compare.hpp>
#include <thriftlens/compare/identify.hpp>
#include <thriftlens/compare/infer.hpp>
#include <thriftlens/compare/inspect.hpp>
