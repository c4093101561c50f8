// SPDX-License-Identifier: MIT
#include "profiler/live/env/import_error.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <fmt/format.h>
#include <memory>

namespace kl::inline live::env {
namespace {

bool has(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

/// The word that follows `mark`; empty without it.
std::string wordAfter(const std::string& text, std::string_view mark)
{
    const auto at = text.find(mark);
    if (at == std::string::npos)
        return {};
    const auto from = text.find_first_not_of(" '\"`:", at + mark.size());
    if (from == std::string::npos)
        return {};
    return text.substr(from, text.find_first_of(" '\"`),;:\n", from) - from);
}

bool ofTorch(const std::string& name)
{
    return has(name, "c10::") || has(name, "at::") || has(name, "torch::") || has(name, "caffe2::");
}

/// Whether a mangled name has std::string of the old ABI ("Ss") in it, as a parameter or a result.
bool oldString(const std::string& symbol)
{
    for (const char* part : {"RKSs", "RSs", "ESs", "vSs", "S_Ss"})
        if (has(symbol, part))
            return true;
    return symbol.ends_with("Ss");
}

ImportExplanation abiMismatch(const std::string& name, bool torchHasNew)
{
    return {fmt::format(
                "The extension and torch disagree on std::string: torch is built with _GLIBCXX_USE_CXX11_ABI={}, the extension with {}. "
                "Missing: {}",
                torchHasNew ? 1 : 0, torchHasNew ? 0 : 1, name),
            fmt::format("Build it with -D_GLIBCXX_USE_CXX11_ABI={} (torch.utils.cpp_extension sets it by itself), after removing its build "
                        "folder.",
                        torchHasNew ? 1 : 0)};
}

std::optional<ImportExplanation> halfMismatch(const std::string& name)
{
    const bool cudaHalf = has(name, "__half") || has(name, "__nv_bfloat16");
    if (cudaHalf && ofTorch(name))
        return ImportExplanation{fmt::format("torch uses c10::Half and c10::BFloat16, not CUDA's half types: {} does not exist", name),
                                 "Use data_ptr<at::Half>() (at::BFloat16) and cast the pointer: reinterpret_cast<__half*>(...)."};
    if (cudaHalf || has(name, "c10::Half") || has(name, "c10::BFloat16"))
        return ImportExplanation{
            fmt::format("{} is called but never defined: one side is written for c10::Half, the other for CUDA's half", name),
            "Instantiate the function for the type that the call passes, or cast: reinterpret_cast<__half*>(tensor.data_ptr<at::Half>())."};
    return {};
}

ImportExplanation explainUndefined(const std::string& symbol, const ImportFacts& facts)
{
    const std::string name = demangle(symbol);
    if (ofTorch(name) && facts.torchCxx11Abi && (has(symbol, "__cxx11") != *facts.torchCxx11Abi) &&
        (has(symbol, "__cxx11") || oldString(symbol)))
        return abiMismatch(name, *facts.torchCxx11Abi);
    if (const auto half = halfMismatch(name))
        return *half;
    if (ofTorch(name))
        return {fmt::format("The extension was built against a different torch version than {}: {} is missing",
                            facts.torch.empty() ? "the installed one" : facts.torch, name),
                "Rebuild it with the installed torch, after removing its build folder."};
    if (symbol.starts_with("cuda") || symbol.starts_with("__cuda"))
        return {fmt::format("The CUDA runtime has no {}: the extension is not linked with it, or with another version", symbol),
                "Use torch.utils.cpp_extension.CUDAExtension, or link libcudart of torch.version.cuda."};
    if (symbol.starts_with("Py") || symbol.starts_with("_Py"))
        return {fmt::format("This python has no {}: the extension was built for another version", symbol),
                "Rebuild it with the python that imports it."};
    return {fmt::format("{} is declared and called, but no source that was compiled defines it", name),
            "Add the file that defines it to the sources of setup.py or CMakeLists.txt; check that the signature and extern \"C\" match."};
}

ImportExplanation explainNotFound(const ImportFacts& facts)
{
    for (const std::string& file : facts.built)
        if (has(file, "cpython-") && !has(file, facts.pythonTag))
            return {fmt::format("It is built for another python version: {} (this is {})", file, facts.pythonTag),
                    "Rebuild it with the python that imports it, or set KLOOP_PYTHON to that python."};
    return {fmt::format("There is no module {} at the place that the project file gives", facts.module),
            "Check \"module\" and \"import_folder\" of kernelloop.json: the build must put the module's .so there."};
}

} // namespace

std::string demangle(const std::string& symbol)
{
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? std::string(text.get()) : symbol;
}

ImportExplanation explainImport(const ImportFacts& facts)
{
    const std::string& message = facts.message;
    if (const std::string symbol = wordAfter(message, "undefined symbol"); !symbol.empty())
        return explainUndefined(symbol, facts);
    if (has(message, "cannot open shared object file")) {
        const std::string library = message.substr(0, message.find(": cannot open"));
        const std::string name = library.substr(library.find_last_of(" /") + 1);
        if (name.starts_with("libc10") || name.starts_with("libtorch"))
            return {fmt::format("{} belongs to torch and is not in the library search path", name),
                    "Import torch before the extension: it loads its libraries."};
        return {fmt::format("{}, which the extension is linked with, was not found", name),
                name.starts_with("libcud") || name.starts_with("libcu")
                    ? "Build it with the installed CUDA version (torch.version.cuda), or add their folder to LD_LIBRARY_PATH."
                    : "Install the package that has it, or add its folder to LD_LIBRARY_PATH."};
    }
    if (has(message, "GLIBCXX_") || has(message, "CXXABI_"))
        return {
            fmt::format("The compiler that built it is newer than the C++ library that python loads: {}", message),
            "Build it with an older g++, or use a python environment with a newer libstdc++ (conda install -c conda-forge libstdcxx-ng)."};
    if (has(message, "does not define module export function"))
        return {fmt::format("The library has no PyInit_{}: PYBIND11_MODULE uses a different name", facts.module),
                "Write PYBIND11_MODULE(TORCH_EXTENSION_NAME, m), or use the same name in setup.py and the source."};
    if (has(message, "No module named"))
        return wordAfter(message, "No module named") == facts.module ||
                       facts.module.starts_with(wordAfter(message, "No module named") + ".")
                   ? explainNotFound(facts)
                   : ImportExplanation{message, "Install that module: python3 -m pip install " + wordAfter(message, "No module named")};
    return {message, "Import it by hand to see more: python3 -c 'import torch, " + facts.module + "'"};
}

} // namespace kl::inline live::env
