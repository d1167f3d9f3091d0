# thriftlens::loader, thriftlens::compiled and thriftlens::compiled_json: thriftlens::thriftlens and ::json with bodies
# compiled once: those of the modules idl and schema, all but JSON's, all. Made in the tree of who links them, from
# installed source, so that they have his flags: what -march and -fno-exceptions change is part of every name
# (THRIFTLENS_ABI), and other flags would not link.
function(thriftlens_add_compiled name header_only source macro)
  add_library(thriftlens_${name} STATIC EXCLUDE_FROM_ALL ${source})
  add_library(thriftlens::${name} ALIAS thriftlens_${name})
  target_link_libraries(thriftlens_${name} PUBLIC ${header_only})
  target_compile_definitions(thriftlens_${name} PUBLIC ${macro})
  set_target_properties(thriftlens_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
