// apache: Apache Thrift's C++ library and the code it generates from idl/bench.thrift, as contestants use
// it. Never a re-implementation: everything is the library's own.
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

/// The three ways to use Apache's library: templates know the type of the transport, `virtual_` goes through
/// TProtocol's virtual calls.
struct templates {
  static constexpr const char* name = "apache_templates";
  template <class Memory>
  using concrete = proto::TBinaryProtocolT<Memory>;
  template <class Memory>
  using used_as = concrete<Memory>;
};
struct virtual_calls {
  static constexpr const char* name = "apache_virtual";
  template <class Memory>
  using concrete = proto::TBinaryProtocol;
  template <class Memory>
  using used_as = proto::TProtocol;
};
struct compact {
  static constexpr const char* name = "apache_compact";
  template <class Memory>
  using concrete = proto::TCompactProtocolT<Memory>;
  template <class Memory>
  using used_as = concrete<Memory>;
};

/// Points memory at other bytes without an allocation: resetBuffer(bytes) would create and destroy a
/// transport each time.
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
template <class Variant, class Memory>
class channel_over {
 public:
  using protocol = typename Variant::template used_as<Memory>;

  channel_over()
      : memory_(std::make_shared<Memory>()),
        protocol_(std::make_shared<typename Variant::template concrete<Memory>>(memory_)) {}

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
  std::shared_ptr<Memory> memory_;
  std::shared_ptr<typename Variant::template concrete<Memory>> protocol_;
};

// CMake compiles an object for each way and struct: BENCH_UNIT is its name; BENCH_WAY and BENCH_STRUCT are
// all that it registers. In an object with several, the compiler inlines less (skip of Medium: 4.7 us instead
// of 3.4), and if objects share a transport type, the linker uses the code of one of them for all.
#if !defined(BENCH_UNIT)
#define BENCH_UNIT several
#endif
inline namespace BENCH_UNIT {
class own_memory final : public reused_memory {};
}  // namespace BENCH_UNIT

/// The timed code uses the memory of its own object; answers use the common one.
template <class Variant>
using channel = channel_over<Variant, own_memory>;

template <class Variant, class Struct>
std::string encoded(const Struct& value) {
  channel_over<Variant, reused_memory> out;
  value.write(&out.fresh());
  return std::string(out.written());
}
template <class Variant, class Struct>
Struct decoded(const std::string& bytes) {
  channel_over<Variant, reused_memory> in;
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

// Of each object its own: the linker would take one for all.
inline namespace BENCH_UNIT {

/// Registers Operation<Way, Struct> for one way and payload, where Struct is the type of the payload. An
/// object for one struct registers only that.
template <template <class, class> class Operation, class Variant, class... Args>
void enter_struct(const std::string& task, const payload& of, const std::vector<std::string>& messages,
                  Args... args) {
  using namespace thriftlens_bench;
#if defined(BENCH_STRUCT)
  if (of.type() == std::string_view(about<BENCH_STRUCT>::name))
    enter<Operation<Variant, BENCH_STRUCT>>(task, of, messages, Variant::name, 0, args...);
#else
  switch (of.holds) {
    case kind::simple:
      return enter<Operation<Variant, Simple>>(task, of, messages, Variant::name, 0, args...);
    case kind::nesting:
      return enter<Operation<Variant, Nesting>>(task, of, messages, Variant::name, 0, args...);
    case kind::sparse:
      return enter<Operation<Variant, SparseNesting>>(task, of, messages, Variant::name, 0, args...);
  }
#endif
}
/// Calls enter(way) for all three ways; in an object of one way, for that.
template <class Enter>
bool for_each_variant(Enter enter) {
#if defined(BENCH_VARIANT)
  enter(BENCH_VARIANT());
#else
  enter(templates());
  enter(virtual_calls());
  enter(compact());
#endif
  return true;
}
/// Enters Operation<Way, Struct>(arguments(payload)...) for each way on every payload.
template <template <class, class> class Operation, class... Arguments>
bool enter_all(const std::string& base, Arguments... arguments) {
  return for_each_variant([&]<class Variant>(Variant) {
    const bool is_compact = std::is_same_v<Variant, compact>;
    for (const payload& each : payloads()) {
      enter_struct<Operation, Variant>(is_compact ? base + "_compact" : base, each,
                                       is_compact ? each.compact : each.binary, arguments(each)...);
    }
  });
}

}  // namespace BENCH_UNIT

}  // namespace bench::apache
