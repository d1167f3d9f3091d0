// Compile time grows with the number of types and references, not with the number of paths through them,
// which are 2^24 and 10! here: a compiler that follows each runs out of memory.
#include <thriftlens/codec/decode.hpp>

#include <thriftlens/codec/encode.hpp>
#include "support/test.hpp"

namespace {

// All structs but the last refer to the next one in two fields.
constexpr int chain_length = 24;
template <int Number>
struct chain_link {
  std::int32_t number = Number;
  std::vector<chain_link<Number + 1>> many;
  std::unique_ptr<chain_link<Number + 1>> one;
};
template <>
struct chain_link<chain_length> {
  std::int32_t number = chain_length;
};

// Every struct refers to all structs.
constexpr int graph_size = 11;
template <int Number, class Others = std::make_integer_sequence<int, graph_size>>
struct graph_node;
template <int From, int To>
struct graph_edge {
  std::vector<graph_node<To>> many;
};
template <int From, int To>
  requires((From + To) % 2 == 0)
struct graph_edge<From, To> {
  std::unique_ptr<graph_node<To>> one;
};
template <int Number, int... Other>
struct graph_node<Number, std::integer_sequence<int, Other...>> : graph_edge<Number, Other>... {
  std::int32_t number = Number;
};
template <int From, int To>
constexpr auto graph_end = &graph_edge<From, To>::many;
template <int From, int To>
  requires((From + To) % 2 == 0)
constexpr auto graph_end<From, To> = &graph_edge<From, To>::one;

}  // namespace
template <int Number>
struct tl::binding<chain_link<Number>>
    : tl::fields<tl::field<1, &chain_link<Number>::number>, tl::field<2, &chain_link<Number>::many>,
                 tl::field<3, &chain_link<Number>::one>> {};
template <>
struct tl::binding<chain_link<chain_length>> : tl::fields<tl::field<1, &chain_link<chain_length>::number>> {};
template <int Number, int... Other>
struct tl::binding<graph_node<Number, std::integer_sequence<int, Other...>>>
    : tl::fields<tl::field<100, &graph_node<Number>::number>,
                 tl::field<Other + 1, graph_end<Number, Other>>...> {};

namespace {

template <int Number>
void lengthen_chain(chain_link<Number>& from) {
  if constexpr (Number < chain_length) {
    from.one = std::make_unique<chain_link<Number + 1>>();
    from.many.resize(2);
    from.many[1].number = -Number;
    lengthen_chain(*from.one);
  }
}

template <class T>
tl::buffer graph_bytes(const T& value) {
  tl::buffer bytes;
  tl::append_encoded(value, bytes);
  return bytes;
}

}  // namespace

TEST(codec_graphs, a_long_chain_of_structs_with_two_references_each) {
  chain_link<0> first;
  lengthen_chain(first);
  const tl::buffer bytes = graph_bytes(first);
  const auto back = tl::decode<chain_link<0>>(bytes);
  EXPECT_EQ(back.one->one->many[1].number, -2);
  EXPECT_EQ(graph_bytes(back), bytes);
}

TEST(codec_graphs, structs_that_all_refer_to_each_other) {
  graph_node<0> first;
  auto& loop = static_cast<graph_edge<0, 0>&>(first).one;
  loop = std::make_unique<graph_node<0>>();
  auto& third = static_cast<graph_edge<0, 3>&>(*loop).many.emplace_back();
  static_cast<graph_edge<3, 7>&>(third).one = std::make_unique<graph_node<7>>();
  const tl::buffer bytes = graph_bytes(first);
  const auto back = tl::decode<graph_node<0>>(bytes);
  const auto& last =
      *static_cast<const graph_edge<3, 7>&>(
           static_cast<const graph_edge<0, 3>&>(*static_cast<const graph_edge<0, 0>&>(back).one).many[0])
           .one;
  EXPECT_EQ(last.number, 7);
  EXPECT_EQ(graph_bytes(back), bytes);
}
