// rpc_fuzz: any bytes as a reply to a call, and as a call of a service.
#include <thriftlens/rpc/answer.hpp>
#include <thriftlens/rpc/call.hpp>
#include <thriftlens/schema/schema.hpp>

#include <cstdlib>

namespace tl = thriftlens;

namespace {

const tl::schema& schema() {
  static const tl::schema loaded = tl::schema::parse(
      "struct T { 1: i32 v, 2: list<T> kids } exception X { 1: string why } "
      "service S { T f(1: T t, 2: bool b) throws (1: X x) bool g() void h() oneway void o(1: i32 i) }");
  return loaded;
}

template <class P>
void ask(tl::byte_view bytes, tl::transport_id framing) {
  const tl::service_info service = schema().service("S");
  for (const tl::function_info function : service.functions()) {
    const auto reply = tl::try_read_reply<P>(function, 1, bytes, framing);
    if (reply && *reply && function.name() == "f" && !reply->value.try_bytes()) std::abort();
  }
  const auto call = tl::try_read_call<P>(service, bytes, framing);
  if (!call) return;
  const auto again = tl::try_write_call<P>(call->function, call->arguments, call->header.sequence_id);
  if (!again) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const tl::byte_view bytes(data + 1, size - 1);
  const auto framing = (data[0] & 2) != 0 ? tl::transport_id::framed : tl::transport_id::buffered;
  if ((data[0] & 1) != 0)
    ask<tl::compact>(bytes, framing);
  else
    ask<tl::binary>(bytes, framing);
  return 0;
}
