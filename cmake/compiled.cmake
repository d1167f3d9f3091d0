# thriftlens::loader, thriftlens::compiled and thriftlens::compiled_json: thriftlens::thriftlens and ::json with bodies compiled
# once: those of idl and schema; all except JSON; all. Built in the consumer's tree from the installed sources, so that they
# have its flags: -march and -fno-exceptions, for example, are part of every symbol (THRIFTLENS_ABI), and bodies built with other
# flags would not link.

# The units of each library, as NAME=PATTERN of bodies. They compile in parallel, and a program gets only those that it calls.
set(thriftlens_units_loader loader=idl/|schema/)
set(thriftlens_units_compiled view=core/|protocol/|path/|view/ edit=edit/|rewrite/ policy=policy/ compare=compare/ dom=dom/
  columns=columns/ records=records/|transport/)
set(thriftlens_units_compiled_json to_json=json/to_json from_json=json/from_json tjson=json/tjson http=http/)

# thriftlens_add_compiled(NAME HEADER_ONLY INCLUDE MACRO): <thriftlens/NAME.ipp>, in INCLUDE, lists the bodies.
function(thriftlens_add_compiled name header_only include macro)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${include}/thriftlens/${name}.ipp)
  foreach(unit IN LISTS thriftlens_units_${name})
    string(REPLACE "=" ";" unit ${unit})
    list(POP_FRONT unit file)
    file(STRINGS ${include}/thriftlens/${name}.ipp bodies REGEX "^#include <thriftlens/(${unit})")
    list(JOIN bodies "\n" bodies)
    set(path ${CMAKE_CURRENT_BINARY_DIR}/thriftlens_${name}/${file}.cpp)
    file(CONFIGURE OUTPUT ${path} CONTENT "${bodies}\n" @ONLY)
    list(APPEND files ${path})
  endforeach()
  add_library(thriftlens_${name} STATIC EXCLUDE_FROM_ALL ${files})
  add_library(thriftlens::${name} ALIAS thriftlens_${name})
  target_link_libraries(thriftlens_${name} PUBLIC ${header_only})
  target_compile_definitions(thriftlens_${name} PUBLIC ${macro})
  set_target_properties(thriftlens_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
