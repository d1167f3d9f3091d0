# Runs PROGRAM and fails unless it ends well and prints what the file EXPECTED holds.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE printed RESULT_VARIABLE code)
file(READ ${EXPECTED} wanted)
if(NOT code EQUAL 0 OR NOT printed STREQUAL wanted)
  message(FATAL_ERROR "exit ${code}; expected:\n${wanted}\nprinted:\n${printed}")
endif()
