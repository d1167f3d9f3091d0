#include <thriftlens/core/print.hpp>

#include "support/test.hpp"

#include <thriftlens/core/error.hpp>

#include <sstream>

namespace {

template <class Value>
std::string printed(const Value& of) {
  std::ostringstream out;
  out << of;
  return out.str();
}

TEST(print, codes_and_sources_by_their_name) {
  EXPECT_EQ(printed(tl::errc::truncated), "truncated");
  EXPECT_EQ(printed(tl::error_source::json), "JSON text");
}

TEST(print, errors_as_what) {
  EXPECT_EQ(printed(tl::error(tl::errc::absent, {}, 7, "$.a")), "the value is absent at $.a (byte 7)");
}

TEST(print, diagnostics_as_their_text) {
  const tl::diagnostic finding{
      .kind = "k", .file = "f", .line = 1, .column = 2, .message = "m", .source = "s"};
  EXPECT_EQ(printed(finding), finding.to_string());
}

TEST(print, googletest_prints_the_same) {
  EXPECT_EQ(testing::PrintToString(tl::errc::truncated), "truncated");
  EXPECT_EQ(testing::PrintToString(tl::error(tl::errc::io)), printed(tl::error(tl::errc::io)));
}

// With using namespace thriftlens, a stranger's class of like members is printed by its own operator alone.
struct stranger {
  [[nodiscard]] std::string to_string() const { return "s"; }
};
template <class Value>
concept printable = requires(std::ostream& out, const Value& of) { out << of; };
static_assert(printable<tl::errc> && !printable<stranger>);

}  // namespace
