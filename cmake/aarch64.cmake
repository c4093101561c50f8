# A toolchain file: builds for aarch64 (GH200, GB200) on x86-64 with Debian's cross compiler, against the root in KL_SYSROOT. Programs that the
# build runs, such as the one that makes the sample's database, run under qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KL_SYSROOT)
set(CMAKE_SYSROOT "${KL_SYSROOT}")
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static;-L;${KL_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH) # the CUDA toolkit's headers are those of every architecture
set(ENV{PKG_CONFIG_LIBDIR} "${KL_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${KL_SYSROOT}/usr/share/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${KL_SYSROOT}")
