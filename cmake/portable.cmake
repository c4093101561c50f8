# KL_PORTABLE: programs that run on any Linux of this architecture with glibc 2.27 or newer (2.28: RHEL 8; Ubuntu 20.04), whatever the glibc
# of the machine that builds them: every other library is linked statically, and cmake/portable/old_libc.c takes the place of what is newer.
# cmake/portable/check.py, a test of the package, reads what the programs really need.
set(KL_OLDEST_LIBC 2.27)

# An imported target becomes its static library.
function(kl_static target library)
  find_library(KL_STATIC_${library} NAMES lib${library}.a REQUIRED)
  set(file "${KL_STATIC_${library}}")
  set(kl_static_files ${kl_static_files} "${file}" PARENT_SCOPE) # for their licenses
  get_target_property(type ${target} TYPE)
  if(type STREQUAL INTERFACE_LIBRARY) # of pkg-config
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${file};${ARGN}")
  else()
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${ARGN}")
    foreach(configuration "" _RELEASE _RELWITHDEBINFO _NOCONFIG _NONE)
      set_target_properties(${target} PROPERTIES IMPORTED_LOCATION${configuration} "${file}")
    endforeach()
  endif()
endfunction()
kl_static(PkgConfig::zstd zstd)
kl_static(PkgConfig::nettle nettle)
kl_static(SQLite::SQLite3 sqlite3 m)
kl_static(ZLIB::ZLIB z)
kl_static(protobuf::libprotobuf-lite protobuf-lite Threads::Threads)

# Debian has no static muParser: its source, of the same version.
include(FetchContent)
FetchContent_Declare(kl_muparser URL "http://deb.debian.org/debian/pool/main/m/muparser/muparser_2.3.3.orig.tar.gz"
  URL_HASH SHA256=91d26d8274ae9cd9c776ee58250aeddc6b574f369eafd03b25045b858a2b8177 DOWNLOAD_EXTRACT_TIMESTAMP ON SOURCE_SUBDIR none)
FetchContent_MakeAvailable(kl_muparser)
file(GLOB kl_muparser_sources "${kl_muparser_SOURCE_DIR}/src/*.cpp")
list(FILTER kl_muparser_sources EXCLUDE REGEX "muParser(DLL|Test)\\.cpp$")
add_library(kl_muparser_static STATIC ${kl_muparser_sources})
target_compile_definitions(kl_muparser_static PUBLIC MUPARSER_STATIC)
target_include_directories(kl_muparser_static SYSTEM PUBLIC "${kl_muparser_SOURCE_DIR}/include")
set_target_properties(PkgConfig::muparser PROPERTIES INTERFACE_LINK_LIBRARIES kl_muparser_static INTERFACE_INCLUDE_DIRECTORIES
  "${kl_muparser_SOURCE_DIR}/include")

install(FILES "${kl_muparser_SOURCE_DIR}/LICENSE" DESTINATION licenses RENAME libmuparser.txt)

set(kl_old_libc "${PROJECT_BINARY_DIR}/old_libc.o")
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -x c -std=gnu11 -O2 -fPIC -Wall -Wno-builtin-declaration-mismatch -c
  "${CMAKE_CURRENT_LIST_DIR}/portable/old_libc.c" -o "${kl_old_libc}" COMMAND_ERROR_IS_FATAL ANY)
set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/portable/old_libc.c")
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/portable/old_libc.c" kl_wrapped REGEX "^OLD(_OF)?\\(")
list(TRANSFORM kl_wrapped REPLACE "^OLD(_OF)?\\(([a-z0-9_]+).*" "-Wl,--wrap=\\2")
list(REMOVE_DUPLICATES kl_wrapped)
# libdl and libpthread were libraries of their own until 2.34; their empty successors still have their names.
add_link_options(-static-libstdc++ -static-libgcc ${kl_wrapped} "${kl_old_libc}" -Wl,--no-as-needed -l:libdl.so.2 -l:libpthread.so.0
  -Wl,--as-needed)
set(kl_wrap_start -Wl,--wrap=__libc_start_main)
