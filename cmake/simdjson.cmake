# Finds simdjson 3.0 or newer and provides it as simdjson::simdjson. In this order: the target of a
# parent project, the folder THRIFTLENS_SIMDJSON_DIR, the amalgamation inside the pysimdjson wheel (pip builds),
# an installed package, a download (only with THRIFTLENS_FETCH_SIMDJSON). Without any: no target, and an error
# if THRIFTLENS_JSON is ON.

# Creates simdjson::simdjson from a folder with simdjson.h and simdjson.cpp.
function(thriftlens_simdjson_from folder)
  if(NOT EXISTS ${folder}/simdjson.h OR NOT EXISTS ${folder}/simdjson.cpp)
    message(FATAL_ERROR "thriftlens: ${folder} does not hold simdjson.h and simdjson.cpp")
  endif()
  add_library(thriftlens_simdjson STATIC ${folder}/simdjson.cpp)
  add_library(simdjson::simdjson ALIAS thriftlens_simdjson)
  target_include_directories(thriftlens_simdjson SYSTEM PUBLIC ${folder})
  target_compile_features(thriftlens_simdjson PUBLIC cxx_std_17)
  target_compile_options(thriftlens_simdjson PRIVATE -w)
  set_target_properties(thriftlens_simdjson PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  message(STATUS "thriftlens: simdjson from ${folder}")
endfunction()

if(NOT TARGET simdjson::simdjson AND THRIFTLENS_SIMDJSON_DIR)
  thriftlens_simdjson_from(${THRIFTLENS_SIMDJSON_DIR})
endif()

if(NOT TARGET simdjson::simdjson AND SKBUILD)
  find_package(Python REQUIRED COMPONENTS Interpreter)
  execute_process(COMMAND ${Python_EXECUTABLE} -c
      "import importlib.util as u; print(u.find_spec('simdjson').submodule_search_locations[0])"
    OUTPUT_VARIABLE thriftlens_wheel OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(thriftlens_wheel)
    thriftlens_simdjson_from(${thriftlens_wheel})
  endif()
endif()

if(NOT TARGET simdjson::simdjson)
  # Its package file rejects other minor versions, so the version is checked here.
  find_package(simdjson CONFIG QUIET GLOBAL)
  if(simdjson_FOUND)
    if(simdjson_VERSION VERSION_LESS 3.0)
      message(FATAL_ERROR "thriftlens: needs simdjson 3.0, found ${simdjson_VERSION} in ${simdjson_DIR}; "
        "give another with THRIFTLENS_SIMDJSON_DIR or set THRIFTLENS_JSON=OFF")
    endif()
    message(STATUS "thriftlens: simdjson ${simdjson_VERSION} from ${simdjson_DIR}")
  elseif(THRIFTLENS_FETCH_SIMDJSON)
    include(FetchContent)
    FetchContent_Declare(simdjson GIT_REPOSITORY https://github.com/simdjson/simdjson.git GIT_TAG v3.12.3
      GIT_SHALLOW ON SYSTEM FIND_PACKAGE_ARGS CONFIG)
    FetchContent_MakeAvailable(simdjson)
  endif()
endif()

if(NOT TARGET simdjson::simdjson)
  set(thriftlens_hint "install simdjson, give THRIFTLENS_SIMDJSON_DIR or set THRIFTLENS_FETCH_SIMDJSON=ON")
  if(THRIFTLENS_JSON STREQUAL "AUTO")
    message(STATUS "thriftlens: no simdjson, so thriftlens::json is not offered (${thriftlens_hint})")
  else()
    message(FATAL_ERROR "thriftlens: THRIFTLENS_JSON is ON, but there is no simdjson: ${thriftlens_hint}")
  endif()
endif()
