// SPDX-License-Identifier: MIT
#include "core/base/python_call.h"
#include "core/base/sha256.h"
#include "core/base/shell_line.h"
#include "profiler/client/consent.h"
#include "profiler/protocol/message_codec.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

namespace kl::inline client {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFilesNamed = 8;
constexpr std::size_t kDateLength = 10; ///< characters of a time's date
constexpr int kMostFilesSeen = 20000;   ///< of a folder

/// Between the words of a shell's line.
constexpr const char* kBetweenWords = " \t\r\n;|&()<>\"'`$={}";

void addFile(Sha256& hash, const fs::path& folder, const std::string& name)
{
    hash.addPart(name);
    std::ifstream in(folder / name, std::ios::binary);
    Sha256 content;
    std::array<char, 1 << 16> chunk{};
    while (in.read(chunk.data(), chunk.size()) || in.gcount() > 0)
        content.add({chunk.data(), static_cast<std::size_t>(in.gcount())});
    hash.addPart(in.bad() || !in.eof() ? "unreadable" : content.hex());
}

/// Whether a build may run or read it as a script.
bool isScript(const fs::path& file)
{
    const std::string name = file.filename().string();
    for (const char* ending : {".sh", ".bash", ".py", ".pl", ".mk", ".cmake", ".ninja", ".toml", ".cfg", ".bat"})
        if (name.ends_with(ending))
            return true;
    return name == "Makefile" || name == "makefile" || name == "GNUmakefile" || name == "CMakeLists.txt" || name == "meson.build";
}

/// Folders that builds fill: what lies in them changes with each one.
bool isMade(const fs::path& folder)
{
    const std::string name = folder.filename().string();
    std::error_code failed;
    return name.starts_with('.') || name == "__pycache__" || name == "build" || name == "dist" || name.ends_with(".egg-info") ||
           fs::exists(folder / "CMakeCache.txt", failed) || fs::exists(folder / "pyvenv.cfg", failed);
}

/// What a build has made: a compiled program, or anything in a folder that builds fill.
bool isBuilt(const fs::path& folder, const fs::path& name)
{
    for (fs::path parent = name.parent_path(); !parent.empty() && parent != parent.parent_path(); parent = parent.parent_path())
        if (isMade(folder / parent))
            return true;
    std::array<char, 4> start{};
    std::ifstream in(folder / name, std::ios::binary);
    return in.read(start.data(), start.size()) && std::string_view(start.data() + 1, 3) == "ELF";
}

/// Every script in and below the folder, as many as are looked at. With a CMakeCache.txt in the folder itself its Makefile and build.ninja
/// are generated ones, which name the scripts that they came from.
void addScriptsBelow(const fs::path& folder, std::set<std::string>& names)
{
    std::error_code failed;
    const bool inPlace = fs::exists(folder / "CMakeCache.txt", failed);
    auto at = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, failed);
    for (int seen = 0; !failed && at != fs::recursive_directory_iterator() && seen < kMostFilesSeen; at.increment(failed), ++seen) {
        const fs::path& file = at->path();
        std::error_code unknown; // a link that leads nowhere does not end the walk
        if (at->is_directory(unknown) && isMade(file))
            at.disable_recursion_pending();
        const std::string name = file.lexically_relative(folder).string();
        if (isScript(file) && !(inPlace && (name == "Makefile" || name == "build.ninja" || name == "cmake_install.cmake")))
            names.insert(name);
    }
}

/// Files that a build runs or reads: the scripts of its folder, and whatever file the command names, in the folder or outside.
std::set<std::string> buildScripts(const fs::path& folder, const std::vector<std::string>& command)
{
    std::set<std::string> names;
    addScriptsBelow(folder, names);
    for (const std::string& argument : command)
        for (std::size_t from = 0; from < argument.size();) {
            const std::size_t end = std::min(argument.find_first_of(kBetweenWords, from), argument.size());
            std::string word = argument.substr(from, end - from);
            for (const std::string& named : {word, word.starts_with("-") && word.size() > 2 ? word.substr(2) : std::string()}) // -fNAME
                if (!named.empty())
                    names.insert((folder / named).lexically_normal().lexically_relative(folder).string());
            from = end + 1;
        }
    std::error_code failed;
    std::erase_if(names, [&](const std::string& name) { return name.empty() || !fs::is_regular_file(folder / name, failed); });
    return names;
}

void addReferences(const Json& json, std::vector<FileCommand>& commands)
{
    if (json.is_object()) {
        const auto script = json.find("script");
        if (script != json.end() && script->is_object()) {
            const auto text = [&](const char* key) {
                const auto found = script->find(key);
                return found != script->end() && found->is_string() ? found->get<std::string>() : std::string();
            };
            FileCommand command = referenceCommand({text("name"), text("text")});
            if (std::none_of(commands.begin(), commands.end(), [&](const FileCommand& c) { return c.hash == command.hash; }))
                commands.push_back(std::move(command));
        }
    }
    if (json.is_structured())
        for (const Json& part : json)
            addReferences(part, commands);
}

} // namespace

std::string filesText(const FileCommand& command)
{
    const std::size_t shown = std::min(command.files.size(), kMostFilesNamed);
    std::string text =
        fmt::format("{}", fmt::join(command.files.begin(), command.files.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    if (shown < command.files.size())
        text += fmt::format(" and {} more", command.files.size() - shown);
    return visibleText(text);
}

Error needsConsent(const FileCommand& command)
{
    const std::string file = visibleText(command.file), line = visibleText(shellLine(command.command));
    Error error{.code = ErrorCode::needsConsent,
                .message = !command.changedSince.empty() ? fmt::format("{} has changed since you allowed it on {}: {}",
                                                                       command.files.empty() ? file : file + " or what it runs",
                                                                       command.changedSince.substr(0, kDateLength), line)
                           : command.folder.empty() ? fmt::format("{} is a kernel's script that you have not allowed yet: {}", file, line)
                                                    : fmt::format("{} contains a command that you have not allowed yet: {}", file, line),
                .hint = fmt::format("Read {}, then allow it, which is remembered until one of the files changes.",
                                    command.files.empty() ? "the file" : "it and " + filesText(command)),
                .where = command.file};
    error.command = std::make_shared<const FileCommand>(command);
    if (command.question.empty())
        error.next.push_back({StepId::allowCommand, {{StepArgument::file, command.file}}});
    else { // no file names it: it is allowed where it is asked for
        error.message = fmt::format("You have not allowed this on {} yet: {}", file, line);
        error.hint = "Allow it, which is remembered for this host and these words.";
    }
    return error;
}

FileCommand referenceCommand(const ScriptSpec& script)
{
    Sha256 hash;
    hash.addPart("reference");
    hash.addPart(script.text);
    return {script.name, {pythonProgram(), fs::path(script.name).filename().string()}, {}, hash.hex(), {}};
}

FileCommand extensionCommand(const ExtensionSpec& extension)
{
    Sha256 hash;
    hash.addPart("extension");
    hash.addPart(extension.folder); // what is imported afterward may be built from anything that lies there
    hash.addPart(extension.fileHash);
    hash.addPart(extension.module);
    for (const std::string& word : extension.build)
        hash.addPart(word);
    const std::set<std::string> scripts = buildScripts(extension.folder, extension.build);
    for (const std::string& script : scripts)
        addFile(hash, extension.folder, script);
    return {extension.file,
            extension.build,
            extension.folder,
            hash.hex(),
            fmt::format("python imports {} from {}", extension.module, extension.importFolder),
            {scripts.begin(), scripts.end()}};
}

FileCommand programCommand(const ProgramCommands& program)
{
    Sha256 hash;
    hash.addPart("program");
    hash.addPart(program.folder);
    hash.addPart(program.fileHash);
    std::vector<std::string> words;
    std::string afterwards;
    for (const std::vector<std::string>& command : program.commands) {
        words.insert(words.end(), command.begin(), command.end());
        if (&command != &program.commands.front())
            afterwards += (afterwards.empty() ? "" : "; ") + shellLine(command);
    }
    std::set<std::string> scripts = buildScripts(program.folder, words);
    for (const std::string& edited : program.edited)
        scripts.erase(edited);
    if (program.builds)
        std::erase_if(scripts, [&](const std::string& script) { return isBuilt(program.folder, script); });
    scripts.erase(fs::path(program.file).lexically_relative(program.folder).string());
    for (const std::string& script : scripts)
        addFile(hash, program.folder, script);
    return {program.file, program.commands.front(), program.folder, hash.hex(), afterwards, {scripts.begin(), scripts.end()}};
}

FileCommand remoteProgramCommand(const std::string& host, const std::vector<std::string>& command)
{
    Sha256 hash;
    hash.addPart("program on another host");
    hash.addPart(host);
    for (const std::string& word : command)
        hash.addPart(word);
    FileCommand program{host, command, "the folder that a login there begins in", hash.hex(), {}};
    program.question = fmt::format("A program is to run on {}, as your user there:", host);
    return program;
}

std::vector<FileCommand> fileCommandsIn(Verb verb, const Json& body, const std::string& host)
{
    std::vector<FileCommand> commands;
    if (verb == Verb::trace)
        if (const Result<TraceProgramRequest> request = fromJsonMessage<TraceProgramRequest>(body))
            commands.push_back(remoteProgramCommand(host, request->command));
    if (!findTraits(verb).runsReference)
        return commands;
    if (verb == Verb::environment)
        if (const Result<EnvRequest> request = fromJsonMessage<EnvRequest>(body); request && request->extension)
            commands.push_back(extensionCommand(*request->extension));
    addReferences(body, commands);
    return commands;
}

} // namespace kl::inline client
