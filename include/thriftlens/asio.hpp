// asio: clients and servers on Asio, as coroutines. Never included by thriftlens.hpp: who opens no sockets
// needs no Asio.
#pragma once

#include <thriftlens/asio/cause.hpp>
#include <thriftlens/asio/client.hpp>
#include <thriftlens/asio/client_options.hpp>
#include <thriftlens/asio/net.hpp>
#include <thriftlens/asio/request.hpp>
#include <thriftlens/asio/server.hpp>
#include <thriftlens/asio/server_options.hpp>
