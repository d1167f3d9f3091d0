// records: many values one after another, in all the ways they are framed.
// In: nothing. Out: what room records offers; thriftlens.hpp opens all rooms but json.
#pragma once

#include <thriftlens/records/detect.hpp>
#include <thriftlens/records/framing.hpp>
#include <thriftlens/records/records.hpp>
