// Decodes the shared sample vectors into bound structs and encodes them; also truncated at every byte.
#include "codec/cuts.hpp"
#include "codec/open_structs.hpp"
#include "support/test.hpp"

#include "support/vectors.hpp"

using thriftlens_test::malicious_vector, thriftlens_test::valid_vector;

namespace {

// What became of bytes that were decoded and encoded again.
struct outcome {
  std::optional<tl::error> error;
  std::string bytes;
  std::size_t foretold = 0;
};
// Templates end here: one for each struct and protocol, so that the tests below are compiled once.
using codec_function = outcome (*)(tl::byte_view wire, const tl::decode_options& options);

template <class T, class Protocol>
outcome encoded(const T& object) {
  tl::buffer out;
  const auto status = tl::try_append_encoded<Protocol>(object, out);
  if (!status) return {status.error(), {}, 0};
  return {std::nullopt, out.str(), tl::encoded_size<Protocol>(object)};
}
template <class T, class Protocol>
outcome rewrite(tl::byte_view wire, const tl::decode_options& options) {
  const auto decoded = tl::try_decode<T, Protocol>(wire, options);
  if (!decoded) return {decoded.error(), {}, 0};
  return encoded<T, Protocol>(*decoded);
}
// Decoding into an object is other code than decoding a new one.
template <class T, class Protocol>
outcome rewrite_over(tl::byte_view wire, const tl::decode_options& options) {
  T object{};
  for (int round = 0; round < 2; ++round) {
    const auto status = tl::try_decode_into<Protocol>(wire, object, options);
    if (!status) return {status.error(), {}, 0};
  }
  return encoded<T, Protocol>(object);
}

struct codec {
  codec_function binary = nullptr, compact = nullptr;
  codec_function binary_over = nullptr, compact_over = nullptr;
};
// Tests decoding into an existing object with one type that has nearly all features; see also the type
// matrix.
template <class T>
inline constexpr bool also_over = std::is_same_v<T, open_structs::uni_holder>;

// Nothing for structs that are not bound here.
std::optional<codec> codec_of(const std::string& structure) {
  std::optional<codec> actual;
  open_structs::with_struct(structure, [&]<class T>(std::type_identity<T>) {
    actual = {&rewrite<T, tl::binary>, &rewrite<T, tl::compact>};
    if constexpr (also_over<T>)
      actual->binary_over = &rewrite_over<T, tl::binary>,
      actual->compact_over = &rewrite_over<T, tl::compact>;
  });
  return actual;
}

void expect_round_trip(codec_function rewrite, codec_function over, const std::string& wire, bool ordered) {
  const outcome status = rewrite(wire, {});
  ASSERT_FALSE(status.error) << status.error->what();
  EXPECT_EQ(status.foretold, status.bytes.size());
  if (ordered) {
    EXPECT_EQ(status.bytes, wire);
  }
  if (over != nullptr) {
    EXPECT_EQ(over(wire, {}).bytes, status.bytes);
  }
}
std::string accepted_cut(codec_function rewrite, const std::string& wire) {
  return codec_test::find_accepted_cut(wire, [rewrite](tl::byte_view cut) { return rewrite(cut, {}).error; });
}

/// The valid vectors whose struct is bound here.
template <class Visit>
void for_each_that_fits(const Visit& visit) {
  for (const valid_vector& vector : thriftlens_test::valid_vectors()) {
    SCOPED_TRACE(vector.id);
    if (const std::optional<codec> known = codec_of(vector.structure)) visit(vector, *known);
  }
}

}  // namespace

TEST(codec_vectors, valid_ones_round_trip_byte_for_byte) {
  std::size_t checked = 0;
  for_each_that_fits([&](const valid_vector& vector, const codec& known) {
    ++checked;
    const bool ordered = vector.id.find("out_of_order") == std::string::npos;
    expect_round_trip(known.binary, known.binary_over, vector.binary, ordered);
    expect_round_trip(known.compact, known.compact_over, vector.compact, ordered);
  });
  EXPECT_EQ(checked, thriftlens_test::vector_count("valid"));
}

TEST(codec_vectors, truncated_valid_ones_are_errors) {
  std::size_t checked = 0;
  for_each_that_fits([&](const valid_vector& vector, const codec& known) {
    ++checked;
    if (codec_test::cut_while_borrowing(vector.structure, vector.binary.size())) return;
    EXPECT_EQ(accepted_cut(known.binary, vector.binary), "");
    EXPECT_EQ(accepted_cut(known.compact, vector.compact), "");
  });
  EXPECT_EQ(checked, thriftlens_test::vector_count("valid"));
}

TEST(codec_vectors, malicious_ones_end_as_expected) {
  const tl::decode_options lenient{.mismatch = tl::on_mismatch::drop,
                                   .duplicates = tl::on_duplicate::last,
                                   .trailing = tl::decode_trailing::ignore};
  int checked = 0;
  for (const malicious_vector& vector : thriftlens_test::malicious_vectors()) {
    SCOPED_TRACE(vector.id);
    const std::optional<codec> known = codec_of(vector.structure);
    if (!known) continue;
    ++checked;
    const codec_function rewrite = vector.protocol == "compact" ? known->compact : known->binary;
    const outcome status = rewrite(vector.bytes, {});
    if (vector.expect != "either") {
      EXPECT_EQ(!status.error, vector.expect == "ok") << (status.error ? status.error->what() : "accepted");
    } else {
      EXPECT_FALSE(rewrite(vector.bytes, lenient).error);
    }
  }
  EXPECT_GE(checked, 180);
}
