// inputs: the inputs on which every fast path is compared with its reference implementation.
#pragma once

#include "support/cases.hpp"
#include "support/order.hpp"
#include "support/random_data.hpp"

#include <algorithm>
#include <functional>
#include <string>

namespace thriftlens_test {

/// What was done to a message.
enum class input_kind { valid, truncated, mutated };

struct damaged_input {
  thriftlens::type type;
  std::string bytes;
  input_kind kind = input_kind::valid;
};

using input_visitor = std::function<void(const damaged_input&)>;

/// The message, truncated at every `stride`-th byte, with an extra byte, and with a bit flipped per `stride`
/// bytes.
inline void each_damage(const thriftlens::type& type, const std::string& complete, std::size_t stride,
                        const input_visitor& visit) {
  visit({type, complete, input_kind::valid});
  visit({type, complete + 'x', input_kind::mutated});
  for (std::size_t at = 0; at < complete.size(); at += stride) {
    visit({type, complete.substr(0, at), input_kind::truncated});
    std::string changed = complete;
    changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
    visit({type, std::move(changed), input_kind::mutated});
  }
}

/// The messages for all comparisons, in protocol P.
template <class P>
void each_input(const input_visitor& visit) {
  each_damage(order_type(), order_bytes<P>(), 1, visit);
  tree shuffled = sample_order();
  std::reverse(shuffled.fields.begin(), shuffled.fields.end());
  visit({order_type(), encode<P>(shuffled), input_kind::valid});
  for (std::uint64_t seed = 0; seed < cases(std::uint64_t{60}); ++seed) {
    randomness idl(seed / 4), values(seed);
    const thriftlens::schema schema = thriftlens::schema::parse(random_idl(idl));
    const thriftlens::type type = schema.type("S0");
    each_damage(type, encode<P>(random_struct(values, type, 3)), 7, visit);
  }
}

}  // namespace thriftlens_test
