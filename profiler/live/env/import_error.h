// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kl::inline live::env {

/// The context of an extension that cannot be imported.
struct ImportFacts {
    std::string module;
    std::string message;               ///< "ImportError: /x/fast.so: undefined symbol: _ZN3c10…"
    std::optional<bool> torchCxx11Abi; ///< torch.compiled_with_cxx11_abi(); unset without torch
    std::string torch;                 ///< its version; empty: not installed
    std::string pythonTag;             ///< "cpython-312"
    std::vector<std::string> built;    ///< shared libraries named like the module in its folder
};

struct ImportExplanation {
    std::string found; ///< one sentence or two: the cause, with the demangled symbol where there is one
    std::string fix;
};

/// Why a python extension cannot be imported: the known mismatches of such modules (ABI of std::string, c10::Half against half,
/// another torch, another python, a missing source, a library that the loader does not find), each with its fix. An unknown
/// cause is the message itself.
ImportExplanation explainImport(const ImportFacts& facts);

/// A demangled C++ symbol; any other text unchanged.
std::string demangle(const std::string& symbol);

} // namespace kl::inline live::env
