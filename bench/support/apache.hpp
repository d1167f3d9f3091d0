// apache: Apache Thrift's C++ library and the code it generates from idl/bench.thrift, as contestants use it.
// In: bytes. Out: generated structs, protocol objects over memory that are reused between operations.
// Never a re-implementation: everything is the library's own.
#pragma once

#include <bench_types.h>
#include <bench_types.tcc>

#include "payloads.hpp"

#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <memory>
#include <string>

namespace bench::apache {

namespace proto = ::apache::thrift::protocol;
using memory = ::apache::thrift::transport::TMemoryBuffer;

/// The three ways to use it: templates know the transport's type, `virtual_` goes through TProtocol's virtual calls.
struct templates {
  static constexpr const char* name = "apache_templates";
  using concrete = proto::TBinaryProtocolT<memory>;
  using used_as = concrete;
};
struct virtual_calls {
  static constexpr const char* name = "apache_virtual";
  using concrete = proto::TBinaryProtocol;
  using used_as = proto::TProtocol;
};
struct compact {
  static constexpr const char* name = "apache_compact";
  using concrete = proto::TCompactProtocolT<memory>;
  using used_as = concrete;
};

/// Memory that is pointed at other bytes for nothing: resetBuffer(bytes) would make and drop a whole transport each time.
class reused_memory : public memory {
 public:
  void over(std::string_view bytes) {
    auto* data = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(bytes.data()));
    setReadBuffer(data, static_cast<std::uint32_t>(bytes.size()));
    setWriteBuffer(data + bytes.size(), 0);
    resetConsumedMessageSize();
  }
};

/// A protocol over memory, reused: either for reading or for writing.
template <class Way>
class channel {
 public:
  using protocol = typename Way::used_as;

  channel() : memory_(std::make_shared<reused_memory>()), protocol_(std::make_shared<typename Way::concrete>(memory_)) {}

  /// Reads from these bytes next.
  protocol& over(std::string_view bytes) {
    memory_->over(bytes);
    return *protocol_;
  }
  /// Writes into its own memory next, from the start.
  protocol& fresh() {
    memory_->resetBuffer();
    return *protocol_;
  }
  [[nodiscard]] std::string_view written() const {
    std::uint8_t* data = nullptr;
    std::uint32_t size = 0;
    memory_->getBuffer(&data, &size);
    return {reinterpret_cast<const char*>(data), size};
  }
  [[nodiscard]] std::size_t left() const { return memory_->available_read(); }

 private:
  std::shared_ptr<reused_memory> memory_;
  std::shared_ptr<typename Way::concrete> protocol_;
};

template <class Way, class Struct>
std::string encoded(const Struct& value) {
  channel<Way> out;
  value.write(&out.fresh());
  return std::string(out.written());
}
template <class Way, class Struct>
Struct decoded(const std::string& bytes) {
  channel<Way> in;
  Struct value;
  value.read(&in.over(bytes));
  return value;
}

/// What there is to know of a generated struct.
template <class Struct>
struct about;
template <>
struct about<thriftlens_bench::Simple> {
  static constexpr const char* name = "Simple";
  using partial = thriftlens_bench::PartialSimple;
};
template <>
struct about<thriftlens_bench::Nesting> {
  static constexpr const char* name = "Nesting";
  using partial = thriftlens_bench::PartialNesting;
};
template <>
struct about<thriftlens_bench::SparseNesting> {
  static constexpr const char* name = "SparseNesting";
  using partial = thriftlens_bench::PartialSparseNesting;
};
template <class Struct>
constexpr bool is_simple = std::is_same_v<Struct, thriftlens_bench::Simple>;

/// Enters Operation<Way, Struct> for one way and payload: Struct is what the payload is.
template <template <class, class> class Operation, class Way, class... Args>
void enter_struct(const std::string& task, const payload& of, const std::vector<std::string>& messages, Args... args) {
  using namespace thriftlens_bench;
  switch (of.holds) {
    case kind::simple: return enter<Operation<Way, Simple>>(task, of, messages, Way::name, 0, args...);
    case kind::nesting: return enter<Operation<Way, Nesting>>(task, of, messages, Way::name, 0, args...);
    case kind::sparse: return enter<Operation<Way, SparseNesting>>(task, of, messages, Way::name, 0, args...);
  }
}
/// Enters Operation<Way, Struct>(arguments(payload)...) for all three ways on every payload.
template <template <class, class> class Operation, class... Arguments>
bool enter_all(const std::string& base, Arguments... arguments) {
  for (const payload& each : payloads()) {
    enter_struct<Operation, templates>(base, each, each.binary, arguments(each)...);
    enter_struct<Operation, virtual_calls>(base, each, each.binary, arguments(each)...);
    enter_struct<Operation, compact>(base + "_compact", each, each.compact, arguments(each)...);
  }
  return true;
}

}  // namespace bench::apache
