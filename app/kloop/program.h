// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/device.h"
#include "app/kloop/options.h"
#include "app/kloop/progress.h"
#include "core/codec/json.h"
#include "core/diagnosis/tree.h"
#include "kernels/catalogue.h"
#include "sessions/engine/session_engine.h"
#include "sessions/engine/workbench.h"
#include "sessions/store/store.h"

#include <memory>
#include <optional>
#include <stop_token>

namespace kl {

/// What commands share, each part made when it is first asked for: `kloop decide` opens no database and starts no worker.
class Program {
public:
    Program(const Options& options, std::stop_token stop);

    Result<const Catalogue*> catalogue();
    Result<const DiagnosisTree*> tree();
    Result<Store*> store();
    Result<Workbench*> bench();
    Result<SessionEngine*> engine();
    Device& device() { return device_; }

    /// Reports to the terminal and stops with Ctrl-C.
    Job job();

    /// Prints an answer: as JSON when --json was given, else nothing and returns false, for the caller to print in words.
    bool printed(const Json& answer);

private:
    const Options& options_;
    std::stop_token stop_;
    ProgressLine progress_;
    Device device_;
    std::optional<Catalogue> catalogue_;
    std::optional<DiagnosisTree> tree_;
    std::unique_ptr<Store> store_;
    std::optional<Workbench> bench_;
    std::optional<SessionEngine> engine_;
};

/// The problem of --problem, empty for the default. Error usage when several were given and the command takes one.
Result<Params> oneProblem(const Options& options);

/// The address of a variant: error badInput when it names a family alone, notFound when the catalogue has no such variant.
Result<Address> variantAddress(const Catalogue& catalogue, const std::string& text);

} // namespace kl
