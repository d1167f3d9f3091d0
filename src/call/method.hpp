// method: what a room brings into a class or the module. Never a text that could say another signature
// than the one that calls are read by.
#pragma once

#include "call/signature.hpp"

#include <initializer_list>
#include <span>
#include <vector>

namespace thriftlens::python {

/// A method whose calls are read by a signature.
struct method {
  const signature& takes;
  PyCFunction call;  ///< of fast_method
  const char* doc;   ///< what help() says below the signature
};

/// A null-terminated table for the life of the process. `self`: "$self" or "$module". `others`: methods that
/// take nothing or one object, with their own texts.
[[nodiscard]] PyMethodDef* method_table(const char* self, std::span<const method> methods,
                                        std::initializer_list<PyMethodDef> others = {});

// What the rooms bring, each from its bind/<module>.cpp: methods of Type, and functions of the module.
[[nodiscard]] std::span<const method> codec_methods();
[[nodiscard]] std::span<const method> json_methods();
[[nodiscard]] std::span<const method> view_methods();
[[nodiscard]] std::span<const method> edit_methods();
[[nodiscard]] std::span<const method> policy_methods();
[[nodiscard]] std::span<const method> rewrite_methods();
[[nodiscard]] std::span<const method> rewrite_functions();
[[nodiscard]] std::span<const method> compare_methods();
[[nodiscard]] std::span<const method> columns_methods();
[[nodiscard]] std::span<const method> rpc_methods();
[[nodiscard]] std::span<const method> columns_functions();
[[nodiscard]] std::span<const method> view_functions();
[[nodiscard]] std::span<const method> compare_functions();
[[nodiscard]] std::span<const method> protocol_functions();
[[nodiscard]] std::span<const method> records_functions();
[[nodiscard]] std::span<const method> parquet_functions();
/// The methods of Type, room by room.
[[nodiscard]] std::vector<method> type_methods();
/// The functions of the module, room by room.
[[nodiscard]] std::vector<method> module_functions();

}  // namespace thriftlens::python
