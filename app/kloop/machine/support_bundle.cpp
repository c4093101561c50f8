// SPDX-License-Identifier: MIT
#include "sessions/diagnostics/support_bundle.h"

#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"
#include "core/base/write_file.h"

#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

/// A database or catalog that cannot be opened is a reason to write a bundle, not to fail.
SupportSources collectSources(Program& program)
{
    SupportSources sources{std::string("kloop ") + KL_VERSION};
    if (const Result<Store*> store = program.store())
        sources.store = *store;
    else
        sources.storeError = store.error().message;
    if (const Result<const Catalog*> catalog = program.catalog())
        sources.catalog = *catalog;
    sources.broken = program.brokenKernels();
    return sources;
}

Result<int> writeSupportBundle(Program& program, const std::string& wanted)
{
    const std::string file = wanted.empty() ? supportFileName() : wanted;
    const SupportBundle bundle = gatherSupport(collectSources(program));
    KL_TRY(writeFile(file, bundle.text()));
    Json answer{{"schema", "kernelloop.support-bundle/1"}, {"file", file}, {"sections", Json::array()}};
    for (const SupportSection& section : bundle.sections)
        answer["sections"].push_back(section.title);
    if (!program.printAsJson(answer))
        printText("Wrote {}. Read it before you send it.\n", file);
    return 0;
}

} // namespace

Runner addSupportBundle(CLI::App& app)
{
    const auto file = std::make_shared<std::string>();
    app.add_option("-o,--output", *file, "File to write (default: kernelloop-support-TIME.txt in this folder)")->check(notBlank);
    return [file](Program& program) { return writeSupportBundle(program, *file); };
}

} // namespace kl::cli
