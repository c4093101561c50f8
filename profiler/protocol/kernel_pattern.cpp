// SPDX-License-Identifier: MIT
#include "profiler/protocol/kernel_pattern.h"

#include <array>
#include <regex.h>

namespace kl::inline protocol {

struct KernelPattern::Compiled {
    regex_t expression{};
    bool valid = false;

    Compiled() = default;
    Compiled(const Compiled&) = delete;
    Compiled& operator=(const Compiled&) = delete;
    ~Compiled()
    {
        if (valid)
            ::regfree(&expression);
    }
};

Result<KernelPattern> KernelPattern::parse(const std::string& text)
{
    KernelPattern pattern;
    if (text.empty())
        return pattern;
    auto compiled = std::make_shared<Compiled>();
    const int problem = ::regcomp(&compiled->expression, text.c_str(), REG_EXTENDED | REG_NOSUB);
    if (problem != 0) {
        std::array<char, 200> why{};
        ::regerror(problem, &compiled->expression, why.data(), why.size());
        return Error{.code = ErrorCode::usage,
                     .message = "\"" + text + "\" is not a regular expression: " + why.data() + ".",
                     .hint = "It is matched against demangled kernel names, e.g. gemm|sdpa.",
                     .where = "--kernel"};
    }
    compiled->valid = true;
    pattern.compiled_ = std::move(compiled);
    return pattern;
}

bool KernelPattern::matches(const std::string& demangledName) const
{
    return !compiled_ || ::regexec(&compiled_->expression, demangledName.c_str(), 0, nullptr, 0) == 0;
}

} // namespace kl::inline protocol
