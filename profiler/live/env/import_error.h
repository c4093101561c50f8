// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kl::env {

/// What is known around an extension that does not import.
struct ImportFacts {
    std::string module;
    std::string message;               ///< "ImportError: /x/fast.so: undefined symbol: _ZN3c10…"
    std::optional<bool> torchCxx11Abi; ///< torch.compiled_with_cxx11_abi(); nothing without torch
    std::string torch;                 ///< its version; empty: not there
    std::string pythonTag;             ///< "cpython-312"
    std::vector<std::string> built;    ///< shared libraries called like the module where it should lie
};

struct ImportExplanation {
    std::string found; ///< one sentence or two: the cause, with the demangled symbol where there is one
    std::string fix;
};

/// Why a python extension does not import: the mismatches that such modules are known for (ABI of std::string, c10::Half against half,
/// another torch, another python, a missing source, a library that the loader does not find), each with its fix. An unknown
/// cause is the message itself.
ImportExplanation explainImport(const ImportFacts& facts);

/// A C++ symbol as people write it; the text itself where it is none.
std::string demangled(const std::string& symbol);

} // namespace kl::env
