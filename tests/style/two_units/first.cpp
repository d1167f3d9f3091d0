#include "units.hpp"

#include <thriftlens/core/errc.hpp>

const void* shared_table_of_first() { return static_cast<const void*>(thriftlens::detail::errc_table); }
