// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/global_options.h"
#include "app/kloop/common/usable_device.h"
#include "app/kloop/terminal/progress.h"
#include "core/codec/json.h"
#include "core/diagnosis/tree.h"
#include "kernels/catalog.h"
#include "sessions/engine/session_engine.h"
#include "sessions/learning/trained_recommender.h"
#include "sessions/measure/registered_kernels.h"
#include "sessions/measure/workbench.h"
#include "sessions/report/stored_reports.h"
#include "sessions/store/store.h"

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

namespace kl::cli {

/// What commands share, each part made when it is first asked for: `kloop decide` opens no database and starts no worker.
class Program {
public:
    Program(const GlobalOptions& options, std::stop_token stop);

    const GlobalOptions& options() const { return options_; }

    /// With the kernels registered in the database, where there is one; broken ones are reported once on stderr.
    Result<const Catalog*> catalog();
    const std::vector<BrokenKernel>& brokenKernels() const { return broken_; }

    /// A plain address as it is; a path to a user's kernel as the address of what it holds, which joins the catalog for this command. A
    /// path that names no variant means the first. Errors: loadKernel's, an id that another kernel has.
    Result<std::string> plainAddress(const std::string& text);

    /// The variant that an address or a path names; where it names a family alone, the one that the family chooses for the problem on
    /// `chip`, or the device at hand. Errors: plainAddress's, chooseVariant's, notFound when there is no such variant.
    Result<Address> kernel(const std::string& text, const Params& problem = {}, const std::optional<Chip>& chip = {});

    /// The chip of the device at hand; the usual one where there is none. Starts the worker.
    Chip chip() const { return toChip(device_); }

    /// The same for what outlives this command: a path is registered in the database. A family alone will do.
    Result<std::string> registerKernelPath(const std::string& text);
    Result<const DiagnosisTree*> tree();
    /// From any thread.
    Result<Store*> store();
    /// store(), but a database that is named by --db is not made. Error badInput: it is missing.
    Result<Store*> existingStore();
    /// Whether there is a database already: store() makes one where there is none.
    bool databaseExists() const;
    Result<Workbench*> bench();
    Result<SessionEngine*> engine();
    /// Lets the kernels go, and what was made of them: the next command reads them as they lie on disk then.
    void reloadKernels();
    UsableDevice& device() { return device_; }
    /// A device besides that of --on, opened by its first use, with the same consent: a look does not count as a use.
    std::unique_ptr<LazyDevice> makeLazyDevice(DeviceSpec device);

    /// Reports to the terminal and stops with Ctrl-C.
    Job job();

    /// Prints an answer: as JSON when --json was given, else nothing and returns false, for the caller to print in words.
    bool printAsJson(const Json& answer);

    /// Writes an answer whose list `name` holds `items`, each by encodePrettyItem; `answer` has an empty list there.
    void printList(const Json& answer, const std::string& name, std::vector<std::string> items);

    /// Takes the progress line away, before anything else is printed.
    void clearProgress() { progress_.clear(); }

private:
    std::string location() const;
    bool databaseOpen();

    const GlobalOptions& options_;
    std::stop_token stop_;
    ProgressLine progress_;
    std::shared_ptr<Consent> consent_;
    UsableDevice device_;
    std::optional<Catalog> catalog_;
    std::vector<BrokenKernel> broken_;
    std::optional<DiagnosisTree> tree_;
    std::mutex opening_; ///< of the store
    std::unique_ptr<Store> store_;
    std::optional<TrainedRecommender> recommender_;
    std::optional<Workbench> bench_;
    std::optional<StoredReports> reports_;
    std::optional<SessionEngine> engine_;
};

/// Every --problem, or the default one alone. Error usage names the one that is not a problem.
Result<std::vector<Params>> allProblems(const std::vector<std::string>& texts);

/// The only --problem, empty for the default. Error usage when several were given.
Result<Params> oneProblem(const std::vector<std::string>& texts);

} // namespace kl::cli
