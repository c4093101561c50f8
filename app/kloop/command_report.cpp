// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/session_pick.h"
#include "sessions/report/report.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kl {
namespace {

Status writeFile(const std::string& path, const std::string& text)
{
    std::ofstream out(path, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (out)
        return {};
    return Error{ErrorCode::badInput,
                 fmt::format("{} could not be written.", path),
                 "See that the folder exists, can be written to and has space.",
                 path,
                 {}};
}

/// The window program prints: it alone has Qt.
Status exportPdf(const SessionId& session, const std::string& file, const std::string& database)
{
    std::error_code ignored;
    const auto window = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / "kernelloop";
    if (!std::filesystem::exists(window, ignored))
        return Error{ErrorCode::environment,
                     "PDF needs the kernelloop program, which is not installed beside kloop.",
                     "Install it, or write HTML with --html and print that.",
                     window.string(),
                     {}};
    std::vector<std::string> words{window.string(), "--export-pdf", session.text, file, "--db", database};
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t pid = -1;
    int status = 0;
    const int failure = ::posix_spawn(&pid, window.c_str(), nullptr, nullptr, argv.data(), environ);
    if (failure != 0)
        return Error{
            ErrorCode::environment, fmt::format("kernelloop could not be started: {}.", std::strerror(failure)), {}, window.string(), {}};
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && std::filesystem::exists(file, ignored))
        return {};
    return Error{
        ErrorCode::environment, fmt::format("kernelloop did not write {}.", file), "Its messages stand above.", window.string(), {}};
}

} // namespace

Result<int> commandReport(Program& program, const Options& options)
{
    const Result<SessionHeader> header = pickSession(program, options, Pick::latest);
    if (!header)
        return header.error();
    const Result<const Catalogue*> catalogue = program.catalogue();
    const Result<Store*> store = program.store();
    if (!catalogue || !store)
        return store ? catalogue.error() : store.error();
    const auto rendered = [&](ReportFormat format) { return renderReport(**store, **catalogue, header->id, format); };
    Json files = Json::array();
    const auto write = [&](const std::string& path, ReportFormat format) -> Status {
        if (path.empty())
            return {};
        const Result<std::string> text = rendered(format);
        if (!text)
            return text.error();
        files.push_back(path);
        return writeFile(path, *text);
    };
    if (const Status done = write(options.html, ReportFormat::html); !done)
        return done.error();
    if (const Status done = write(options.markdown, ReportFormat::markdown); !done)
        return done.error();
    if (!options.pdf.empty()) {
        if (const Status done = exportPdf(header->id, options.pdf, (*store)->location()); !done)
            return done.error();
        files.push_back(options.pdf);
    }
    if (!files.empty()) {
        if (!program.printed(Json{{"schema", "kernelloop.report-files/1"}, {"session", header->name}, {"files", files}}))
            for (const Json& file : files)
                fmt::print("Wrote {}\n", file.get<std::string>());
        return 0;
    }
    // No file asked for: the report itself is the answer.
    const Result<std::string> text = rendered(options.json ? ReportFormat::json : ReportFormat::markdown);
    if (!text)
        return text.error();
    fmt::print("{}{}", *text, text->ends_with('\n') ? "" : "\n");
    return 0;
}

} // namespace kl
