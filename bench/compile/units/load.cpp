// Loads IDL.
#include <thriftlens/schema/schema.hpp>
thriftlens::schema from_text(std::string_view text) { return thriftlens::schema::parse(text); }
thriftlens::schema from_file(const std::string& file) { return thriftlens::schema::load(file); }
