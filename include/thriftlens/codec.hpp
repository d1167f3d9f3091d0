// codec: the user's own structs to Thrift bytes and back.
#pragma once

#include <thriftlens/codec/arena_resource.hpp>
#include <thriftlens/codec/bind_by_name.hpp>
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>
#include <thriftlens/codec/idl_text.hpp>
#include <thriftlens/codec/size.hpp>
