// idl: IDL files and texts, parsed and resolved; who wants types includes schema.hpp.
// In: nothing. Out: what room idl offers; thriftlens.hpp opens all rooms but json.
#pragma once

#include <thriftlens/idl/load.hpp>
