// idl: IDL files and texts, parsed and resolved; who wants types includes schema.hpp.
#pragma once

#include <thriftlens/idl/load.hpp>
