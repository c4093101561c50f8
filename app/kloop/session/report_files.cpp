// SPDX-License-Identifier: MIT
#include "app/kloop/session/report_files.h"

#include "app/kloop/common/arguments.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/clean_text.h"
#include "core/base/scratch_folder.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/process/process.h"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

/// The window program prints: it alone has Qt.
Status printPdf(const std::string& page, const std::string& file)
{
    std::error_code ignored;
    const auto window = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / "kernelloop";
    if (!std::filesystem::exists(window, ignored))
        return Error{.code = ErrorCode::environment,
                     .message = "PDF needs the kernelloop program, which is not installed beside kloop.",
                     .hint = "Install it, or write HTML and print that.",
                     .where = window.string()};
    ProcessOptions options{.arguments = {window.string(), "--print-pdf", page, file}};
    options.input = options.output = options.errors = StandardStream::ours();
    std::error_code failure;
    Process printer = Process::start(options, failure);
    if (failure)
        return Error{.code = ErrorCode::environment,
                     .message = fmt::format("kernelloop could not be started: {}.", failure.message()),
                     .where = window.string()};
    printer.wait();
    if (printer.end()->status == 0 && std::filesystem::exists(file, ignored))
        return {};
    return Error{.code = ErrorCode::environment,
                 .message = fmt::format("kernelloop did not write {}.", file),
                 .hint = "Its messages are above.",
                 .where = window.string()};
}

Status writePdf(const Report& report, const std::string& file)
{
    KL_ASSIGN(const ScratchFolder scratch, ScratchFolder::make());
    const std::string page = (scratch.path() / "report.html").string();
    KL_TRY(writeFile(page, render(report, ReportFormat::print)));
    return printPdf(page, std::filesystem::absolute(file).string());
}

/// "html", "md", "json", "csv", "pdf": as given, else by the file's suffix, else the format for standard output.
Result<std::string> chooseFormat(const ReportOutput& r, bool json)
{
    if (!r.format.empty())
        return r.format;
    if (r.file.empty())
        return std::string(json ? "json" : "md");
    std::string suffix = std::filesystem::path(r.file).extension().string();
    suffix = suffix.empty() ? suffix : suffix.substr(1);
    for (const char* known : {"html", "md", "json", "csv", "pdf"})
        if (suffix == known)
            return suffix;
    return Error{.code = ErrorCode::usage,
                 .message = fmt::format("The suffix of {} does not name a format.", r.file),
                 .hint = "Add --format html, md, json, csv or pdf.",
                 .where = "-o"};
}

Status writeAs(const Report& report, const std::string& format, const std::string& file)
{
    if (format == "pdf")
        return writePdf(report, file);
    const ReportFormat form = format == "html"  ? ReportFormat::html
                              : format == "md"  ? ReportFormat::markdown
                              : format == "csv" ? ReportFormat::csv
                                                : ReportFormat::json;
    const std::string text = render(report, form);
    if (!file.empty())
        return writeFile(file, text);
    printRaw(form == ReportFormat::json ? escapeHidden(text) : text);
    return {};
}

} // namespace

void addOutput(CLI::App& app, ReportOutput& output)
{
    app.add_option("--format", output.format, "html, md, json, csv or pdf (default: by the file's suffix, else md)")
        ->check(CLI::IsMember({"html", "md", "json", "csv", "pdf"}));
    app.add_option("-o,--output", output.file, "File to write (default: standard output)")->check(notBlank);
}

Result<int> answerReport(Program& program, const ReportOutput& r, const Report& report)
{
    KL_ASSIGN(const std::string format, chooseFormat(r, program.options().json));
    Json files = Json::array();
    for (const auto& [name, file] : {std::pair{std::string("html"), r.html}, std::pair{std::string("md"), r.markdown},
                                     std::pair{std::string("pdf"), r.pdf}, std::pair{format, r.file}}) {
        if (file.empty())
            continue;
        KL_TRY(writeAs(report, name, file));
        files.push_back(file);
    }
    if (files.empty()) { // no file requested: the report itself is the answer
        if (format == "pdf")
            return Error{
                .code = ErrorCode::usage, .message = "PDF needs an output file.", .hint = "For example -o report.pdf.", .where = "-o"};
        program.clearProgress();
        const Status done = writeAs(report, format, {});
        return done ? Result<int>(0) : done.error();
    }
    if (!program.printAsJson(Json{{"schema", "kernelloop.report-files/1"}, {"title", report.model.title}, {"files", files}}))
        for (const Json& file : files)
            printText("Wrote {}\n", file.get<std::string>());
    return 0;
}

} // namespace kl::cli
