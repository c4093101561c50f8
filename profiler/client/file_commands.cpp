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
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace kl {
namespace {

namespace fs = std::filesystem;

/// Requests that run no reference: they describe, compile, count or only launch. Any other is looked through.
constexpr std::array<std::string_view, 7> kNoReference{"probe", "metrics", "build", "build-many", "compile", "count", "launch"};

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

/// Files in or below the folder that a build runs or reads: those that the command names, and what build tools look for by themselves. A
/// Makefile beside a CMakeLists.txt is one that was generated.
std::set<std::string> buildScripts(const ExtensionSpec& extension)
{
    const fs::path folder(extension.folder);
    std::set<std::string> names{"setup.py", "setup.cfg", "pyproject.toml", "CMakeLists.txt"};
    std::error_code failed;
    if (!fs::exists(folder / "CMakeLists.txt", failed))
        names.insert("Makefile");
    for (const std::string& argument : extension.build)
        for (std::size_t from = 0; from < argument.size();) {
            const std::size_t end = std::min(argument.find_first_of(kBetweenWords, from), argument.size());
            const std::string name = (folder / argument.substr(from, end - from)).lexically_relative(folder).string();
            if (end > from && !name.empty() && !name.starts_with(".."))
                names.insert(name);
            from = end + 1;
        }
    std::erase_if(names, [&](const std::string& name) { return !fs::is_regular_file(folder / name, failed); });
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

Error needsConsent(const FileCommand& command)
{
    Error error{
        ErrorCode::needsConsent,
        fmt::format("{} names a command that you have not allowed: {}", visibleText(command.file), visibleText(shellLine(command.command))),
        fmt::format("Read the file. Then repeat this command with --trust, or allow it for good: kloop trust add {}",
                    visibleText(shellLine({command.file}))),
        command.file,
        {}};
    error.command = std::make_shared<const FileCommand>(command);
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
    hash.addPart(extension.fileHash);
    hash.addPart(extension.module);
    for (const std::string& word : extension.build)
        hash.addPart(word);
    for (const std::string& script : buildScripts(extension))
        addFile(hash, extension.folder, script);
    return {extension.file, extension.build, extension.folder, hash.hex(),
            fmt::format("python imports {} from {}", extension.module, extension.importFolder)};
}

std::vector<FileCommand> fileCommandsIn(const std::string& verb, const Json& body)
{
    std::vector<FileCommand> commands;
    if (std::find(kNoReference.begin(), kNoReference.end(), verb) != kNoReference.end())
        return commands;
    if (verb == "env")
        if (const Result<EnvRequest> request = fromJsonMessage<EnvRequest>(body); request && request->extension)
            commands.push_back(extensionCommand(*request->extension));
    addReferences(body, commands);
    return commands;
}

} // namespace kl
