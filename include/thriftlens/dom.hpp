// dom: a message as a tree that can be changed.
// In: nothing. Out: what room dom offers; thriftlens.hpp opens all rooms but json.
// Never opens another room but by what this one is made of.
#pragma once

#include <thriftlens/dom/document.hpp>
