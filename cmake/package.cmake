# What `./dev package` packs: the programs, and in lib/ every library that they need but those of the C and C++ run time and of NVIDIA, of
# which each host has its own. The old kind of rpath, since it holds for what their libraries need, too.
set(kl_programs "")
foreach(program kloop kloop-worker kernelloop)
  if(TARGET ${program})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
    target_link_options(${program} PRIVATE -Wl,--disable-new-dtags)
    install(TARGETS ${program} RUNTIME)
    list(APPEND kl_programs "$<TARGET_FILE:${program}>")
  endif()
endforeach()

# Qt's platforms and picture formats are opened by name, so nothing links them.
set(kl_plugins "")
if(KL_BUILD_GUI)
  get_target_property(qt_core Qt6::Core LOCATION)
  get_filename_component(qt_libraries "${qt_core}" DIRECTORY)
  foreach(plugin platforms/libqoffscreen.so platforms/libqxcb.so imageformats/libqsvg.so)
    if(EXISTS "${qt_libraries}/qt6/plugins/${plugin}")
      get_filename_component(folder "${plugin}" DIRECTORY)
      install(FILES "${qt_libraries}/qt6/plugins/${plugin}" DESTINATION plugins/${folder})
      list(APPEND kl_plugins "${qt_libraries}/qt6/plugins/${plugin}")
    endif()
  endforeach()
  install(FILES "${CMAKE_CURRENT_LIST_DIR}/qt.conf" DESTINATION bin)
endif()

install(CODE "set(programs \"${kl_programs}\")\nset(plugins \"${kl_plugins}\")")
install(CODE [[
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} MODULES ${plugins}
    RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing
    PRE_EXCLUDE_REGEXES "^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|stdc\\+\\+|gcc_s|cuda|nvidia-.*|cupti|nvrtc)\\.so.*)$")
  if(missing)
    message(FATAL_ERROR "These libraries are needed and are not here: ${missing}")
  endif()
  foreach(library IN LISTS found)
    file(INSTALL "${library}" DESTINATION "${CMAKE_INSTALL_PREFIX}/lib" TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)
  endforeach()
]])

set(CPACK_PACKAGE_NAME kernelloop)
include(CPack)
