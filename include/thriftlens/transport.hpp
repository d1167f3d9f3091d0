// transport: connections without sockets: frames and messages, for clients and servers.
#pragma once

#include <thriftlens/transport/header_entry.hpp>
#include <thriftlens/transport/payload_transform.hpp>
#include <thriftlens/transport/session.hpp>
#include <thriftlens/transport/session_event.hpp>
#include <thriftlens/transport/session_options.hpp>
#include <thriftlens/transport/transport_id.hpp>
