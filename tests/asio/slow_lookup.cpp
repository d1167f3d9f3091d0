#include "slow_lookup.hpp"

#include <netdb.h>

#include <atomic>
#include <cstring>

// The linker sends calls of getaddrinfo() here and __real_getaddrinfo() to the C library (--wrap).
extern "C" {
int __real_getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** results);
int __wrap_getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** results);
}

namespace {
std::atomic<bool> is_slow{false};
}

int __wrap_getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** results) {
  if (host == nullptr || std::strcmp(host, "slow.invalid") != 0)
    return __real_getaddrinfo(host, service, hints, results);
  is_slow.wait(true);
  return EAI_NONAME;
}

namespace thriftlens_test {

slow_lookup::slow_lookup() { is_slow = true; }
slow_lookup::~slow_lookup() { finish(); }
void slow_lookup::finish() {
  is_slow = false;
  is_slow.notify_all();
}

}  // namespace thriftlens_test
