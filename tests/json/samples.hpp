// samples: an IDL with every type, and texts at the end of a page.
#pragma once

#include <thriftlens/json.hpp>
#include <thriftlens/schema/schema.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace thriftlens_test {

inline const char* const sample_idl = R"(
enum Color { RED = 0, GREEN = 1, BLUE = 5, ALSO_BLUE = 5 }
struct Point { 1: i32 x  2: i32 y }
struct Every {
  1: bool b  2: i8 i8  3: i16 i16  4: i32 i32  5: i64 i64  6: double d  7: string s  8: binary bin  9: Color color  10: uuid id
  11: Point point  12: list<i32> ints  13: set<string> names  14: map<string, i64> by_name  15: map<i32, Point> by_id
  16: map<Point, string> by_point  17: list<list<bool>> bits  18: map<bool, i8> by_bool  19: map<double, i32> by_double
  20: map<binary, i32> by_binary  21: map<Color, i32> by_color  22: map<uuid, i32> by_uuid  23: map<i64, string> by_long
  24: Pick pick  25: list<Point> points  26: set<double> doubles  27: map<i8, list<Pick>> picks  28: map<list<i32>, i32> by_list
  29: map<i16, i16> by_short  30: list<binary> blobs  31: list<Color> colors
}
union Pick { 1: i32 i  2: string s  3: Point p  4: bool b }
struct Strict { 1: required i32 must  2: optional i32 may  3: required string also = "d" }
struct Tree { 1: i32 v  2: list<Tree> kids  3: map<string, Tree> named }
struct Defaults { 1: i32 a = 7  2: optional string s = "x\"y"  3: list<i32> l = [1, 2]  4: bool b = true  5: i64 none  6: Point p = {"x": 1} }
struct Named { 1: i32 user_id (api.key = "userId")  2: string plain  3: i64 other (go.tag = 'json:"o,omitempty"') }
struct Far { 1: optional i32 a  40: optional bool b  16: optional bool c  17: optional bool d  20: optional string s  30000: optional i32 z }
exception Oops { 1: string message }
)";

inline const thriftlens::schema& sample_schema() {
  static const thriftlens::schema loaded = thriftlens::schema::parse(sample_idl);
  return loaded;
}
inline thriftlens::type sample_type(std::string_view name) { return sample_schema().type(name); }

/// Bytes whose end is the end of readable memory.
class at_page_end {
 public:
  explicit at_page_end(std::string_view bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t readable = (bytes.size() + page - 1) / page * page + page;
    mapped_ = readable + page;
    base_ = static_cast<char*>(
        mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base_ == MAP_FAILED) throw std::runtime_error("mmap");
    if (mprotect(base_ + readable, page, PROT_NONE) != 0) throw std::runtime_error("mprotect");
    end_ = base_ + readable;
    put(bytes);
  }
  ~at_page_end() { munmap(base_, mapped_); }
  at_page_end(const at_page_end&) = delete;
  at_page_end& operator=(const at_page_end&) = delete;

  /// Other bytes, not longer than the first.
  void put(std::string_view bytes) {
    size_ = bytes.size();
    if (size_ != 0) std::memcpy(end_ - size_, bytes.data(), size_);
  }
  std::string_view text() const { return {end_ - size_, size_}; }
  thriftlens::byte_view bytes() const { return {end_ - size_, size_}; }

 private:
  char* base_ = nullptr;
  char* end_ = nullptr;
  std::size_t mapped_ = 0;
  std::size_t size_ = 0;
};

}  // namespace thriftlens_test
