#pragma once

#include <thriftlens/schema.hpp>

thriftlens::schema other_unit_schema();
