// heavy: the one unit of the tests that compiles IDL loading (THRIFTLENS_HEAVY in core/config.hpp); all
// others only call it.
#include <thriftlens/schema/schema.hpp>

namespace thriftlens_test {

extern const void* const heavy[];
const void* const heavy[] = {
    reinterpret_cast<const void*>(&thriftlens::idl::try_load),
    reinterpret_cast<const void*>(&thriftlens::idl::try_parse),
    reinterpret_cast<const void*>(&thriftlens::build_image),
};

}  // namespace thriftlens_test
