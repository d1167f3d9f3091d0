// columns: records to Arrow columns.
// In: nothing. Out: what room columns offers; thriftlens.hpp opens all rooms but json.
#pragma once

#include <thriftlens/columns/arrow_blobs.hpp>
#include <thriftlens/columns/arrow_check.hpp>
#include <thriftlens/columns/columns.hpp>
#include <thriftlens/columns/from_columns.hpp>
#include <thriftlens/columns/predicate.hpp>
