// fwd: declarations of module dom.
#pragma once

#include <thriftlens/core/fwd.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

class document;
class node;
class node_value;
struct document_options;

namespace detail::dom {
struct slot;
struct level;
class key_index;
class parent;
class tree;
class undo_log;
}  // namespace detail::dom

}  // namespace thriftlens::inline THRIFTLENS_ABI
