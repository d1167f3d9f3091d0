// view: values looked at in their bytes, by steps, paths and plans.
#pragma once

#include <thriftlens/view/numbers_view.hpp>
#include <thriftlens/view/plan.hpp>
#include <thriftlens/view/print.hpp>
#include <thriftlens/view/view.hpp>
