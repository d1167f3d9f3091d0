// nlohmann::json: reads a text, prints one of its values, writes it.
#include <iostream>
#include <nlohmann/json.hpp>
int main() {
  const auto user = nlohmann::json::parse(R"({"id": 42, "name": "Zoe"})");
  std::cout << user["name"] << ' ' << user.dump() << '\n';
}
