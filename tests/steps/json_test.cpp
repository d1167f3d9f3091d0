#include "json/samples.hpp"
#include "support/step_count.hpp"
#include "support/test.hpp"
#include "support/vectors.hpp"

#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/repeated_keys.hpp>
#include <thriftlens/json.hpp>
#include <thriftlens/json/out_cursor.hpp>
#include <thriftlens/json/string_out.hpp>

using namespace thriftlens_test;

namespace {

std::string bytes(std::initializer_list<int> raw) {
  std::string all;
  for (int each : raw) all += static_cast<char>(each);
  return all;
}

/// The steps of writing JSON, which must end with this code.
std::uint64_t steps_to_json(const char* type, const std::string& raw, tl::errc expected,
                            const tl::to_json_options& options = {}) {
  tl::result<tl::buffer> done = tl::buffer();
  const std::uint64_t steps =
      steps_of([&] { done = tl::try_to_json<tl::binary>(sample_type(type), raw, options); });
  EXPECT_EQ(done ? tl::errc::ok : done.error().code(), expected);
  return steps;
}

/// The steps of reading JSON, which must end with this code.
std::uint64_t steps_from_json(const char* type, const std::string& text, tl::errc expected,
                              const tl::from_json_options& options = {}) {
  tl::result<tl::buffer> done = tl::buffer();
  const std::uint64_t steps =
      steps_of([&] { done = tl::try_from_json<tl::compact>(sample_type(type), text, options); });
  EXPECT_EQ(done ? tl::errc::ok : done.error().code(), expected);
  return steps;
}

std::string repeated_fields(std::size_t count) {
  std::string fields;
  for (std::size_t i = 0; i < count; ++i) fields += bytes({8, 0, 1, 0, 0, 0, static_cast<int>(i & 127)});
  return fields + '\0';
}

std::string repeated_entries(std::size_t count) {
  const int size = static_cast<int>(count);
  std::string entries = bytes({13, 0, 15, 8, 12, size >> 24, size >> 16 & 255, size >> 8 & 255, size & 255});
  for (int i = 0; i < size; ++i) entries += bytes({0, 0, i % 100, i % 16, 0});
  return entries + '\0';
}

TEST(to_json, many_repeats_take_linear_time) {
  const tl::to_json_options last{.leniency = {.duplicates = tl::on_duplicate::last}};
  EXPECT_TRUE(grows_linearly(
      [](std::size_t count) {
        return steps_to_json("Point", repeated_fields(count), tl::errc::duplicate_field);
      },
      4000));
  EXPECT_TRUE(grows_linearly(
      [](std::size_t count) {
        return steps_to_json("Every", repeated_entries(count), tl::errc::duplicate_key);
      },
      20'000));
  EXPECT_TRUE(grows_linearly(
      [&](std::size_t count) { return steps_to_json("Point", repeated_fields(count), tl::errc::ok, last); },
      4000));
  EXPECT_TRUE(grows_linearly(
      [&](std::size_t count) { return steps_to_json("Every", repeated_entries(count), tl::errc::ok, last); },
      20'000));
  const std::string many = repeated_fields(200'000);
  EXPECT_EQ(tl::to_json<tl::binary>(sample_type("Point"), many, last).str(), R"({"x":63})");
}

TEST(from_json, many_repeats_take_linear_time) {
  const auto fields = [](std::size_t count) {
    std::string text = "{";
    for (std::size_t i = 0; i < count; ++i) text += "\"x\":" + std::to_string(i) + ',';
    text.back() = '}';
    return text;
  };
  const auto entries = [](std::size_t count) {
    std::string text = R"({"by_id":{)";
    for (std::size_t i = 0; i < count; ++i) text += '"' + std::to_string(i % 1000) + "\":{},";
    text.back() = '}';
    return text + '}';
  };
  const tl::from_json_options last{.leniency = {.duplicates = tl::on_duplicate::last}};
  EXPECT_TRUE(grows_linearly(
      [&](std::size_t count) { return steps_from_json("Point", fields(count), tl::errc::duplicate_key); },
      4000));
  EXPECT_TRUE(grows_linearly(
      [&](std::size_t count) { return steps_from_json("Every", entries(count), tl::errc::duplicate_key); },
      20'000));
  EXPECT_TRUE(grows_linearly(
      [&](std::size_t count) { return steps_from_json("Point", fields(count), tl::errc::ok, last); }, 4000));
  EXPECT_TRUE(grows_linearly(
      [&](std::size_t count) { return steps_from_json("Every", entries(count), tl::errc::ok, last); },
      20'000));
  const tl::buffer out = tl::from_json<tl::binary>(sample_type("Point"), fields(100'000), last);
  EXPECT_EQ(tl::to_json<tl::binary>(sample_type("Point"), out).str(), R"({"x":99999})");
}

// Keys with equal hashes for a known seed: the first eight bytes cancel a factor of the fold, whose result is
// then 0 for any following eight.
constexpr std::uint64_t known_seed = 5;
std::string colliding_key(std::uint64_t number) {
  const std::uint64_t constant = 0xe7037ed1a0b428dbu ^ known_seed;
  std::string key(24, '\0');
  tl::detail::store_le(reinterpret_cast<std::uint8_t*>(key.data()), constant);
  tl::detail::store_le(reinterpret_cast<std::uint8_t*>(key.data()) + 8, number);
  EXPECT_EQ(tl::detail::hash_text(key, known_seed),
            tl::detail::hash_text(std::string(key).replace(8, 8, 8, 'x'), known_seed));
  return key;
}

TEST(repeated_keys, chosen_collisions_do_not_cost_quadratic_time) {
  const auto cost = [](std::size_t count) {
    std::vector<std::string> keys;
    tl::detail::repeated_keys repeated(known_seed);
    for (std::uint64_t i = 0; i < count; ++i) keys.push_back(colliding_key(i));
    std::uint64_t steps = steps_of([&] { EXPECT_EQ(repeated.first(keys), tl::detail::repeated_keys::none); });
    keys.push_back(colliding_key(0));
    steps += steps_of([&] { EXPECT_EQ(repeated.first(keys), count); });
    return steps;
  };
  EXPECT_TRUE(grows_linearly(cost, 4000, 6));
}

TEST(put_string, replaces_in_linear_time) {
  const auto cost = [](std::size_t size) {
    const std::string text(size, '\xff');
    tl::buffer to;
    tl::detail::out_cursor out(to, std::size_t{1} << 30);
    const std::uint64_t steps = steps_of([&] {
      EXPECT_EQ(tl::detail::put_string(out, {text.data(), text.size()}, tl::on_invalid_utf8::replace),
                tl::errc::ok);
      EXPECT_TRUE(out.finish());
    });
    EXPECT_EQ(to.size(), 3 * size + 2);
    return steps;
  };
  EXPECT_TRUE(grows_linearly(cost, 1 << 16));
}

TEST(to_double, a_million_digits_in_linear_time) {
  const auto cost = [](std::size_t size) {
    std::string text = R"({"d":0.)";
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>('0' + i % 10);
    return steps_from_json("Every", text + '}', tl::errc::ok);
  };
  EXPECT_TRUE(grows_linearly(cost, 250'000));
}

// A step a byte many times over is allowed, a pass over the value for each of its elements is not.
std::uint64_t allowed_steps(std::size_t size) { return 2'000'000 + 400 * size; }

TEST(sample_vectors, malicious_ones_take_bounded_steps) {
  const tl::schema open = tl::schema::load((vectors_dir() / "open.thrift").string());
  const tl::schema uuids = tl::schema::load((vectors_dir() / "uuids.thrift").string());
  for (const char* surface : {"thrift", "json"}) {
    const std::vector<malicious_vector> all = malicious_vectors_of(surface);
    EXPECT_GT(all.size(), 100u);
    for (const malicious_vector& one : all) {
      const tl::type type = (one.schema == "uuids" ? uuids : open).type(one.structure);
      const tl::protocol_id protocol =
          tl::detail::find_protocol(one.protocol).value_or(tl::protocol_id::binary);
      const std::uint64_t steps = steps_of([&] {
        tl::buffer out;
        if (one.surface == "json") {
          (void)tl::try_append_from_json(protocol, type, one.bytes, out);
        } else {
          (void)tl::try_append_json(protocol, type, one.bytes, out);
        }
      });
      EXPECT_LT(steps, allowed_steps(one.bytes.size())) << one.id << ", " << one.bytes.size() << " bytes";
    }
  }
}

}  // namespace
