// apache_peer: Apache Thrift's servers and generated clients of the service in shop.thrift.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace thriftlens_test {

enum class apache_framing { buffered, framed, header };

struct apache_way {
  apache_framing framing = apache_framing::framed;
  bool is_compact = false;
};

/// A server in a thread of its own, until it is destroyed.
class apache_server {
 public:
  virtual ~apache_server() = default;
  [[nodiscard]] virtual int port() const = 0;
};
/// TThreadedServer.
std::unique_ptr<apache_server> start_threaded(const apache_way& how);
/// TNonblockingServer, which is framed.
std::unique_ptr<apache_server> start_nonblocking(bool is_compact);

/// Every function called by the generated client, as text.
std::vector<std::string> call_all(const apache_way& how, int port);

}  // namespace thriftlens_test
