# thriftlens::loader, thriftlens::compiled and thriftlens::compiled_json: thriftlens::thriftlens and ::json with bodies compiled
# once: those of idl and schema; all except JSON; all. Built in the consumer's tree from the installed sources, so that they
# have its flags: -march and -fno-exceptions, for example, are part of every symbol (THRIFTLENS_ABI), and bodies built with other
# flags would not link.
function(thriftlens_add_compiled name header_only source macro)
  add_library(thriftlens_${name} STATIC EXCLUDE_FROM_ALL ${source})
  add_library(thriftlens::${name} ALIAS thriftlens_${name})
  target_link_libraries(thriftlens_${name} PUBLIC ${header_only})
  target_compile_definitions(thriftlens_${name} PUBLIC ${macro})
  set_target_properties(thriftlens_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
