// SPDX-License-Identifier: MIT
// The documents against the tree: every file and link that they name exists, and the protocol page has every field.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kTree = KL_SOURCE_DIR;

std::string readText(const fs::path& file)
{
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Relative to the root. Not CHANGELOG.md, which may name what is gone.
std::vector<fs::path> documents()
{
    std::vector<fs::path> all{"README.md", "HACKING.md", "CONTRIBUTING.md"};
    for (const auto& entry : fs::recursive_directory_iterator(kTree / "docs"))
        if (entry.path().extension() == ".md")
            all.push_back(fs::relative(entry.path(), kTree));
    std::sort(all.begin(), all.end());
    return all;
}

std::string withoutCodeBlocks(const std::string& text)
{
    static const std::regex block("```[^`]*```");
    return std::regex_replace(text, block, "");
}

std::vector<std::string> matches(const std::string& text, const std::regex& pattern)
{
    std::vector<std::string> found;
    for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i)
        found.push_back((*i)[1]);
    return found;
}

std::vector<std::string> listLinks(const std::string& text)
{
    static const std::regex link(R"(\]\(([^)\s]+)\))");
    std::vector<std::string> relative;
    for (const std::string& target : matches(withoutCodeBlocks(text), link))
        if (target.find("://") == std::string::npos)
            relative.push_back(target);
    return relative;
}

/// As GitHub makes them: "Two times" is #two-times.
std::set<std::string> listAnchors(const std::string& text)
{
    static const std::regex heading(R"((?:^|\n)#+ ([^\n]+))");
    std::set<std::string> anchors;
    for (const std::string& title : matches(withoutCodeBlocks(text), heading)) {
        std::string anchor;
        for (const char c : title) {
            if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
                anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            else if (c == ' ')
                anchor += '-';
        }
        anchors.insert(anchor);
    }
    return anchors;
}

/// The first words of inline code that are paths of this tree: `core/base/error.h`, `tests/bench/quick.py --rounds 2`.
std::vector<std::string> listPaths(const std::string& text)
{
    static const std::regex path("`((?:core|kernels|profiler|sessions|ui|app|tests|resources|cmake|docs)/[^`\\s]*)[^`]*`");
    return matches(withoutCodeBlocks(text), path);
}

/// Whether a name fits a pattern in which * stands for any characters.
bool fits(const std::string& name, const std::string& pattern)
{
    std::string expression;
    for (const char c : pattern)
        expression += c == '*'                                      ? std::string(".*")
                      : std::isalnum(static_cast<unsigned char>(c)) ? std::string(1, c)
                                                                    : std::string("\\") + c;
    return std::regex_match(name, std::regex(expression));
}

/// A folder, a file, a source or header without its suffix, a pattern with *, or, of a name to be chosen (NAME, KIND), its parent.
bool exists(const fs::path& folder, const fs::path& path)
{
    if (path.empty())
        return fs::exists(folder);
    const std::string part = path.begin()->string();
    const fs::path rest = path.lexically_relative(part) == "." ? fs::path() : path.lexically_relative(part);
    if (part.find("NAME") != std::string::npos || part.find("KIND") != std::string::npos)
        return fs::is_directory(folder);
    if (part.find('*') != std::string::npos) {
        for (const auto& entry : fs::directory_iterator(folder))
            if (fits(entry.path().filename().string(), part) && exists(entry.path(), rest))
                return true;
        return false;
    }
    if (rest.empty())
        return fs::exists(folder / part) || fs::exists(folder / (part + ".h")) || fs::exists(folder / (part + ".cpp"));
    return fs::is_directory(folder / part) && exists(folder / part, rest);
}

TEST(Documents, EveryLinkLeadsToAFileAndAHeading)
{
    int seen = 0;
    for (const fs::path& document : documents()) {
        const std::string text = readText(kTree / document);
        for (const std::string& link : listLinks(text)) {
            ++seen;
            const std::string file = link.substr(0, link.find('#'));
            const fs::path target = file.empty() ? kTree / document : kTree / document.parent_path() / file;
            ASSERT_TRUE(fs::exists(target)) << document << " links to " << link;
            if (const auto hash = link.find('#'); hash != std::string::npos) {
                EXPECT_TRUE(listAnchors(readText(target)).contains(link.substr(hash + 1))) << document << " links to " << link;
            }
        }
    }
    EXPECT_GT(seen, 50);
}

TEST(Documents, EveryPathIsInTheTree)
{
    int seen = 0;
    for (const fs::path& document : documents())
        for (const std::string& path : listPaths(readText(kTree / document))) {
            ++seen;
            EXPECT_TRUE(exists(kTree, fs::path(path).lexically_normal())) << document << " names " << path;
        }
    EXPECT_GT(seen, 100);
}

TEST(Documents, EveryFileThatACommentNamesIsInTheTree)
{
    static const std::regex path(R"(//.*[^\w/.-]((?:core|kernels|profiler|sessions|ui|app|tests|resources|cmake|docs)/)"
                                 R"([\w./-]+\.(?:cpp|h|md|json|py|tsv))\b)");
    int seen = 0;
    for (const char* folder : {"core", "kernels", "profiler", "sessions", "ui", "app", "tests"})
        for (const auto& entry : fs::recursive_directory_iterator(kTree / folder)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h")
                continue;
            for (const std::string& named : matches(readText(entry.path()), path)) {
                ++seen;
                EXPECT_TRUE(exists(kTree, fs::path(named).lexically_normal())) << entry.path() << " names " << named;
            }
        }
    EXPECT_GT(seen, 20);
}

/// A recipe marks the files that it touches: **`core/diagnosis/classes.h`**.
TEST(Documents, EachRecipeListsFilesThatExist)
{
    static const std::regex marked(R"(\*\*`([^`]+)`\*\*)");
    int recipes = 0;
    for (const fs::path& document : documents()) {
        if (!document.filename().string().starts_with("add-a"))
            continue;
        ++recipes;
        const std::vector<std::string> files = matches(readText(kTree / document), marked);
        EXPECT_GE(files.size(), 4U) << document;
        for (const std::string& file : files)
            EXPECT_TRUE(exists(kTree, fs::path(file).lexically_normal())) << document << " lists " << file;
    }
    EXPECT_GE(recipes, 9);
}

TEST(Documents, EachCommandOfDevIsOneThatItsHelpDescribes)
{
    static const std::regex shown(R"(\./dev ([a-z][a-z-]*(?: --[a-z][a-z0-9-]*)*))");
    const std::string script = readText(kTree / "dev");
    const std::string usage = script.substr(script.find("<<'TXT'"), script.find("\nTXT\n") - script.find("<<'TXT'"));
    std::size_t found = 0;
    for (const fs::path& document : documents())
        for (const std::string& line : matches(readText(kTree / document), shown)) {
            ++found;
            std::istringstream words(line);
            std::string word;
            words >> word;
            EXPECT_TRUE(word == "help" || usage.find("\n  " + word + ' ') != std::string::npos) << document << ": ./dev " << line;
            while (words >> word)
                EXPECT_NE(usage.find(word), std::string::npos) << document << ": ./dev " << line;
        }
    EXPECT_GT(found, 20U) << "hardly any command was found";
}

TEST(Documents, EachIsReachedByALinkFromTheReadme)
{
    std::set<fs::path> reached{"README.md"};
    std::vector<fs::path> open{"README.md"};
    while (!open.empty()) {
        const fs::path document = open.back();
        open.pop_back();
        for (const std::string& link : listLinks(readText(kTree / document))) {
            const fs::path target = (document.parent_path() / link.substr(0, link.find('#'))).lexically_normal();
            if (target.extension() == ".md" && fs::exists(kTree / target) && reached.insert(target).second)
                open.push_back(target);
        }
    }
    for (const fs::path& document : documents())
        EXPECT_TRUE(reached.contains(document)) << document;
}

TEST(Documents, TheProtocolPageHasEveryFieldOfEveryMessage)
{
    static const std::regex field(R"re(\bv\("(\w+)")re");
    const std::string page = readText(kTree / "docs/dev/protocol.md");
    int seen = 0;
    for (const char* source : {"message_codec.cpp", "build_messages.cpp", "metric_messages.cpp", "timing_messages.cpp"})
        for (const std::string& name : matches(readText(kTree / "profiler/protocol" / source), field)) {
            ++seen;
            EXPECT_NE(page.find('`' + name + '`'), std::string::npos) << source << ": " << name;
        }
    EXPECT_GT(seen, 100);
}

} // namespace
