// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/ptx/ptxas_log.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kl::inline live {

/// Facts about compiled code from static analysis; small, but slow to compute.
struct CodeFacts {
    struct Kernel {
        KernelResources resources;
        std::map<std::string, std::int64_t> opcodes; ///< as opcodeMix

        bool operator==(const Kernel&) const = default;
    };
    std::string code;   ///< hash of the machine code
    double seconds = 0; ///< of compiling
    std::map<std::string, Kernel> kernels;

    bool operator==(const CodeFacts&) const = default;
};

/// From a compiler's output: cubin, PTX and the assembler's messages.
CodeFacts collectCodeFacts(std::string_view cubin, std::string_view ptx, std::string_view log);

/// One line of text, and its inverse; unset when it is not such a text.
std::string packFacts(const CodeFacts& facts);
std::optional<CodeFacts> unpackFacts(const std::string& text);

} // namespace kl::inline live
