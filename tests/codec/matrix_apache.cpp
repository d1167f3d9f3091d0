// Apache's side of the type matrix, compiled without our warnings and sanitizers.
#include "codec/matrix.hpp"

#include "matrix_types.h"

#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <cstdint>
#include <memory>

namespace matrix {
// Apache declares these for its set and map keys and leaves them to the user.
bool Point::operator<(const Point& other) const { return x != other.x ? x < other.x : y < other.y; }
}  // namespace matrix

namespace matrix_test {
namespace {

using apache::thrift::protocol::TBinaryProtocol, apache::thrift::protocol::TCompactProtocol,
    apache::thrift::protocol::TProtocol, apache::thrift::transport::TMemoryBuffer;

using color = matrix::Color;
struct point : matrix::Point {
  point(std::int32_t new_x, std::int32_t new_y) {
    __set_x(new_x);
    __set_y(new_y);
  }
};

std::unique_ptr<TProtocol> protocol_on(const std::shared_ptr<TMemoryBuffer>& memory, bool compact) {
  if (compact) return std::make_unique<TCompactProtocol>(memory);
  return std::make_unique<TBinaryProtocol>(memory);
}
template <class T>
std::string written(const T& object, bool compact) {
  auto memory = std::make_shared<TMemoryBuffer>();
  object.write(protocol_on(memory, compact).get());
  return memory->getBufferAsString();
}

#include "matrix_apache_fill.hpp"

template <class T>
side side_of(std::string_view name) {
  side result;
  result.name = name;
  result.write = [](bool filled, bool compact) {
    T object;
    if (filled) fill(object);
    return written(object, compact);
  };
  result.rewrite = [](const std::string& bytes, bool compact) {
    auto memory = std::make_shared<TMemoryBuffer>();
    memory->write(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                  static_cast<std::uint32_t>(bytes.size()));
    T object;
    object.read(protocol_on(memory, compact).get());
    return written(object, compact);
  };
  return result;
}

}  // namespace

std::vector<side> apache_sides() {
  return {
#include "matrix_apache_sides.inc"
  };
}

}  // namespace matrix_test
