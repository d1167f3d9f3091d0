// dom: a message as a tree that can be changed.
#pragma once

#include <thriftlens/dom/document.hpp>
