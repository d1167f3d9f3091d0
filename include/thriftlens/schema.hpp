// schema: IDL loaded at run time: types, constants and services, and their description.
#pragma once

#include <thriftlens/schema/describe.hpp>
#include <thriftlens/schema/schema.hpp>
#include <thriftlens/schema/service.hpp>
#include <thriftlens/schema/store.hpp>
#include <thriftlens/schema/suggest.hpp>
