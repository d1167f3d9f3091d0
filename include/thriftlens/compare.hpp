// compare: what two values differ in, and what bytes hold without a schema.
#pragma once

#include <thriftlens/compare/compare.hpp>
#include <thriftlens/compare/identify.hpp>
#include <thriftlens/compare/infer.hpp>
#include <thriftlens/compare/inspect.hpp>
