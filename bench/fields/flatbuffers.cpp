// fields by FlatBuffers: generated builder, reused; the map is a vector of entries sorted by key. Read in
// place, not verified.
#include "curve.hpp"

#include <fields_flatbuffers.hpp>

namespace {

using entry = flatbuffers::Offset<fields_fbs::Entry>;

template <class Of>
struct operation {
  flatbuffers::FlatBufferBuilder out;
  std::vector<entry> entries_of_map;
  double run(int entries) {
    out.Clear();
    entries_of_map.clear();
    for (int i = 0; i < entries; ++i)
      entries_of_map.push_back(fields_fbs::CreateEntry(
          out, out.CreateString(bench::fields::keys()[static_cast<std::size_t>(i)]), i));
    flatbuffers::Offset<flatbuffers::Vector<entry>> map;
    if (entries != 0) map = out.CreateVectorOfSortedTables(&entries_of_map);
    Of::build(out, map);
    return Of::read(*flatbuffers::GetRoot<typename Of::message>(out.GetBufferPointer()));
  }
  std::size_t wire() const { return out.GetSize(); }
};

const bool entered = bench::fields::enter_curve<operation, fields_of_flatbuffers::all>("flatbuffers", 1);

}  // namespace
