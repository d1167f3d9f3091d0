# Finds simdjson as the target simdjson::simdjson. The package refuses other minor versions by itself,
# so no version is named here.
if(NOT TARGET simdjson::simdjson)
  find_package(simdjson CONFIG REQUIRED)
endif()
