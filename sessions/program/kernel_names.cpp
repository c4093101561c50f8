// SPDX-License-Identifier: MIT
#include "core/base/ids.h"
#include "sessions/program/program_profile.h"

#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kl::inline program {
namespace {

constexpr std::size_t kSlugLength = 40;
constexpr std::size_t kNamesListed = 8;
constexpr std::size_t kListedLength = 60; ///< characters of a name

/// Position where the argument list begins: the first '(' outside of angle brackets that is not "(anonymous namespace)".
std::size_t argumentsAt(const std::string& name)
{
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<')
            ++depth;
        else if (name[i] == '>' && (i == 0 || name[i - 1] != '-'))
            --depth;
        else if (name[i] == '(' && depth == 0 && name.compare(i, 11, "(anonymous ") != 0)
            return i;
    }
    return name.size();
}

/// Position after the last blank or "::" outside of brackets.
std::size_t bareNameAt(const std::string& name)
{
    int depth = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<' || name[i] == '(')
            ++depth;
        else if (name[i] == '>' || name[i] == ')')
            --depth;
        else if (depth == 0 && (name[i] == ' ' || name[i] == ':'))
            at = i + 1;
    }
    return at;
}

} // namespace

std::string shortKernelName(const std::string& demangledName)
{
    const std::string name = demangledName.substr(0, argumentsAt(demangledName));
    const std::string bare = name.substr(bareNameAt(name));
    return bare.empty() ? demangledName : bare;
}

std::string listKernelNames(const std::set<std::string>& demangledNames)
{
    std::set<std::string> names;
    for (const std::string& name : demangledNames)
        names.insert(shortKernelName(name));
    std::vector<std::string> listed;
    for (const std::string& name : names)
        if (listed.size() < kNamesListed)
            listed.push_back(name.size() > kListedLength ? name.substr(0, kListedLength - 1) + "…" : name);
    const std::size_t more = names.size() - listed.size();
    return fmt::format("{}{}", fmt::join(listed, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string kernelSlug(const std::string& mangled)
{
    std::string slug;
    const std::string name = shortKernelName(demangle(mangled));
    for (const char c : name.substr(0, name.find('<'))) {
        if (std::isalnum(static_cast<unsigned char>(c)))
            slug += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!slug.empty() && slug.back() != '-')
            slug += '-';
        if (slug.size() == kSlugLength)
            break;
    }
    while (!slug.empty() && slug.back() == '-')
        slug.pop_back();
    return (slug.empty() ? "kernel" : slug) + '-' + contentHash(mangled).substr(0, 6);
}

} // namespace kl::inline program
