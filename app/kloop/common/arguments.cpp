// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace kl::cli {

CLI::Option* addRepeated(CLI::App& app, const char* name, std::vector<std::string>& values, const std::string& help)
{
    return app.add_option(name, values, help)->allow_extra_args(false);
}

CLI::Option* addProblems(CLI::App& app, std::vector<std::string>& problems, const char* help)
{
    return addRepeated(app, "--problem", problems, help)->check(notBlank);
}

CLI::Option* addSessionOption(CLI::App& app, std::string& session, const char* help)
{
    return app.add_option("--session", session, help);
}

CLI::Option* addKernelFilter(CLI::App& app, std::string& expression, const char* chosen)
{
    return app.add_option(
        "--kernel", expression,
        fmt::format("{} whose name matches this regular expression (POSIX extended, case-sensitive, any part of the name)", chosen));
}

std::string notBlank(const std::string& text)
{
    return text.find_first_not_of(" \t\n") == std::string::npos ? "must not be blank" : std::string();
}

/// CLI11's own check prints the whole range of a double.
std::string positiveNumber(const std::string& text)
{
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end && *end == '\0' && std::isfinite(value) && value > 0 ? std::string() : '"' + text + "\" is not a number above 0";
}

std::string finiteNumber(const std::string& text)
{
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end && *end == '\0' && std::isfinite(value) ? std::string() : '"' + text + "\" is not a number";
}

} // namespace kl::cli
