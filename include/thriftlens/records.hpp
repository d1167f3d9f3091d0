// records: many values one after another, in all the ways they are framed.
#pragma once

#include <thriftlens/records/append_framed.hpp>
#include <thriftlens/records/detect.hpp>
#include <thriftlens/records/framing.hpp>
#include <thriftlens/records/records.hpp>
