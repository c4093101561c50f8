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

foreach(part libc start)
  set(kl_old_${part} "${PROJECT_BINARY_DIR}/old_${part}.o")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -x c -std=gnu11 -O2 -fPIC -Wall -Wno-builtin-declaration-mismatch -c
    "${CMAKE_CURRENT_LIST_DIR}/portable/old_${part}.c" -o "${kl_old_${part}}" COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    "${CMAKE_CURRENT_LIST_DIR}/portable/old_${part}.c")
endforeach()
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/portable/old_libc.c" kl_wrapped REGEX "^OLD(_OF)?\\(")
list(TRANSFORM kl_wrapped REPLACE "^OLD(_OF)?\\(([a-z0-9_]+).*" "-Wl,--wrap=\\2")
list(REMOVE_DUPLICATES kl_wrapped)
# libpthread and libdl were libraries of their own until 2.34, and the loader looks for a function where it was when the program was linked:
# in stand-ins that have their names, versions and functions.
function(kl_stand_in soname)
  set(code "")
  set(map "")
  foreach(version 2.2.5 2.3.3 2.17)
    set(names "")
    foreach(name IN LISTS ARGN)
      if(name MATCHES "^(.*)@${version}$")
        string(APPEND code "void ${CMAKE_MATCH_1}(void) {}\n")
        string(APPEND names "${CMAKE_MATCH_1}; ")
      endif()
    endforeach()
    if(names)
      string(APPEND map "GLIBC_${version} { ${names}};\n")
    endif()
  endforeach()
  file(WRITE "${PROJECT_BINARY_DIR}/stand-ins/${soname}.c" "${code}")
  file(WRITE "${PROJECT_BINARY_DIR}/stand-ins/${soname}.map" "${map}")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -x c -w -fno-builtin -shared -fPIC -nostdlib "-Wl,-soname,${soname}"
    "-Wl,--version-script=${PROJECT_BINARY_DIR}/stand-ins/${soname}.map" "${PROJECT_BINARY_DIR}/stand-ins/${soname}.c"
    -o "${PROJECT_BINARY_DIR}/stand-ins/${soname}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
set(kl_first 2.2.5)
set(kl_dlinfo 2.3.3)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
  set(kl_first 2.17)
  set(kl_dlinfo 2.17)
endif()
set(kl_threads ${kl_wrapped})
list(FILTER kl_threads INCLUDE REGEX "=(__)?(pthread|sem)_")
list(TRANSFORM kl_threads REPLACE "-Wl,--wrap=(.*)" "\\1@${kl_first}")
kl_stand_in(libpthread.so.0 ${kl_threads})
kl_stand_in(libdl.so.2 dlinfo@${kl_dlinfo} dladdr@${kl_first} dlclose@${kl_first} dlerror@${kl_first} dlopen@${kl_first}
  dlsym@${kl_first})
add_link_options(-static-libstdc++ -static-libgcc ${kl_wrapped} "${kl_old_libc}" -Wl,--no-as-needed
  "${PROJECT_BINARY_DIR}/stand-ins/libdl.so.2" "${PROJECT_BINARY_DIR}/stand-ins/libpthread.so.0" -Wl,--as-needed)
set(kl_wrap_start -Wl,--wrap=__libc_start_main "${kl_old_start}") # of programs
