# Helpers for all targets of KernelLoop: kl_library(NAME UNITS n SOURCES... DEPENDS ...) and kl_compile_options(TARGET).
function(kl_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers)
  get_target_property(by_clang ${target} KL_COMPILED_BY_CLANG)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT by_clang)
    # g++ 12 reports uses of an empty optional's value that do not exist, depending on inlining.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    # g++ 13 mistakes the result of a look-up by name for a reference into the name.
    if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
      target_compile_options(${target} PRIVATE -Wno-dangling-reference)
    endif()
    if(KL_QUICK)
      target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=2097152) # KiB: g++ collects no garbage; 13 % less time, 1.6 instead of 1.3 GB
    endif()
  endif()
  if(KL_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}")
endfunction()

# kl_compiled_by_clang(TARGET): in a quick build of GCC's, clang compiles the target where it can, which takes a third less time; for what no
# user runs. Called before kl_compile_options.
function(kl_compiled_by_clang target)
  if(NOT KL_QUICK OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR CMAKE_CXX_FLAGS MATCHES "-fsanitize" OR CMAKE_CROSSCOMPILING)
    return()
  endif()
  find_program(KL_CLANG clang++)
  if(NOT KL_CLANG OR NOT EXISTS "${KL_CLANG}")
    return()
  endif()
  if(NOT DEFINED KL_CLANG_COMPILES)
    string(REGEX MATCH "^[0-9]+" gcc "${CMAKE_CXX_COMPILER_VERSION}")
    execute_process(COMMAND "${KL_CLANG}" -std=c++20 -fsyntax-only -DKL_GCC=${gcc} "${PROJECT_SOURCE_DIR}/cmake/clang/probe.cpp"
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
      set(compiles OFF)
      message(STATUS "${KL_CLANG} cannot compile with the headers of ${CMAKE_CXX_COMPILER}: the tests are compiled by that, too")
    else()
      set(compiles ON)
    endif()
    set(KL_CLANG_COMPILES ${compiles} CACHE INTERNAL "clang++ can compile with the standard library of the compiler that is used")
  endif()
  if(KL_CLANG_COMPILES)
    set_target_properties(${target} PROPERTIES KL_COMPILED_BY_CLANG ON CXX_COMPILER_LAUNCHER
      "${PROJECT_SOURCE_DIR}/cmake/clang/instead.sh;${KL_CLANG};${CMAKE_CXX_COMPILER};${CMAKE_CXX_COMPILER_LAUNCHER}")
    # Templates of precompiled headers: once for all sources. And not refused where a package upgrade wrote the same system headers again.
    target_compile_options(${target} PRIVATE -fpch-instantiate-templates "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# kl_unoptimized(TARGET): in a quick build, compiles the target without optimization, which takes a third less time. For what waits for
# others (disk, database, worker, user) rather than computes.
function(kl_unoptimized target)
  if(KL_QUICK)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# kl_optimized(TARGET SOURCE): what computes in such a target is optimized, by itself.
function(kl_optimized target source)
  if(KL_QUICK)
    set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON
      SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# kl_optimized_first(TARGET): of a template that several objects instantiate the linker keeps the first, so that the optimized ones of
# kl_core serve those without optimization, too. With those of the others, JSON takes three times as long to read and write.
function(kl_optimized_first target)
  target_link_options(${target} PRIVATE "LINKER:--whole-archive,$<TARGET_FILE:kl_core>,--no-whole-archive")
endfunction()

# Precompiled: the heavy headers of most sources below ui (otherwise json takes 4.8 s and fmt 1 s per file). Sources that are compiled
# without optimization need their own.
function(kl_precompile target)
  set(heavy <algorithm> <functional> <map> <memory> <optional> <string> <vector> <fmt/format.h>
    "${PROJECT_SOURCE_DIR}/core/codec/compiled_json.h")
  if(target STREQUAL kl_core OR (target STREQUAL kl_sessions_sources AND KL_QUICK))
    target_precompile_headers(${target} PRIVATE ${heavy})
  elseif(target STREQUAL test_core)
    target_precompile_headers(${target} PRIVATE ${heavy} <gmock/gmock.h> <gtest/gtest.h>)
  elseif(target MATCHES "^test_")
    target_precompile_headers(${target} REUSE_FROM test_core)
  elseif(target MATCHES "^kl_(terminal|kloop)$" AND TARGET kl_sessions_sources AND KL_QUICK)
    target_precompile_headers(${target} REUSE_FROM kl_sessions_sources)
  else()
    target_precompile_headers(${target} REUSE_FROM kl_core)
  endif()
endfunction()

# kl_unity(TARGET GROUPS): compiles sources together in GROUPS groups, reading the headers once per group. A source's group depends
# only on its name, so that a new file does not move others. Equal names in two unnamed namespaces can collide: rename one.
function(kl_unity target groups)
  if(NOT KL_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME)
    string(MD5 hash "${name}")
    string(SUBSTRING "${hash}" 0 6 digits)
    math(EXPR group "0x${digits} % ${groups}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

function(kl_library name)
  cmake_parse_arguments(ARG "" "UNITS" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  kl_unity(${name} ${ARG_UNITS})
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
  kl_compile_options(${name})
  kl_precompile(${name})
endfunction()

# kl_part(NAME IN LIBRARY GROUP group SOURCES ... DEPENDS ...): a part of a module, with a target of its own that says what it depends on. In a
# unity build the sources of parts that include the same headers are compiled together, as a group of LIBRARY; else each part is a library.
function(kl_part name)
  cmake_parse_arguments(ARG "" "IN;GROUP" "SOURCES;DEPENDS" ${ARGN})
  if(NOT KL_UNITY)
    kl_library(${name} UNITS 1 SOURCES ${ARG_SOURCES} DEPENDS ${ARG_DEPENDS})
    return()
  endif()
  if(NOT TARGET ${ARG_IN})
    add_library(${ARG_IN} STATIC)
    set_target_properties(${ARG_IN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    kl_compile_options(${ARG_IN})
    kl_precompile(${ARG_IN})
  endif()
  target_sources(${ARG_IN} PRIVATE ${ARG_SOURCES})
  set_source_files_properties(${ARG_SOURCES} TARGET_DIRECTORY ${ARG_IN} PROPERTIES UNITY_GROUP ${ARG_GROUP})
  add_library(${name} INTERFACE)
  set_target_properties(${name} PROPERTIES KL_PART_OF ${ARG_IN})
  target_link_libraries(${name} INTERFACE ${ARG_IN} ${ARG_DEPENDS})
  foreach(needed IN LISTS ARG_DEPENDS)
    get_target_property(library ${needed} KL_PART_OF)
    if(NOT library STREQUAL ARG_IN)
      target_link_libraries(${ARG_IN} PUBLIC ${needed})
    endif()
  endforeach()
endfunction()
