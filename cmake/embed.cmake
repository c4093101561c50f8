# kl_embed(TARGET FILES...): embeds data files in a target, one object section each through .incbin, and generates
# the table that core/base/resource_table.h declares. The generated source is rebuilt when any file changes.
function(kl_embed target)
  list(SORT ARGN)
  set(declarations "")
  set(rows "")
  set(assembly "")
  set(index 0)
  foreach(file IN LISTS ARGN)
    file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}" "${file}")
    set(symbol "kl_embedded_${index}")
    string(APPEND declarations "extern \"C\" const char ${symbol}[];\nextern \"C\" const char ${symbol}_end[];\n")
    string(APPEND assembly "__asm__(\".section .rodata\\n.global ${symbol}\\n${symbol}:\\n.incbin \\\"${file}\\\"\\n.global ${symbol}_end\\n${symbol}_end:\\n.byte 0\\n.previous\\n\");\n")
    string(APPEND rows "        {\"${name}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  set(source "${PROJECT_BINARY_DIR}/generated/embedded_files.cpp")
  set(text "#include \"core/base/resource_table.h\"\n#include <array>\n#include <cstddef>\n${declarations}${assembly}
namespace kl {
std::span<const EmbeddedFile> embeddedFiles()
{
    static const std::array<EmbeddedFile, ${index}> files{{\n${rows}    }};
    return files;
}
} // namespace kl\n")
  file(CONFIGURE OUTPUT "${source}" CONTENT "${text}" @ONLY)
  set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${ARGN}" SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE "${source}")
endfunction()
