#include <thriftlens/dom/follow.hpp>

#include "dom/model.hpp"
#include "support/test.hpp"

#include <thriftlens/dom/document.hpp>

namespace {

using namespace thriftlens_test;
namespace dom = thriftlens::detail::dom;

/// A message with levels of every kind; 20 names, so that they are found by hash.
template <class P>
std::string message() {
  tl::document doc;
  doc.start<P>(dom_schema().type("Tree"));
  const tl::node root = doc.root();
  for (int i = 0; i < 3; ++i) root.create("kids").append(tl::empty_value{}).create("leaf").set("number", i);
  for (int i = 0; i < 20; ++i)
    root.create("named")
        .create(std::string(static_cast<std::size_t>(i), 'k'))
        .create("leaf")
        .set("number", i);
  root.create("flags").set(std::int64_t{-7}, true);
  root.create("reals").create("BLUE").append(1.5);
  tl::buffer out;
  doc.append_to(out);
  return out.str();
}

template <class P>
struct follow_in : testing::Test {};
TYPED_TEST_SUITE(follow_in, protocols);

TYPED_TEST(follow_in, follows_expanded_levels_only) {
  const std::string bytes = message<TypeParam>();
  tl::document doc;
  doc.load<TypeParam>(bytes, dom_schema().type("Tree"));
  const auto path_text = tl::path::compile(dom_schema().type("Tree"), "$.kids[1].leaf.number");
  dom::tree& of = *doc.root().tree();
  const auto taken = [&] {
    dom::level* in = nullptr;
    const dom::slot* at = &of.root;
    return dom::follow(of, path_text.steps(), in, at);
  };
  EXPECT_EQ(taken(), 1u);
  EXPECT_EQ(doc.root()["kids"].size(), 3u);
  EXPECT_EQ(taken(), 2u);
  EXPECT_EQ(doc.root().at(path_text).template as<std::int64_t>(), 1);
  EXPECT_EQ(taken(), 4u);
}

TYPED_TEST(follow_in, along_a_path_is_step_by_step) {
  const std::string bytes = message<TypeParam>();
  const tl::type type = dom_schema().type("Tree");
  std::vector<std::string> texts = {"$",
                                    "$.kids[-1].leaf.number",
                                    "$.kids[3]",
                                    "$.kids[-4].leaf",
                                    "$.leaf.number",
                                    "$.flags{-7}",
                                    "$.flags{7}",
                                    "$.reals{BLUE}[0]",
                                    "$.reals{BLUE}[1]",
                                    "$.reals{5}",
                                    "$.named{\"none\"}.leaf",
                                    "$.kids[*].leaf"};
  for (std::size_t i = 0; i < 20; ++i)
    texts.push_back("$.named{\"" + std::string(i, 'k') + "\"}.leaf.number");
  for (const bool is_complete : {false, true}) {
    for (const std::string& text : texts) {
      tl::document doc, other;
      if (is_complete)
        doc.load_all<TypeParam>(bytes, type);
      else
        doc.load<TypeParam>(bytes, type);
      other.load<TypeParam>(bytes, type);
      const tl::path path_text = tl::path::compile(type, text);
      tl::node expected = other.root();
      for (const tl::path_step& step : path_text.steps()) {
        if (step.kind == tl::path_step::form::field)
          expected = expected.field(step.id);
        else if (step.kind == tl::path_step::form::index)
          expected = expected.index(step.first);
        else if (step.kind == tl::path_step::form::key)
          expected = expected.key(step.key);
      }
      for (int time = 0; time < 2 && path_text.is_single(); ++time) {
        const tl::node actual = doc.root().at(path_text);
        EXPECT_EQ(actual.code(), expected.code()) << text;
        EXPECT_EQ(std::string(actual.error().what()), std::string(expected.error().what())) << text;
        if (actual) {
          EXPECT_EQ(actual.path(), expected.path()) << text;
        }
        std::int64_t number = -5, other_number = -5;
        EXPECT_EQ(actual.get(number), expected.get(other_number)) << text;
        EXPECT_EQ(number, other_number) << text;
      }
      if (!path_text.is_single()) {
        EXPECT_EQ(doc.root().at(path_text).code(), tl::errc::wrong_type) << text;
      }
    }
  }
}

TYPED_TEST(follow_in, erased_values_are_absent) {
  const std::string bytes = message<TypeParam>();
  tl::document doc;
  doc.load_all<TypeParam>(bytes, dom_schema().type("Tree"));
  const auto path_text = tl::path::compile(dom_schema().type("Tree"), "$.named{\"kkk\"}.leaf.number");
  EXPECT_TRUE(doc.root().at(path_text));
  doc.root()["named"].erase("kkk");
  EXPECT_EQ(doc.root().at(path_text).code(), tl::errc::absent);
  doc.root().erase("named");
  EXPECT_EQ(doc.root().at(path_text).code(), tl::errc::absent);
  tl::document single;
  single.load_all<TypeParam>(bytes, dom_schema().type("Tree"));
  const tl::node gone = single.root()["leaf"];
  EXPECT_EQ(gone.at(tl::path::compile("#1")).code(), gone.code());
}

TYPED_TEST(follow_in, indices_from_both_ends_and_one_beyond) {
  const std::string bytes = message<TypeParam>();
  tl::document doc;
  doc.load_all<TypeParam>(bytes, dom_schema().type("Tree"));
  dom::tree& of = *doc.root().tree();
  const tl::node kids = doc.root()["kids"];
  ASSERT_EQ(kids.size(), 3u);
  dom::level& level = *kids.slot()->below;
  for (std::int64_t index = -6; index <= 6; ++index) {
    const auto path_text =
        tl::path::compile(dom_schema().type("Tree"), "$.kids[" + std::to_string(index) + "]");
    const std::uint32_t actual = dom::step_below(of, level, path_text.steps()[1]);
    const bool there = index >= -3 && index < 3;
    EXPECT_EQ(actual,
              there ? static_cast<std::uint32_t>(index < 0 ? index + 3 : index) : dom::key_index::none)
        << index;
    EXPECT_EQ(static_cast<bool>(doc.root().at(path_text)), there) << index;
  }
}

}  // namespace
