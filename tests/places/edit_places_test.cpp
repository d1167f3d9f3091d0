#include "places/places.hpp"

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/policy/redact.hpp>

namespace {

using namespace thriftlens_test::places;

template <class P>
struct edit_places : testing::Test {};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(edit_places, protocols);

// Complete values are copied without validating their elements.
bool is_of_contents(fault of) {
  return of == fault::wrong_elements || of == fault::wrong_set || of == fault::wrong_values;
}

TYPED_TEST(edit_places, trim) {
  expect_places<TypeParam>(
      "trim",
      [](const sample& of) {
        return error_of(tl::try_trim(tl::view<TypeParam>(of.bytes, box_type()), of.selection));
      },
      [](fault of) { return is_seen_on_the_way(of) && !is_of_contents(of); });
}

TYPED_TEST(edit_places, redact) {
  expect_places<TypeParam>(
      "redact",
      [](const sample& of) {
        const tl::redaction rules =
            tl::redaction::compile(box_type(), {.paths = {{of.wildcards, "blank"}, {"$.next.s", "blank"}}});
        return error_of(tl::try_redact(tl::view<TypeParam>(of.bytes, box_type()), rules));
      },
      // Both members of a union are hidden by their rules; that they are two is not its concern.
      [](fault of) {
        return of != fault::missing_required && of != fault::second_member && of != fault::second_then_cut;
      },
      path_of::no_keys);
}

TYPED_TEST(edit_places, edit) {
  expect_places<TypeParam>(
      "edit",
      [](const sample& of) {
        const tl::path path_text = tl::path::compile(box_type(), of.question);
        return error_of(tl::edit(tl::view<TypeParam>(of.bytes, box_type())).erase(path_text).try_apply());
      },
      // A field of another type may be erased.
      [](fault of) {
        return is_seen_on_the_way(of) && of != fault::wrong_type && of != fault::wrong_type_of_bool;
      });
}

}  // namespace
