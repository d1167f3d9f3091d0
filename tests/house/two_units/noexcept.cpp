#include "units.hpp"

#include <thriftlens/thriftlens.hpp>
#ifdef HOUSE_WITH_JSON
#include <thriftlens/json.hpp>
#endif

const void* shared_table_of_noexcept() { return static_cast<const void*>(thriftlens::detail::errc_table); }
