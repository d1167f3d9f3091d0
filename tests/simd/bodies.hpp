// bodies: every kernel that this processor can run, and every level that can be forced.
#pragma once

#include <thriftlens/simd/dispatch.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace thriftlens_test {

inline const char* to_text(thriftlens::detail::simd::detail::instructions needed) {
  constexpr const char* names[] = {"any", "sse2", "ssse3", "avx2", "vbmi2", "neon"};
  return names[static_cast<unsigned>(needed)];
}

/// Calls use(run, name) for the kernels that the processor supports. The first one is the portable one.
template <class Body, std::size_t Count, class Use>
void for_each_body(const Body (&bodies)[Count], Use use) {
  for (const Body& body : bodies)
    if (thriftlens::detail::simd::detail::processor_has(body.needs)) use(body.run, to_text(body.needs));
}

/// Lengths 0 to 130 of any kind are tried at these distances from a page's end: every alignment to 64 bytes.
inline constexpr std::size_t alignments = 64;

/// Forces an instruction set for a scope. It must be supported by the processor.
class lowered_level {
 public:
  lowered_level(thriftlens::detail::simd::level limit, bool vbmi2) {
    namespace detail = thriftlens::detail::simd::detail;
    detail::detected_level = limit;
#if THRIFTLENS_X86
    detail::has_vbmi2 = vbmi2;
#else
    static_cast<void>(vbmi2);
#endif
  }
  lowered_level(const lowered_level&) = delete;
  lowered_level& operator=(const lowered_level&) = delete;
  ~lowered_level() {
    namespace detail = thriftlens::detail::simd::detail;
    detail::detected_level = detail::detect_level();
#if THRIFTLENS_X86
    detail::has_vbmi2 = detail::detect_vbmi2();
#endif
  }
};

/// Calls use(name) for each level that the processor has, with the library forced to it. If the compiler
/// targets a level (-mavx2), lower ones cannot be chosen; the kernels' own lists reach them.
template <class Use>
void for_each_level(Use use) {
  using thriftlens::detail::simd::level;
  const struct {
    level limit;
    bool vbmi2;
    const char* name;
  } all[] = {{level::base, false, "base"},
             {level::ssse3, false, "ssse3"},
             {level::avx2, false, "avx2"},
             {level::avx2, true, "vbmi2"}};
#if THRIFTLENS_X86
  const bool vbmi2 = thriftlens::detail::simd::detail::detect_vbmi2();
#else
  const bool vbmi2 = false;
#endif
  for (const auto& item : all) {
    if (item.limit > thriftlens::detail::simd::detail::detect_level() || (item.vbmi2 && !vbmi2)) continue;
    const lowered_level held(item.limit, item.vbmi2);
    SCOPED_TRACE(item.name);
    use(item.name);
  }
}

}  // namespace thriftlens_test
