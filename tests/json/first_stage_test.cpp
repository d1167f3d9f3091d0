#include <thriftlens/json/read/first_stage.hpp>

#include "json/counted_memory.hpp"
#include "json/samples.hpp"
#include "support/test.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace {

using testing::ElementsAre, thriftlens_test::held_bytes, thriftlens_test::peak_bytes;

using token_list = std::span<const std::uint32_t>;

simdjson::error_code run_stage(tl::detail::first_stage& stage, std::string_view text, token_list& tokens) {
  return stage.run({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, tokens);
}
std::vector<std::uint32_t> tokens_of(tl::detail::first_stage& stage, std::string_view text) {
  token_list tokens;
  EXPECT_EQ(run_stage(stage, text, tokens), simdjson::SUCCESS) << text.substr(0, 50);
  return {tokens.begin(), tokens.end()};
}
simdjson::error_code refusal_of(tl::detail::first_stage& stage, std::string_view text) {
  token_list tokens;
  return run_stage(stage, text, tokens);
}
/// An empty list of that size.
std::string blanks(std::size_t size) { return '[' + std::string(size - 2, ' ') + ']'; }

}  // namespace

TEST(first_stage, finds_token_starts) {
  tl::detail::first_stage stage;
  EXPECT_THAT(tokens_of(stage, R"({"a": 1})"), ElementsAre(0, 1, 4, 6, 7));
  EXPECT_THAT(tokens_of(stage, "[ ]"), ElementsAre(0, 2));
}

TEST(first_stage, rejects_and_can_be_reused) {
  tl::detail::first_stage stage;
  EXPECT_EQ(refusal_of(stage, "\"\xff\""), simdjson::UTF8_ERROR);
  EXPECT_EQ(refusal_of(stage, "\"open"), simdjson::UNCLOSED_STRING);
  EXPECT_EQ(refusal_of(stage, "   "), simdjson::EMPTY);
  EXPECT_THAT(tokens_of(stage, "[]"), ElementsAre(0, 1));
}

// The kernel for machines that have none of their own read a byte too many.
TEST(first_stage, does_not_read_past_a_text_truncated_in_a_character) {
  const simdjson::implementation* const previous = simdjson::get_active_implementation();
  const std::string complete = "[\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"]";
  thriftlens_test::at_page_end page(complete);
  std::size_t kernels = 0;
  for (const simdjson::implementation* item : simdjson::get_available_implementations()) {
    if (!item->supported_by_runtime_system()) continue;
    ++kernels;
    simdjson::get_active_implementation() = item;
    for (std::size_t size = 2; size < complete.size() - 1; ++size) {
      page.put(std::string_view(complete).substr(0, size));
      tl::detail::first_stage stage;
      EXPECT_NE(refusal_of(stage, page.text()), simdjson::SUCCESS) << item->name() << ' ' << size;
    }
    page.put(complete);
    tl::detail::first_stage stage;
    EXPECT_THAT(tokens_of(stage, page.text()), ElementsAre(0, 1, 12)) << item->name();
  }
  simdjson::get_active_implementation() = previous;
  EXPECT_GE(kernels, 1u);
}

TEST(first_stage, a_thread_reuses_its_memory) {
  const std::string text = blanks(1000);
  {
    tl::detail::first_stage previous;
    tokens_of(previous, text);
  }
  thriftlens_test::reset_peak();
  const std::size_t held = held_bytes();
  tl::detail::first_stage next;
  token_list tokens;
  ASSERT_EQ(run_stage(next, text, tokens), simdjson::SUCCESS);
  EXPECT_EQ(peak_bytes(), held) << "no memory is asked for";
  EXPECT_EQ(tokens.size(), 2u);
}

TEST(first_stage, concurrent_stages_do_not_share_memory) {
  tl::detail::first_stage outer;
  token_list outer_tokens;
  const std::string text = R"(["outer"])";
  ASSERT_EQ(run_stage(outer, text, outer_tokens), simdjson::SUCCESS);
  tl::detail::first_stage inner;
  EXPECT_THAT(tokens_of(inner, "   [1]"), ElementsAre(3, 4, 5));
  EXPECT_THAT(outer_tokens, ElementsAre(0, 1, 8));
}

TEST(first_stage, memory_of_a_long_text_is_freed) {
  {
    tl::detail::first_stage stage;
    tokens_of(stage, blanks(tl::detail::first_stage::max_cached_text));
  }
  const std::size_t held = held_bytes();
  {
    tl::detail::first_stage stage;
    tokens_of(stage, blanks(tl::detail::first_stage::max_cached_text + 1));
  }
  EXPECT_LE(held_bytes(), held);
}

TEST(first_stage, a_thread_frees_its_memory_at_exit) {
  const auto in_a_thread = [] {
    std::thread([] {
      tl::detail::first_stage stage;
      tokens_of(stage, blanks(5000));
    }).join();
  };
  in_a_thread();  // the first thread of the program allocates permanently
  const std::size_t held = held_bytes();
  in_a_thread();
  EXPECT_EQ(held_bytes(), held);
}

TEST(first_stage, works_during_thread_exit) {
  // Created before the cached stage, so destroyed after it.
  struct late {
    std::vector<std::uint32_t>* seen = nullptr;
    ~late() {
      tl::detail::first_stage stage;
      *seen = tokens_of(stage, "[7]");
    }
  };
  std::vector<std::uint32_t> seen;
  std::thread([&seen] {
    thread_local late last;
    last.seen = &seen;
    tl::detail::first_stage stage;
    tokens_of(stage, "[]");
  }).join();
  EXPECT_THAT(seen, ElementsAre(0, 1, 2));
}
