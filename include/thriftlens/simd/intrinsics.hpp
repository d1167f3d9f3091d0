// intrinsics: vendor intrinsics for kernels that need more than simd/bytes.hpp. Not included by views and
// bound structs, because these headers are larger than all others together.
#pragma once

#include <thriftlens/simd/dispatch.hpp>

#if THRIFTLENS_X86
#include <immintrin.h>
#endif
