#include "places/places.hpp"

#include <thriftlens/dom/document.hpp>

namespace {

using namespace thriftlens_test::places;

template <class P>
struct dom_places : testing::Test {};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(dom_places, protocols);

TYPED_TEST(dom_places, load_all) {
  expect_places<TypeParam>(
      "document, all at once",
      [](const sample& of) {
        tl::document output;
        const tl::result<void> status = output.try_load_all<TypeParam>(of.bytes, box_type());
        return status ? tl::error() : status.error();
      },
      sees_all);
}

TYPED_TEST(dom_places, step_by_step) {
  expect_places<TypeParam>(
      "document, step by step",
      [](const sample& of) {
        tl::document output;
        const tl::result<void> status = output.try_load<TypeParam>(of.bytes, box_type());
        if (!status) return status.error();
        const tl::path path_text = tl::path::compile(box_type(), of.question);
        tl::node actual = output.root().at(path_text);
        return actual.error();
      },
      [](fault of) { return of == fault::wrong_type; });
}

}  // namespace
