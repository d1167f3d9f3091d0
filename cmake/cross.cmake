# Toolchain file of scripts/everywhere.sh: Debian's cross compilers, and qemu to run their programs.
# Environment: THRIFTLENS_CROSS (aarch64, s390x, …), THRIFTLENS_ROOT (folder with the target's libraries).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $ENV{THRIFTLENS_CROSS})
set(thriftlens_triple $ENV{THRIFTLENS_CROSS}-linux-gnu)
set(CMAKE_C_COMPILER ${thriftlens_triple}-gcc)
set(CMAKE_CXX_COMPILER ${thriftlens_triple}-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${thriftlens_triple})
set(CMAKE_FIND_ROOT_PATH $ENV{THRIFTLENS_ROOT} /usr/${thriftlens_triple})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,$ENV{THRIFTLENS_ROOT}/usr/lib/${thriftlens_triple}")
set(CMAKE_CROSSCOMPILING_EMULATOR
  qemu-$ENV{THRIFTLENS_CROSS};-L;/usr/${thriftlens_triple};-E;LD_LIBRARY_PATH=$ENV{THRIFTLENS_ROOT}/usr/lib/${thriftlens_triple}:/usr/${thriftlens_triple}/lib)
