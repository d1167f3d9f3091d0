// column: one list<i64> of 131072 numbers, 1 MB of Binary, for the list_i64 tasks. Binary only: bulk byte
// swap is measured.
#pragma once

#include <payloads.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

const std::vector<std::int64_t>& column();
const std::vector<std::string>& column_messages();

template <class Operation>
bool enter_column(const std::string& task, const std::string& name, int rank) {
  static const payload numbers{.name = "1mb", .holds = kind::nesting, .binary = {}, .compact = {}};
  enter<Operation>(task, numbers, column_messages(), name, rank);
  return true;
}

}  // namespace bench
