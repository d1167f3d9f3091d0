// fwd: forward declarations of idl.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

enum class mode : std::uint8_t;
enum class implicit_ids : std::uint8_t;
enum class base_type : std::uint8_t;
enum class declaration_kind : std::uint8_t;
struct const_value;
struct idl_limits;
struct load_options;
struct program;
struct program_set;
struct source_set;
struct type_ref;
class findings;
class parser;

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
