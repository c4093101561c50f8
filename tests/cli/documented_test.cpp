// SPDX-License-Identifier: MIT
// Command lines that README.md, docs and `kloop --help` show: each is read without an error, and runs where it needs no GPU and no files.
#include "app/kloop/command_line.h"
#include "kloop.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

namespace kl::test {

using namespace cli;
namespace {

using Words = std::vector<std::string>;

/// A command line of a document.
struct Shown {
    std::string where; ///< "README.md:31"
    Words words;       ///< without "kloop"
};

/// The words of a shell's line up to a comment or "&&"; quotes are taken away.
Words splitWords(const std::string& line)
{
    Words words;
    std::string word;
    bool begun = false;
    char quote = 0;
    const auto end = [&] {
        if (begun)
            words.push_back(word);
        word.clear();
        begun = false;
    };
    for (const char c : line) {
        if (quote != 0 ? c == quote : c == '"' || c == '\'') {
            quote = quote != 0 ? 0 : c;
            begun = true;
        } else if (quote == 0 && c == ' ') {
            end();
        } else if (quote == 0 && !begun && c == '#') {
            return words;
        } else {
            word += c;
            begun = true;
        }
    }
    end();
    return words;
}

struct DocumentLine {
    int number = 0;
    bool code = false; ///< in a code block, or the mark that begins one
    std::string text;
};

std::vector<DocumentLine> readLines(const std::string& text)
{
    std::vector<DocumentLine> all;
    std::istringstream lines(text);
    bool code = false;
    for (std::string line; std::getline(lines, line);) {
        if (const std::size_t first = line.find_first_not_of(' '); first != std::string::npos && line.substr(first).starts_with("```"))
            code = !code;
        all.push_back({static_cast<int>(all.size()) + 1, code, line});
    }
    return all;
}

/// Lines of code blocks that begin with "kloop", and what follows "&&" in them. Those that leave something out ("…", "[…]") are forms, not
/// lines.
std::vector<Shown> shownIn(const std::string& name, const std::string& text)
{
    std::vector<Shown> all;
    for (const DocumentLine& line : readLines(text)) {
        if (!line.code)
            continue;
        Words part;
        Words words = splitWords(line.text.substr(0, line.text.find("  #")));
        words.emplace_back("&&");
        for (const std::string& word : words) {
            if (word != "&&" && word != ">" && word != "|") {
                part.push_back(word);
                continue;
            }
            const bool form =
                std::ranges::any_of(part, [](const std::string& w) { return w.find("…") != std::string::npos || w[0] == '['; });
            if (!part.empty() && (part.front() == "kloop" || part.front().ends_with("/kloop")) && !form)
                all.push_back({name + ':' + std::to_string(line.number), {part.begin() + 1, part.end()}});
            part.clear();
            if (word != "&&")
                break; // what follows is a file or another program
        }
    }
    return all;
}

/// What is between backticks in prose and begins with "kloop": a line, or the names of a command and of options.
std::vector<Shown> namedIn(const std::string& name, const std::string& text)
{
    const std::string begin = "`kloop ";
    std::vector<Shown> all;
    for (const DocumentLine& line : readLines(text)) {
        if (line.code)
            continue;
        for (std::size_t at = line.text.find(begin); at != std::string::npos; at = line.text.find(begin, at + 1)) {
            const std::size_t from = at + begin.size();
            const std::string span = line.text.substr(from, line.text.find('`', from) - from);
            if (span.find("…") == std::string::npos && span.find('[') == std::string::npos)
                all.push_back({name + ':' + std::to_string(line.number), splitWords(span)});
        }
    }
    return all;
}

/// By `find` in README.md and the pages of docs and of the window's help.
std::vector<Shown> shownInDocuments(std::vector<Shown> (*find)(const std::string& name, const std::string& text) = shownIn)
{
    namespace fs = std::filesystem;
    const fs::path root = KL_SOURCE_DIR;
    std::vector<fs::path> files{root / "README.md"};
    for (const char* folder : {"docs", "resources/help"})
        for (const auto& entry : fs::recursive_directory_iterator(root / folder))
            if (entry.path().extension() == ".md")
                files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<Shown> all;
    for (const fs::path& path : files) {
        std::ifstream in(path);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        const std::vector<Shown> shown = find(fs::relative(path, root).string(), text);
        all.insert(all.end(), shown.begin(), shown.end());
    }
    return all;
}

/// The lines of "Start here", whose explanation follows two blanks.
std::vector<Shown> shownInHelp(const std::string& help)
{
    std::vector<Shown> all;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("  kloop "))
            all.push_back({"kloop --help", splitWords(line.substr(8, line.find("  ", 8) - 8))});
    return all;
}

std::string text(const Shown& shown)
{
    std::string line = shown.where + ": kloop";
    for (const std::string& word : shown.words)
        line += ' ' + word;
    return line;
}

/// The exit status if the words are not carried out, and what is printed then.
std::pair<std::optional<int>, std::string> read(const Words& words)
{
    std::vector<const char*> argv{"kloop"};
    for (const std::string& word : words)
        argv.push_back(word.c_str());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const auto line = readCommandLine(static_cast<int>(argv.size()), argv.data());
    const std::string message = testing::internal::GetCapturedStderr();
    return {line.exit, testing::internal::GetCapturedStdout() + message};
}

void expectReads(const Shown& shown)
{
    const auto [exit, message] = read(shown.words);
    EXPECT_FALSE(exit.has_value()) << text(shown) << '\n' << message;
}

/// A line that is read, or names that exist: of commands, and of options that the help of the command or of kloop lists.
void expectNames(const Shown& shown, const std::string& help)
{
    if (!read(shown.words).first)
        return;
    Words names;
    for (const std::string& word : shown.words) { // up to an option, or a place such as KERNEL
        if (std::ranges::any_of(word, [](char c) { return c != '-' && (c < 'a' || c > 'z'); }) || word.starts_with('-'))
            break;
        names.push_back(word);
    }
    names.emplace_back("--help");
    const auto [exit, own] = read(names);
    EXPECT_EQ(exit.value_or(-1), 0) << text(shown) << '\n' << own;
    EXPECT_TRUE(names.size() == 1 || own.find("Usage: kloop " + names.front()) != std::string::npos) << text(shown);
    for (const std::string& word : shown.words)
        if (const std::string option = word.substr(0, word.find('=')); option.starts_with("--")) {
            EXPECT_TRUE((own + help).find(option) != std::string::npos) << text(shown) << ": there is no " << option;
        }
}

/// Whether a line runs on the recorded sample or needs no device, and no file or program.
bool runs(const Words& words)
{
    static const Words kNeedNothing = {"kernels", "space",    "smem", "occupancy", "show",      "learn",
                                       "cost",    "patterns", "tree", "quickref",  "rediagnose"};
    const auto on = std::ranges::find(words, "--on");
    if (on != words.end())
        return *std::next(on) == "sample" && words.front() != "env";
    if (words.front() == "session")
        return words.size() == 2 && words[1] == "step";
    return std::ranges::find(kNeedNothing, words.front()) != kNeedNothing.end() &&
           std::ranges::none_of(words, [](const std::string& word) { return word.starts_with("./") || word == "PATH"; });
}

class Documented : public Kloop {};

TEST_F(Documented, EveryCommandLineIsRead)
{
    const std::vector<Shown> shown = shownInDocuments();
    EXPECT_GT(shown.size(), 20U) << "hardly any command line was found";
    for (const Shown& one : shown)
        expectReads(one);
    const std::vector<Shown> first = shownInHelp(kloop({"--help"}).out);
    EXPECT_EQ(first.size(), 5U);
    for (const Shown& one : first)
        expectReads(one);
}

TEST_F(Documented, WhatProseNamesExists)
{
    const std::string help = kloop({"--help"}).out;
    const std::vector<Shown> named = shownInDocuments(namedIn);
    EXPECT_GT(named.size(), 100U);
    for (const Shown& one : named)
        expectNames(one, help);
}

TEST_F(Documented, WhatTheSampleCanAnswerRuns)
{
    KL_NEEDS_SAMPLE();
    int ran = 0;
    for (const Shown& one : shownInDocuments()) {
        if (one.words.empty() || !runs(one.words))
            continue;
        ++ran;
        const Answer answer = kloop(one.words, "XDG_DATA_HOME=" + quoted(file("data")));
        const int expected = one.words.front() == "sanitize" ? 1 : 0; // it is shown on a fault
        EXPECT_EQ(answer.code, expected) << text(one) << '\n' << answer.err;
    }
    EXPECT_GT(ran, 8);
}

} // namespace
} // namespace kl::test
