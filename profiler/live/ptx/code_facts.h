// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/ptx/ptxas_log.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kl {

/// What is told of compiled code without running it; small, where finding it out takes time.
struct CodeFacts {
    struct Kernel {
        KernelResources resources;
        std::map<std::string, std::int64_t> opcodes; ///< as opcodeMix

        bool operator==(const Kernel&) const = default;
    };
    std::string code;   ///< hash of the machine code
    double seconds = 0; ///< that compiling took
    std::map<std::string, Kernel> kernels;

    bool operator==(const CodeFacts&) const = default;
};

/// From what a compiler gave: cubin, PTX and the assembler's words.
CodeFacts codeFactsOf(std::string_view cubin, std::string_view ptx, std::string_view log);

/// One line of text, and back; nothing when it is no such text.
std::string packFacts(const CodeFacts& facts);
std::optional<CodeFacts> unpackFacts(const std::string& text);

} // namespace kl
