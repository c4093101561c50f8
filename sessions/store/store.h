// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/model/comparison.h"
#include "core/model/noise.h"
#include "core/model/run.h"
#include "sessions/store/rows.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kl::inline store {

/// The local database: every run, comparison, session event, pattern and note. One writer connection per process; safe to call
/// from several threads (calls are serialized). Other processes may write the same file: see dataVersion().
class Store {
public:
    /// ":memory:" is a database in memory; any other text is a file, created when missing. The recorded sample: openSampleStore(). Errors:
    /// badInput for a file of another program, a damaged one, or cannot be opened (it is left untouched). A file of a newer version opens
    /// read-only, with a notice. A large file that is new to this machine can be read at once: see unchecked().
    static Result<std::unique_ptr<Store>> open(const std::string& location);

    /// `$KERNELLOOP_DB`, else `$XDG_DATA_HOME/kernelloop/kernelloop.db`, else `~/.local/share/kernelloop/kernelloop.db`.
    static std::string defaultLocation();

    virtual ~Store() = default;

    virtual const std::string& location() const = 0;
    virtual bool readOnly() const = 0;
    /// Why it is read-only, or what was migrated and where the backup is; empty when there is nothing to say.
    virtual const std::string& notice() const = 0;

    /// Whether SQLite's quick check, which reads the whole file, is still to be done. Nothing is written to the file before: the first
    /// write waits for the check, and is refused with its error where the file is damaged.
    virtual bool unchecked() const = 0;
    /// Does it now, while other threads read; after that, and for a file that needs none, says at once what was found. Errors: badInput for
    /// a damaged file, to which nothing is written from then on; interrupted.
    virtual Status checkOnce(const std::stop_token& stop = {}) = 0;

    // Runs. Saving the same id twice changes nothing.
    virtual Status saveRun(const RunRecord& run) = 0;
    /// Several at once, all of them or none: much faster than one after the other.
    virtual Status saveRuns(const std::vector<const RunRecord*>& runs) = 0;
    virtual Result<RunRecord> run(const RunId& id) const = 0;
    /// The same without machine code, which is most of a profile: for what shows no instructions.
    virtual Result<RunRecord> runWithoutCode(const RunId& id) const = 0;
    /// The one run whose id starts so. Errors: notFound; badInput when several do, which are named.
    virtual Result<RunId> runStarting(const std::string& prefix) const = 0;
    /// One run without what has to be unpacked: cheap enough for every run of a long history. Error notFound.
    virtual Result<RunSummary> summary(const RunId& id) const = 0;
    /// Less of it, from columns alone: for the runs that many events name. Error notFound.
    virtual Result<RunOutcome> outcome(const RunId& id) const = 0;
    virtual Result<std::vector<RunSummary>> runs(const RunQuery& query) const = 0;
    /// The next rows of such a list. Looks at no more than 20 000 runs, however large the database is: a page can have fewer rows than the
    /// limit, even none, and a rest.
    virtual Result<RunPage> runPage(const RunQuery& query) const = 0;
    /// Gives a run a name, which lists show beside its address; empty: takes it away. Error notFound.
    virtual Status nameRun(const RunId& id, const std::string& name) = 0;
    virtual Result<Dependents> dependents(const RunId& id) const = 0; ///< error notFound
    /// Deletes a run with its samples, comparisons, notes, name and tags. Errors: notFound; refused when sessions refer to it.
    virtual Status removeRun(const RunId& id) = 0;

    // Tags of runs ("run:ID") and sessions ("session:ID"): single words.
    /// Adds or removes one; a second time has no effect. Error badInput: empty, or with white space.
    virtual Status setTag(const std::string& subject, const std::string& tag, bool on) = 0;
    virtual Result<std::vector<std::string>> tags(const std::string& subject) const = 0; ///< sorted

    /// A further finding of a stored run, by a later tree: from now on run() and the lists have it, and the earlier ones stay. Error
    /// notFound for a run that is not there.
    virtual Status saveDiagnosis(const RunId& id, const StoredDiagnosis& diagnosis) = 0;
    /// Replaces the machine code of a stored profile by the same code, disassembled. Error notFound: no such run, or it has no code.
    virtual Status saveCode(const RunId& id, const SharedCode& code) = 0;
    /// Every finding of a run, oldest first: that of its measurement, if it is a profile, then those of saveDiagnosis(). Error notFound.
    virtual Result<std::vector<StoredDiagnosis>> diagnoses(const RunId& id) const = 0;

    virtual Status saveComparison(const Comparison& comparison) = 0;
    virtual Result<Comparison> comparison(const ComparisonId& id) const = 0;
    /// A comparison's ratio alone, from columns; unset if it has none. Error notFound.
    virtual Result<std::optional<Ratio>> ratio(const ComparisonId& id) const = 0;

    // Calibrated A/A noise. Saving the same id twice changes nothing.
    virtual Status saveNoise(const NoiseRecord& noise) = 0;
    virtual Result<std::vector<NoiseRecord>> noise() const = 0; ///< newest first

    // Sessions: a header and an append-only list of events.
    virtual Status createSession(const SessionHeader& header, const SessionEvent& opened) = 0;
    /// Appends event.seq, which must be the next number. Error changedElsewhere when another program was first.
    virtual Status appendEvent(const SessionId& session, const SessionEvent& event) = 0;
    virtual Result<SessionHeader> session(const SessionId& id) const = 0;
    virtual Result<std::vector<SessionHeader>> sessions() const = 0; ///< oldest first
    virtual Result<std::vector<SessionHeader>> sessions(const SessionQuery& query) const = 0;
    /// Errors: notFound; changedElsewhere when another session has the name.
    virtual Status renameSession(const SessionId& id, const std::string& name) = 0;
    virtual Result<Dependents> dependents(const SessionId& id) const = 0; ///< error notFound
    /// Deletes a session with its events, notes, tags, entered costs and uses of patterns; its runs stay. Error notFound.
    virtual Status removeSession(const SessionId& id) = 0;
    virtual Result<std::vector<SessionEvent>> events(const SessionId& id) const = 0; ///< by seq

    // Patterns and their applications.
    virtual Status savePattern(const Pattern& pattern) = 0; ///< inserts, or replaces one with the same slug
    virtual Result<std::vector<Pattern>> patterns() const = 0;
    virtual Status saveApplication(const PatternApplication& application) = 0;
    /// Slugs of the patterns in which every word occurs, as itself or as the beginning of a word (English endings do not count), the
    /// best match first. A text without words finds all, in their own order.
    virtual Result<std::vector<std::string>> searchPatterns(const std::string& text) const = 0;
    virtual Result<std::vector<PatternApplication>> applications() const = 0;

    // Entered costs; removing keeps the row, marked removed. Error notFound for an id that is not there.
    virtual Status saveCost(const CostEntry& entry) = 0;
    virtual Status removeCost(const std::string& id) = 0;
    virtual Result<std::vector<CostEntry>> costs() const = 0; ///< oldest first

    // Free-text notes on a run or a session; removing keeps the row, marked removed.
    virtual Status saveNote(const Note& note) = 0;
    virtual Status removeNote(const std::string& id) = 0;
    virtual Result<std::vector<Note>> notes(const std::string& subject) const = 0;

    // Named byte blobs: reports, logs.
    virtual Status saveArtifact(const std::string& name, const std::string& content) = 0;
    virtual Result<std::string> artifact(const std::string& name) const = 0;

    // Settings of the user ("engineer-rate", "gpu-prices"): text by key.
    virtual Status setSetting(const std::string& key, const std::string& value) = 0;
    virtual std::optional<std::string> setting(const std::string& key) const = 0;

    /// A number that changes when any connection, this one or another program's, has written. Cheap: poll it.
    virtual std::int64_t dataVersion() const = 0;

    /// Row counts by table, file size and schema version, for `kloop db info`.
    virtual Result<std::vector<std::pair<std::string, std::string>>> info() const = 0;
    /// Full integrity check; one message a problem, empty when sound.
    virtual Result<std::vector<std::string>> check() const = 0;
    /// A consistent copy of the database in a new file.
    virtual Status backup(const std::filesystem::path& target) const = 0;
};

/// The error of everything that is saved into a store that is read-only or damaged, badInput: to be checked before long work.
Status checkStorable(Store& store);

} // namespace kl::inline store
