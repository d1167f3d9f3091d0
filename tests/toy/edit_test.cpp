// Edits and trims in a user-defined protocol equal those in Binary.
#include "toy/vectors.hpp"

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/path/selection.hpp>

#include <vector>

namespace tl = thriftlens;
using namespace thriftlens_test;

namespace {

// What `apply` makes of both, as Binary; an error as its words.
template <class Apply>
void expect_alike(const toy_vector& vector, const Apply& apply) {
  const tl::result<tl::buffer> expected = apply(tl::view<tl::binary>(vector.binary, vector.type)),
                               made = apply(tl::view<toy>(vector.bytes, vector.type));
  ASSERT_EQ(static_cast<bool>(made), static_cast<bool>(expected))
      << (made ? expected.error().what() : made.error().what());
  if (!made) {
    EXPECT_EQ(made.error().code(), expected.error().code());
    EXPECT_EQ(made.error().path(), expected.error().path());
    return;
  }
  EXPECT_EQ(as_binary(*made), expected->str());
}

}  // namespace

TEST(toy_edit, every_field_is_erased_in_turn) {
  for_each_toy_vector([&](const toy_vector& vector) {
    for (const tl::field_info field : vector.type.fields()) {
      SCOPED_TRACE(std::string(field.name()));
      const tl::path way = tl::path::compile(vector.type, "$." + std::string(field.name()));
      expect_alike(vector, [&](const auto& view) { return tl::edit(view).erase(way).try_apply(); });
    }
  });
}

TEST(toy_edit, every_scalar_is_set_in_turn) {
  for_each_toy_vector([&](const toy_vector& vector) {
    for (const tl::field_info field : vector.type.fields()) {
      SCOPED_TRACE(std::string(field.name()));
      const tl::path way = tl::path::compile(vector.type, "$." + std::string(field.name()));
      if (field.type().kind() == tl::type_kind::bool_)
        expect_alike(vector, [&](const auto& view) { return tl::edit(view).create(way, true).try_apply(); });
      else if (field.type().wire() == tl::ttype::string)
        expect_alike(vector, [&](const auto& view) { return tl::edit(view).create(way, "set").try_apply(); });
      else if (tl::fixed_width(field.type().wire()) != 0 && field.type().wire() != tl::ttype::uuid)
        expect_alike(vector, [&](const auto& view) { return tl::edit(view).create(way, 7).try_apply(); });
    }
  });
}

TEST(toy_trim, every_other_field_stays) {
  for_each_toy_vector([&](const toy_vector& vector) {
    for (const bool odd : {false, true}) {
      std::vector<tl::path> chosen;
      bool next = odd;
      for (const tl::field_info field : vector.type.fields()) {
        if (next) chosen.push_back(tl::path::compile(vector.type, "$." + std::string(field.name())));
        next = !next;
      }
      if (chosen.empty()) continue;
      const tl::selection kept = tl::selection::compile(vector.type, chosen);
      expect_alike(vector, [&](const auto& view) { return tl::try_trim(view, kept); });
    }
  });
}
