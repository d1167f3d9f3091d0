// simdjson On-Demand: reads a text and prints two of its values.
#include <simdjson.h>
#include <iostream>
int main() {
  const simdjson::padded_string text(R"({"id": 42, "name": "Zoe"})", 25);
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document user = parser.iterate(text);
  std::cout << std::int64_t(user["id"]) << ' ' << std::string_view(user["name"]) << '\n';
}
