#include <thriftlens/columns/fast/fast_columns.hpp>

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>

#include "columns/samples.hpp"
#include "support/test.hpp"

using namespace std::string_literals;
using tl::detail::column_plan, tl::detail::column_set, tl::detail::fast_columns, tl::detail::field_steps;

namespace {

const tl::schema& idl() {
  static const tl::schema result = tl::schema::parse(
      "struct F { 1: bool b, 2: i8 c, 3: i16 s, 4: i32 i, 5: i64 l, 6: double d, 7: string t, 8: binary z, "
      "9: list<i32> n, 10: i32 after }");
  return result;
}

/// A run over the bytes of a struct without a header, from its first field on.
template <class P>
struct one_run {
  explicit one_run(const std::string& bytes, const char* selected = "{ b c s i l d t z n after }",
                   std::size_t budget = 1000)
      : plan(*column_plan::try_compile(tl::selection::compile(idl().type("F"), selected), {})),
        columns(plan),
        steps(plan),
        last(steps.begin_of(0)) {
    fast_columns<P> fast(columns, steps, {}, budget);
    const tl::byte_view full(bytes);
    tl::detail::wire_position here{full.begin(), 64, 0, -1};
    added = fast.run(here, full.end(), last);
    taken = static_cast<std::size_t>(here.at - full.begin());
    stops = fast.stop(here, full.end(), last) != nullptr;
  }
  [[nodiscard]] std::int16_t last_id() const { return steps[last].id; }

  column_plan plan;
  column_set columns;
  field_steps steps;
  std::uint32_t last;
  std::uint32_t added = 0;
  std::size_t taken = 0;
  bool stops = false;
};

template <class P>
std::string flat() {
  tl::buffer bytes;
  typename P::writer out(bytes);
  out.write_field(tl::ttype::bool_, 1);
  out.write_bool(true);
  out.write_field(tl::ttype::i8, 2);
  out.write_i8(-2);
  out.write_field(tl::ttype::i16, 3);
  out.write_i16(-300);
  out.write_field(tl::ttype::i32, 4);
  out.write_i32(70'000);
  out.write_field(tl::ttype::i64, 5);
  out.write_i64(-1);
  out.write_field(tl::ttype::double_, 6);
  out.write_double(0.5);
  out.write_field(tl::ttype::string, 7);
  out.write_bytes(std::string_view("text"));
  out.write_field(tl::ttype::string, 8);
  out.write_bytes(std::string_view("\xff"));
  return bytes.str();
}

template <class P>
class fast_columns_of : public testing::Test {};
using both_protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(fast_columns_of, both_protocols);

TYPED_TEST(fast_columns_of, numbers_and_strings_are_read_up_to_the_first_container) {
  const std::string bytes = flat<TypeParam>();
  const one_run<TypeParam> run(bytes + "\x0f\0\x09\x08\0\0\0\0\0"s);
  EXPECT_EQ(run.added, 8u);
  EXPECT_EQ(run.taken, bytes.size());
  EXPECT_EQ(run.last_id(), 8);
  EXPECT_EQ(run.columns[run.plan.root().children[3]].values.template at<std::int32_t>(0), 70'000);
  EXPECT_EQ(run.columns[run.plan.root().children[7]].values.size(), 1u);
}

TYPED_TEST(fast_columns_of, fields_without_a_column_are_skipped) {
  const std::string bytes = flat<TypeParam>();
  const one_run<TypeParam> run(bytes, "{ l }");
  EXPECT_EQ(run.added, 1u);
  EXPECT_EQ(run.taken, bytes.size());
}

TYPED_TEST(fast_columns_of, truncated_bytes_are_left_to_the_general_path) {
  const std::string bytes = flat<TypeParam>();
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const std::string cut = bytes.substr(0, size);
    for (const char* label : {"{ b c s i l d t z }", "{ b }"}) {
      const one_run<TypeParam> run(cut, label);
      EXPECT_LE(run.taken, size);
      const std::int16_t status = run.taken == 0 ? std::int16_t{0} : run.last_id();
      std::size_t values = 0;
      for (const std::uint32_t child : run.plan.root().children) values += run.columns[child].length;
      EXPECT_EQ(values, run.added);
      EXPECT_EQ(run.added, label[4] == 'c' ? static_cast<std::uint32_t>(status) : status != 0);
    }
  }
}

TYPED_TEST(fast_columns_of, oversized_and_non_utf8_strings_are_left_to_the_general_path) {
  const std::string bytes = flat<TypeParam>();
  EXPECT_EQ((one_run<TypeParam>(bytes, "{ t z }", 4).last_id()), 7);
  EXPECT_EQ((one_run<TypeParam>(bytes, "{ t z }", 3).last_id()), 6);
  std::string broken = bytes;
  broken[broken.find("text")] = '\xff';
  EXPECT_EQ((one_run<TypeParam>(broken, "{ t z }").last_id()), 6);
}

TYPED_TEST(fast_columns_of, a_predicted_stop_is_recognized) {
  tl::buffer bytes;
  typename TypeParam::writer out(bytes);
  out.write_field(tl::ttype::i32, 10);
  out.write_i32(1);
  out.write_stop();
  column_plan plan = *column_plan::try_compile(tl::selection::compile(idl().type("F"), "{ after }"), {});
  column_set columns(plan);
  field_steps steps(plan);
  steps.learn(steps.begin_of(0), steps.begin_of(0) + 10);
  std::size_t budget = 0;
  fast_columns<TypeParam> fast(columns, steps, {}, budget);
  tl::detail::wire_position here{bytes.begin(), 64, 0, -1};
  std::uint32_t last = steps.begin_of(0);
  EXPECT_EQ(fast.run(here, bytes.end(), last), 1u);
  EXPECT_EQ(fast.stop(here, bytes.end(), last), bytes.end());
  EXPECT_EQ(fast.stop(here, here.at, last), nullptr);
}

}  // namespace
