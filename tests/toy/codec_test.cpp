// Bound structs in a protocol of a program's own: decoded and encoded to the same bytes.
#include "codec/open_structs.hpp"
#include "toy/vectors.hpp"

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>
#include <thriftlens/codec/size.hpp>

namespace tl = thriftlens;
using namespace thriftlens_test;

TEST(toy_codec, decoded_and_encoded_to_the_same_bytes) {
  int structs = 0;
  for_each_toy_vector([&](const toy_vector& vector) {
    open_structs::with_struct(vector.structure, [&]<class T>(std::type_identity<T>) {
      const auto expected = tl::try_decode<T, tl::binary>(tl::byte_view(vector.binary));
      const auto object = tl::try_decode<T, toy>(tl::byte_view(vector.bytes));
      ASSERT_TRUE(object && expected) << vector.structure;
      tl::buffer out, known;
      ASSERT_TRUE(tl::try_append_encoded<toy>(*object, out));
      ASSERT_TRUE(tl::try_append_encoded<tl::binary>(*expected, known));
      EXPECT_EQ(as_binary(out), known.str());
      EXPECT_EQ(tl::encoded_size<toy>(*object), out.size());
      ++structs;
    });
  });
  EXPECT_GT(structs, 200);
}
