#include "dom/model.hpp"
#include "support/step_count.hpp"
#include "support/test.hpp"

#include <thriftlens/dom/document.hpp>

namespace {

using namespace thriftlens_test;

TEST(change, costs_stay_linear) {
  // Everything is done by key, by end or in one pass.
  const auto cost = [](std::size_t size) {
    const auto count = static_cast<std::int64_t>(size);
    tl::document doc;
    doc.start<tl::binary>(dom_schema().type("Tree"));
    return steps_of([&] {
      const tl::node flags = doc.root().create("flags"), numbers = doc.root().create("numbers");
      for (std::int64_t i = 0; i < count; ++i) flags.set(i, true);
      for (std::int64_t i = 0; i < count; ++i) numbers.append(static_cast<std::int32_t>(i * 7919 % count));
      for (std::int64_t i = 0; i < count; i += 2) flags.erase(i);
      for (std::int64_t i = 1; i < count; i += 2) flags[i].set(false);
      numbers.sort();
      numbers.filter([](const tl::node& each) { return each.as<std::int32_t>() % 3 == 0; });
      tl::buffer out;
      doc.append_to(out);
    });
  };
  EXPECT_TRUE(grows_linearly(cost, 2000));
}

}  // namespace
