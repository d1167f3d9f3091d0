#include <thriftlens/core/config.hpp>

#include "support/test.hpp"

namespace thriftlens::inline THRIFTLENS_ABI {
struct config_probe {};
}  // namespace thriftlens::inline THRIFTLENS_ABI

namespace {

TEST(config, version_text_is_its_numbers) {
  EXPECT_EQ(THRIFTLENS_VERSION, std::to_string(THRIFTLENS_VERSION_MAJOR) + '.' +
                                    std::to_string(THRIFTLENS_VERSION_MINOR) + '.' +
                                    std::to_string(THRIFTLENS_VERSION_PATCH));
}

TEST(config, the_inline_namespace_names_version_instruction_set_and_exceptions) {
  const std::string name = typeid(thriftlens::config_probe).name();
  std::string version = THRIFTLENS_VERSION;
  std::ranges::replace(version, '.', '_');
  version.insert(0, 1, 'v');
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  EXPECT_NE(name.find(version + "_avx512"), std::string::npos) << name;
#elif defined(__AVX2__)
  EXPECT_NE(name.find(version + "_avx2"), std::string::npos) << name;
#elif defined(__SSE4_2__)
  EXPECT_NE(name.find(version + "_sse42"), std::string::npos) << name;
#else
  EXPECT_NE(name.find(version + "_base"), std::string::npos) << name;
#endif
  EXPECT_EQ(name.find("noexcept") == std::string::npos, THRIFTLENS_EXCEPTIONS == 1);
}

TEST(config, assertions_follow_ndebug) {
  int evaluated = 0;
  THRIFTLENS_ASSERT(++evaluated == 1);
#ifdef NDEBUG
  EXPECT_EQ(evaluated, 0);
#else
  EXPECT_EQ(evaluated, 1);
#endif
}

}  // namespace
