// fields by Cap'n Proto: generated builder, flat array; the map is a list of entries.
#include "curve.hpp"

#include <fields_capnp.hpp>

#include <capnp/message.h>
#include <capnp/serialize.h>

namespace {

template <class Of>
struct operation {
  std::size_t size = 0;
  double run(int entries) {
    capnp::MallocMessageBuilder message;
    auto root = message.initRoot<typename Of::message>();
    Of::fill(root);
    if (entries != 0) {
      auto map = root.initM(static_cast<unsigned>(entries));
      for (int i = 0; i < entries; ++i) {
        auto entry = map[static_cast<unsigned>(i)];
        entry.setKey(bench::fields::keys()[static_cast<std::size_t>(i)].c_str());
        entry.setValue(i);
      }
    }
    const auto words = capnp::messageToFlatArray(message);
    size = words.size() * sizeof(capnp::word);
    capnp::FlatArrayMessageReader reader(words);
    return Of::read(reader.getRoot<typename Of::message>());
  }
  std::size_t wire() const { return size; }
};

const bool entered = bench::fields::enter_curve<operation, fields_of_capnp::all>("capnp", 1);

}  // namespace
