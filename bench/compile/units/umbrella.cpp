// Includes everything, uses nothing.
#include <thriftlens/json.hpp>
#include <thriftlens/thriftlens.hpp>
int main() {}
