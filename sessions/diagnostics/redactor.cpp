// SPDX-License-Identifier: MIT
#include "sessions/diagnostics/redactor.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <pwd.h>
#include <regex>
#include <unistd.h>

namespace kl::inline diagnostics {
namespace {

constexpr std::size_t kShortestName = 2;     ///< characters; shorter names are part of too many words
constexpr std::size_t kLongestExtension = 9; ///< with its dot: ".ncu-repz"
constexpr std::size_t kMostNames = 256;      ///< bytes of a host's name

/// `text` with what `make` returns in place of each match.
std::string replaceEach(const std::string& text, const std::regex& what, const std::function<std::string(const std::smatch&)>& make)
{
    std::string out;
    auto at = text.begin();
    for (std::sregex_iterator found(text.begin(), text.end(), what), end; found != end; ++found) {
        out.append(at, (*found)[0].first);
        out += make(*found);
        at = (*found)[0].second;
    }
    return out.append(at, text.end());
}

std::string escapeRegex(const std::string& word)
{
    static const std::regex special(R"([.^$|()\[\]{}*+?\\/-])");
    return std::regex_replace(word, special, R"(\$&)");
}

/// The word where it is not a part of a longer one.
std::regex wholeWord(const std::string& word)
{
    return std::regex("(^|[^A-Za-z0-9_])" + escapeRegex(word) + "(?![A-Za-z0-9_])", std::regex::icase);
}

bool isOfTheSystem(const std::string& path)
{
    constexpr std::array kFolders = {"/usr/", "/lib/", "/lib64/", "/proc/", "/dev/", "/sys/", "/opt/nvidia/"};
    return std::ranges::any_of(kFolders, [&](const char* folder) { return (path + '/').starts_with(folder); }) &&
           !path.starts_with("/usr/home/");
}

/// ".db" of "/a/b.db"; empty without a plain one.
std::string findExtension(const std::string& path)
{
    const std::size_t name = path.find_last_of('/');
    const std::size_t dot = path.find_last_of('.');
    if (dot == std::string::npos || (name != std::string::npos && dot <= name + 1) || path.size() - dot > kLongestExtension)
        return {};
    const std::string found = path.substr(dot);
    const bool plain = std::all_of(found.begin() + 1, found.end(), [](unsigned char c) { return std::isalnum(c) || c == '-'; });
    return plain ? found : std::string();
}

bool mixesLettersAndDigits(const std::string& word)
{
    return std::ranges::any_of(word, [](unsigned char c) { return std::isdigit(c); }) &&
           std::ranges::any_of(word, [](unsigned char c) { return std::isalpha(c); });
}

void addName(std::vector<std::string>& names, const std::string& name)
{
    if (name.size() >= kShortestName && name != "localhost" && name != "root" && std::ranges::find(names, name) == names.end())
        names.push_back(name);
}

void longestFirst(std::vector<std::string>& names)
{
    std::ranges::stable_sort(names, [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}

} // namespace

PrivateWords privateWords()
{
    PrivateWords words;
    if (const char* home = std::getenv("HOME"); home != nullptr) // NOLINT(concurrency-mt-unsafe): never changed
        words.home = home;
    for (const char* name : {"USER", "LOGNAME"})
        if (const char* user = std::getenv(name); user != nullptr) // NOLINT(concurrency-mt-unsafe): never changed
            words.users.emplace_back(user);
    if (const passwd* entry = ::getpwuid(::getuid()); entry != nullptr) { // NOLINT(concurrency-mt-unsafe): one caller
        words.users.emplace_back(entry->pw_name);
        const std::string full = entry->pw_gecos == nullptr ? std::string() : std::string(entry->pw_gecos);
        words.users.push_back(full.substr(0, full.find(',')));
    }
    std::array<char, kMostNames> host = {};
    if (::gethostname(host.data(), host.size() - 1) == 0)
        words.hosts.emplace_back(host.data());
    return words;
}

Redactor::Redactor(const PrivateWords& words)
{
    for (const std::string& user : words.users)
        addName(words_.users, user);
    for (const std::string& host : words.hosts) {
        const std::size_t at = host.find('@');
        const std::string name = at == std::string::npos ? host : host.substr(at + 1);
        if (at != std::string::npos)
            addName(words_.users, host.substr(0, at));
        addName(words_.hosts, name);
        addName(words_.hosts, name.substr(0, name.find('.'))); // its short name
    }
    for (const std::string& path : words.paths)
        if (const std::size_t name = path.find_last_of('/'); name != std::string::npos && name > 0) {
            words_.paths.push_back(path);
            words_.paths.push_back(path.substr(0, name));
        }
    for (const std::string& name : words.names)
        addName(words_.names, name);
    for (std::vector<std::string>* list : {&words_.users, &words_.hosts, &words_.paths, &words_.names})
        longestFirst(*list);
    words_.home = words.home;
    while (words_.home.size() > 1 && words_.home.ends_with('/'))
        words_.home.pop_back();
}

std::string Redactor::placeholder(const std::string& kind, const std::string& original)
{
    auto& numbers = seen_[kind];
    const int number = numbers.emplace(original, static_cast<int>(numbers.size()) + 1).first->second;
    return fmt::format("<{} {}>", kind, number);
}

std::string Redactor::hidePaths(std::string text)
{
    for (const std::string& path : words_.paths)
        text = replaceEach(text, wholeWord(path),
                           [&](const std::smatch& m) { return m[1].str() + placeholder("path", path) + findExtension(path); });
    if (words_.home.size() > 1)
        text = replaceEach(text, wholeWord(words_.home), [](const std::smatch& m) { return m[1].str() + "~"; });
    return text;
}

std::string Redactor::redact(const std::string& text)
{
    using Match = std::smatch;
    static const std::regex url(R"([A-Za-z][A-Za-z0-9+.-]*://[^\s"'`<>]+)");
    static const std::regex mail(R"([A-Za-z0-9._%+-]+@[A-Za-z0-9][A-Za-z0-9.-]*)");
    static const std::regex command("(^|[\\s(=])([\"'`])([^\"'`\\s]*[ \\t][^\"'`\\n]*)\\2");
    static const std::regex option(R"((^|\s)(--?[A-Za-z][\w-]*)(=|[ \t]+)(?!-)([^\s,;]+))");
    static const std::regex assignment(R"(([A-Za-z_][A-Za-z0-9_.-]*)=([^\s,;]+))");
    static const std::regex secret(
        R"(((?:token|password|passwd|secret|api[_-]?key|bearer)["']?\s*[:=]?\s+|(?:token|password|secret|key):)([^\s<]+))",
        std::regex::icase);
    static const std::regex gpu(R"((?:GPU|MIG)-[0-9a-fA-F][0-9a-fA-F-]{7,})");
    static const std::regex mac(R"((?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2})");
    static const std::regex ipv6(R"((?:[0-9a-fA-F]{1,4}:){3,7}[0-9a-fA-F]{0,4}|[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4})*::[0-9a-fA-F:]*)");
    static const std::regex ipv4(R"((^|[^\d.])((?:\d{1,3}\.){3}\d{1,3})(?![\d.]))");
    static const std::regex path(R"((^|[^A-Za-z0-9_.<])((?:~|\.\.?)?/[^\s"'`:;,()<>|]+))");
    static const std::regex file(
        R"((^|[\s("'=])([A-Za-z0-9_./-]+\.(?:py|cuh?|cpp|cc|c|h|hpp|sh|json|ya?ml|toml|txt|db|log|so))(?![A-Za-z0-9.]))");
    static const std::regex key(R"([A-Za-z0-9_+/=-]{20,})");

    std::string out = hidePaths(text);
    out = replaceEach(out, command, [](const Match& m) {
        const std::string quote = m[2];
        const std::string words = m[3];
        return m[1].str() + quote + words.substr(0, words.find_first_of(" \t")) + " <arguments>" + quote;
    });
    out = replaceEach(out, url, [&](const Match& m) { return placeholder("address", m[0]); });
    out = replaceEach(out, mail, [&](const Match& m) { return placeholder("address", m[0]); });
    out = replaceEach(out, option, [](const Match& m) { return m[1].str() + m[2].str() + m[3].str() + "<value>"; });
    out = replaceEach(out, assignment, [](const Match& m) { return m[1].str() + "=<value>"; });
    out = replaceEach(out, secret, [](const Match& m) { return m[1].str() + "<hidden>"; });
    out = replaceEach(out, path, [&](const Match& m) {
        const std::string found = m[2];
        return m[1].str() + (isOfTheSystem(found) ? found : placeholder("path", found) + findExtension(found));
    });
    out = replaceEach(out, file, [&](const Match& m) {
        const std::string found = m[2];
        return m[1].str() + (isOfTheSystem(found) ? found : placeholder("file", found) + findExtension(found));
    });
    out = replaceEach(out, gpu, [&](const Match& m) { return placeholder("gpu", m[0]); });
    out = replaceEach(out, mac, [&](const Match& m) { return placeholder("address", m[0]); });
    out = replaceEach(out, ipv6, [&](const Match& m) { return placeholder("address", m[0]); });
    out = replaceEach(out, ipv4, [&](const Match& m) { return m[1].str() + placeholder("address", m[2]); });
    for (const std::string& name : words_.names)
        out = replaceEach(out, wholeWord(name), [&](const Match& m) { return m[1].str() + placeholder("name", name); });
    for (const std::string& host : words_.hosts)
        out = replaceEach(out, wholeWord(host), [&](const Match& m) { return m[1].str() + placeholder("host", host); });
    for (const std::string& user : words_.users)
        out = replaceEach(out, wholeWord(user), [](const Match& m) { return m[1].str() + "<user>"; });
    out = replaceEach(out, key, [](const Match& m) {
        const std::string word = m[0];
        return mixesLettersAndDigits(word) ? std::string("<hidden>") : word;
    });
    return out;
}

} // namespace kl::inline diagnostics
