// fields by thriftlens: the protocol's writer into a buffer that is reused, five fields in one pass under the IDL parsed at start.
#include "curve.hpp"

#include <fields_thriftlens.hpp>

#include <thriftlens/thriftlens.hpp>

#include <array>

namespace {

namespace tl = thriftlens;

tl::type type_of(int size) {
  static const tl::schema schema = tl::schema::load(THRIFTLENS_FIELDS_IDL);
  return schema.type("F" + std::to_string(size));
}

template <class Of>
struct operation {
  tl::buffer out;
  tl::type type = type_of(Of::size);
  tl::plan plan = tl::plan::parse(type, std::span(Of::paths));
  std::array<tl::view<tl::binary>, 5> found;

  double run(int entries) {
    out.clear();
    tl::binary::writer writer(out);
    Of::fill(writer);
    if (entries != 0) {
      writer.write_field(tl::ttype::map, Of::size + 1);
      writer.write_map({tl::ttype::string, tl::ttype::i32, static_cast<std::uint32_t>(entries)});
      for (int i = 0; i < entries; ++i) writer.write_bytes(bench::fields::keys()[static_cast<std::size_t>(i)]), writer.write_i32(i);
    }
    writer.write_stop();
    tl::get_many(tl::view<tl::binary>(out, type), plan, std::span<tl::view<tl::binary>>(found));
    return Of::read(found);
  }
  std::size_t wire() const { return out.size(); }
};

const bool entered = bench::fields::enter_curve<operation, fields_of_thriftlens::all>("thriftlens", 1);

}  // namespace
