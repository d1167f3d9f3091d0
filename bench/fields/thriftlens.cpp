// fields by thriftlens: into a reused buffer, by the protocol's writer or by its put functions after one
// capacity check. Five fields are read into a struct of five members and the others skipped; or, `plan`, in
// one pass with the IDL parsed at start.
#include "curve.hpp"

#include <fields_thriftlens.hpp>

#include <thriftlens/thriftlens.hpp>

#include <array>

namespace {

namespace tl = thriftlens;

tl::type type_of(int size) {
  static const tl::schema schema = tl::schema::load(THRIFTLENS_FIELDS_IDL);
  std::string name = "F";  // g++ 12 warns falsely about "F" + std::to_string(size)
  return schema.type(name += std::to_string(size));
}

template <class Of>
void fill_by_writer(tl::buffer& out) {
  tl::binary::writer writer(out);
  Of::fill(writer);
}
template <class Of>
void fill_by_puts(tl::buffer& out) {
  out.commit(Of::template put<tl::binary>(out.prepare(Of::capacity)));
}

template <class Of>
struct read_by_codec {
  double run(const tl::buffer& bytes) {
    typename Of::five decoded;
    return tl::try_decode_into(bytes, decoded) ? Of::read(decoded) : 0;
  }
};
template <class Of>
struct read_by_plan {
  tl::type type = type_of(Of::size);
  tl::plan plan = tl::plan::compile(type, std::span(Of::paths));
  std::array<tl::view<tl::binary>, 5> values;

  double run(const tl::buffer& bytes) {
    tl::get_many(tl::view<tl::binary>(bytes, type), plan, std::span<tl::view<tl::binary>>(values));
    return Of::read(values);
  }
};

template <class Of, void (*Fill)(tl::buffer&), class Reader>
struct operation {
  tl::buffer out;
  Reader reader;

  double run(int entries) {
    out.clear();
    Fill(out);
    tl::binary::writer writer(out);
    if (entries != 0) {
      writer.write_field(tl::ttype::map, Of::size + 1);
      writer.write_map({tl::ttype::string, tl::ttype::i32, static_cast<std::uint32_t>(entries)});
      for (int i = 0; i < entries; ++i)
        writer.write_bytes(bench::fields::keys()[static_cast<std::size_t>(i)]), writer.write_i32(i);
    }
    writer.write_stop();
    return reader.run(out);
  }
  std::size_t wire() const { return out.size(); }
};

template <class Of>
using by_puts = operation<Of, fill_by_puts<Of>, read_by_codec<Of>>;
template <class Of>
using by_plan = operation<Of, fill_by_puts<Of>, read_by_plan<Of>>;
template <class Of>
using by_writer = operation<Of, fill_by_writer<Of>, read_by_plan<Of>>;

const bool entered = bench::fields::enter_curve<by_puts, fields_of_thriftlens::all>("thriftlens", 1) &&
                     bench::fields::enter_curve<by_plan, fields_of_thriftlens::all>("thriftlens_plan", 1) &&
                     bench::fields::enter_curve<by_writer, fields_of_thriftlens::all>("thriftlens_writer", 1);

}  // namespace
