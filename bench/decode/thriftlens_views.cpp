// decode by thriftlens into structs whose strings borrow from the bytes: new each time, or over the last one.
#include <own_decode.hpp>

const bool entered =
    bench::own::enter_all<bench::own::decode_new, bench::own::views>("decode", "thriftlens_views") &&
    bench::own::enter_all<bench::own::decode_over, bench::own::views>("decode", "thriftlens_views_reused");
