// Prints describe_json of a file: `describe_tool [-I DIR]... FILE`. For golden.py.
#include <thriftlens/schema/describe.hpp>

#include <cstdio>
#include <string_view>

int main(int argc, char** argv) {
  thriftlens::load_options options;
  std::string file;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "-I" && i + 1 < argc)
      options.include_dirs.emplace_back(argv[++i]);
    else
      file = argv[i];
  }
  const auto schema = thriftlens::schema::try_load(file, options);
  if (!schema) {
    std::fprintf(stderr, "%s\n", schema.error().what());
    return 1;
  }
  std::puts(thriftlens::describe_json(*schema).c_str());
}
