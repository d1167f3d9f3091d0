// intrinsics: the vendor's names of vector instructions, for kernels that need more than simd/bytes.hpp
// has. Never included by what a view or a bound struct needs: it is longer than all the rest of that.
#pragma once

#include <thriftlens/simd/dispatch.hpp>

#if THRIFTLENS_X86
#include <immintrin.h>
#endif
