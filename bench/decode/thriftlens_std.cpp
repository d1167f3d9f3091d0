// decode by thriftlens into owning structs, as Apache's generated code does: new each time, or over the last
// one.
#include <own_decode.hpp>

const bool entered =
    bench::own::enter_all<bench::own::decode_new, bench::own::standard>("decode", "thriftlens_std") &&
    bench::own::enter_all<bench::own::decode_over, bench::own::standard>("decode", "thriftlens_std_reused");
