// columns: records to Arrow columns.
#pragma once

#include <thriftlens/columns/arrow_blobs.hpp>
#include <thriftlens/columns/arrow_check.hpp>
#include <thriftlens/columns/columns.hpp>
#include <thriftlens/columns/from_columns.hpp>
#include <thriftlens/columns/predicate.hpp>
