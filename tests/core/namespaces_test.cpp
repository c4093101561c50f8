// SPDX-License-Identifier: MIT
// One namespace per module: the table of docs/dev/conventions.md, which is read here, against what each file opens.

#include "tests/core/support/source_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

using kl::test::kRoot;

using Namespaces = std::set<std::string>;

/// Folder to the namespaces that its files may open, as they are written: "kl::inline store".
using Table = std::map<std::string, Namespaces>;

std::string readAll(const fs::path& path)
{
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

Namespaces quotedIn(const std::string& cell)
{
    static const std::regex quoted("`([^`]+)`");
    Namespaces all;
    for (std::sregex_iterator each(cell.begin(), cell.end(), quoted), end; each != end; ++each)
        all.insert((*each)[1]);
    return all;
}

/// The rows "| `folder`, … | `kl::…`, … |" below a heading of a Markdown page, up to the next heading.
Table readTable(const std::string& page, const std::string& heading)
{
    static const std::regex row(R"(\|([^|]+)\|([^|]+)\|\s*)");
    Table table;
    bool inside = false;
    std::istringstream in(page);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with('#'))
            inside = line == heading;
        else if (std::smatch match; inside && std::regex_match(line, match, row))
            for (const std::string& folder : quotedIn(match[1]))
                table[folder] = quotedIn(match[2]);
    }
    return table;
}

/// The namespaces of the longest folder that the file is in; none where no row has one.
Namespaces namespacesFor(const Table& table, const std::string& file)
{
    const std::pair<const std::string, Namespaces>* best = nullptr;
    for (const auto& row : table)
        if (file.starts_with(row.first + '/') && (!best || row.first.size() > best->first.size()))
            best = &row;
    return best ? best->second : Namespaces{};
}

/// The longest namespace of the table that `name` is or is inside of; empty for none.
std::string findModule(const Table& table, const std::string& name)
{
    std::string best;
    for (const auto& [folder, names] : table)
        for (const std::string& each : names)
            if ((name == each || name.starts_with(each + "::")) && each.size() > best.size())
                best = each;
    return best;
}

/// What the file opens and may not: another module's namespace, but for a block of forward declarations, or one of no module. Also the
/// ends of such blocks whose comment names another.
std::vector<std::string> findBreaches(const Table& table, const std::string& file, const std::string& text)
{
    static const std::regex opening(R"((?:inline )?namespace (kl\b[\w: ]*?) *\{(.*))");
    static const std::regex forward(R"(\s*((template <[^<>]*> )?(class|struct|enum( class)?) \w+( : [\w:]+)?;\s*)*(//.*)?)");
    const Namespaces own = namespacesFor(table, file);
    std::vector<std::string> breaches;
    std::string open;    // the block that the line is in
    std::string foreign; // the same where it is another module's
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        std::smatch match;
        if (std::regex_match(line, match, opening)) {
            open = match[1];
            const std::string module = findModule(table, open);
            foreign = own.contains(module) ? "" : open;
            if (!foreign.empty() && module != open)
                breaches.push_back(std::exchange(foreign, ""));
        } else if (line.starts_with("} // namespace kl") || (line == "}" && !foreign.empty())) {
            if (line != "}" && line != "} // namespace " + open)
                breaches.push_back(line);
            open.clear();
            foreign.clear();
        } else if (!foreign.empty() && !std::regex_match(line, forward)) {
            breaches.push_back(std::exchange(foreign, ""));
        }
    }
    return breaches;
}

Table conventions()
{
    return readTable(readAll(kRoot / "docs/dev/conventions.md"), "## Namespaces");
}

TEST(ModuleNamespaces, AreThoseOfTheConventions)
{
    const Table table = conventions();
    int seen = 0;
    for (const char* layer : {"core", "kernels", "profiler", "sessions", "ui", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / layer)) {
            if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp")
                continue;
            ++seen;
            const std::string file = fs::relative(entry.path(), kRoot).string();
            EXPECT_FALSE(namespacesFor(table, file).empty()) << file << ": its folder has no row in docs/dev/conventions.md";
            for (const std::string& name : findBreaches(table, file, readAll(entry.path())))
                ADD_FAILURE() << file << " opens " << name;
        }
    EXPECT_GT(seen, 1000) << "the check found hardly any source: is the source folder right?";
}

TEST(ModuleNamespaces, NoTwoModulesShareOne)
{
    std::map<std::string, Namespaces> folders;
    for (const auto& [folder, names] : conventions())
        for (const std::string& name : names)
            folders[name].insert(folder);
    ASSERT_GT(folders.size(), 25U) << "the table was not found";
    EXPECT_EQ(folders["kl"], (Namespaces{"core/base", "core/model", "core/codec"}));
    EXPECT_EQ(folders["kl::ui"], (Namespaces{"ui", "app/kernelloop"}));
    for (const auto& [name, sharing] : folders)
        EXPECT_TRUE(sharing.size() == 1 || name == "kl" || name == "kl::ui") << name;
}

TEST(ModuleNamespaces, BreachesAreFound)
{
    const Table table = readTable("## Other\n| `d` | `kl::d` |\n## Namespaces\n\n| folder | namespace |\n| --- | --- |\n"
                                  "| `a/base`, `a/model` | `kl` |\n| `a` | `kl::inline a` |\n| `b` | `kl::b`, `kl::c` |\n",
                                  "## Namespaces");
    ASSERT_EQ(table.size(), 4U);

    using Breaches = std::vector<std::string>;
    const auto breaches = [&](const char* file, const char* text) { return findBreaches(table, file, text); };
    EXPECT_EQ(breaches("a/base/x.h", "namespace kl {\nint f();\n} // namespace kl\n"), Breaches{});
    EXPECT_EQ(breaches("a/x.h", "namespace kl::inline a {\nint f();\n}\nnamespace kl::inline a::part {\nint f();\n}\n"), Breaches{});
    EXPECT_EQ(breaches("b/x.cpp", "namespace kl::c {\nint f();\n}\nnamespace {\nint g();\n}\n"), Breaches{});
    EXPECT_EQ(breaches("a/x.h", "namespace kl {\nint f();\n}\n"), Breaches{"kl"});
    EXPECT_EQ(breaches("a/x.h", "namespace kl::a {\nint f();\n}\n"), Breaches{"kl::a"}) << "not inline";
    EXPECT_EQ(breaches("a/base/x.h", "namespace kl::detail {\nint f();\n}\n"), Breaches{});
    EXPECT_EQ(breaches("a/base/x.h", "namespace kl::inline a {\nint f();\n}\n"), Breaches{"kl::inline a"});
    EXPECT_EQ(breaches("b/x.h", "namespace kl::bc {\nclass X;\n}\n"), Breaches{"kl::bc"}) << "of no module";

    EXPECT_EQ(breaches("b/x.h", "namespace kl {\nstruct Run;\nenum class Kind : int;\n}\n\nnamespace kl::b {\nint f();\n}\n"), Breaches{});
    EXPECT_EQ(breaches("b/x.h", "namespace kl::b {\nint f();\n} // namespace kl\n"), Breaches{"} // namespace kl"});
    EXPECT_EQ(breaches("b/x.h", "namespace kl {\nstruct Run;\nstruct Own {\n};\n}\n"), Breaches{"kl"});
}

} // namespace
