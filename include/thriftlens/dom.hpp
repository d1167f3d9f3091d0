// dom: a message as a tree that can be changed.
// In: nothing. Out: what room dom offers; thriftlens.hpp opens all rooms but json.
#pragma once

#include <thriftlens/dom/document.hpp>
