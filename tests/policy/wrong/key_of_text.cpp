// first error: thriftlens: a key is a std::array<std::uint8_t, 16>
#include <thriftlens/policy/redact_options.hpp>

const thriftlens::redact_options options{.key = "secretsecretsecr"};
