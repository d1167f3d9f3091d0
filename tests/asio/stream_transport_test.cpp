#include <thriftlens/asio/stream_transport.hpp>

#include "support/test.hpp"

TEST(asio_stream_transport, http_and_grpc_are_rejected) {
  for (const tl::transport_id each : {tl::transport_id::http, tl::transport_id::grpc})
    EXPECT_EQ(tl::detail::refuse_transport(each).value().code(), tl::errc::bad_option);
  for (const tl::transport_id each :
       {tl::transport_id::buffered, tl::transport_id::sasl, tl::transport_id::automatic})
    EXPECT_FALSE(tl::detail::refuse_transport(each));
}
