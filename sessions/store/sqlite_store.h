// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/held_files.h"
#include "core/base/try.h"
#include "sessions/store/file_state.h"
#include "sessions/store/sound_files.h"
#include "sessions/store/sqlite.h"
#include "sessions/store/store.h"

#include <atomic>
#include <mutex>

namespace kl::inline store {

/// Store over one SQLite connection; each group of tables has its own .cpp. Every public call takes the mutex.
class SqliteStore final : public Store {
public:
    /// An empty database in memory, writable until freeze(): for the sample and for tests.
    static Result<std::unique_ptr<SqliteStore>> inMemory(const std::string& location);
    static Result<std::unique_ptr<SqliteStore>> openFile(const std::string& location, const SoundFiles& sound = SoundFiles());
    /// A database of this version that is part of the program, read-only: see Connection::openImage. `notice` as of freeze(); `views`:
    /// statements that make temporary views, which hide the tables of their names.
    static Result<std::unique_ptr<SqliteStore>> openImage(const std::string& location, std::string_view image, std::string notice,
                                                          const std::string& views = {});

    /// From now on every write is refused, with `notice` as the reason.
    Status freeze(std::string notice);

    /// A further sentence for notice(); none for an empty text.
    void addNotice(const std::string& text);

    const std::string& location() const override { return location_; }
    bool readOnly() const override { return readOnly_; }
    const std::string& notice() const override { return notice_; }
    bool unchecked() const override { return unchecked_; }
    Status checkOnce(const std::stop_token& stop = {}) override;

    Status saveRun(const RunRecord& run) override { return saveRuns({&run}); }
    Status saveRuns(const std::vector<const RunRecord*>& runs) override;
    Result<RunRecord> run(const RunId& id) const override { return readRun(id, Code::kept); }
    Result<RunRecord> runWithoutCode(const RunId& id) const override { return readRun(id, Code::left); }
    Result<RunId> runStarting(const std::string& prefix) const override;
    Result<RunSummary> summary(const RunId& id) const override;
    Result<RunOutcome> outcome(const RunId& id) const override;
    Result<std::vector<RunSummary>> runs(const RunQuery& query) const override;
    Status saveDiagnosis(const RunId& id, const StoredDiagnosis& diagnosis) override;
    Status saveCode(const RunId& id, const SharedCode& code) override;
    Result<std::vector<StoredDiagnosis>> diagnoses(const RunId& id) const override;
    Result<RunPage> runPage(const RunQuery& query) const override;
    Status nameRun(const RunId& id, const std::string& name) override;
    Result<Dependents> dependents(const RunId& id) const override;
    Status removeRun(const RunId& id) override;
    Status setTag(const std::string& subject, const std::string& tag, bool on) override;
    Result<std::vector<std::string>> tags(const std::string& subject) const override;
    Status saveComparison(const Comparison& comparison) override;
    Result<Comparison> comparison(const ComparisonId& id) const override;
    Result<std::optional<Ratio>> ratio(const ComparisonId& id) const override;
    Status saveNoise(const NoiseRecord& noise) override;
    Result<std::vector<NoiseRecord>> noise() const override;
    Status createSession(const SessionHeader& header, const SessionEvent& opened) override;
    Status appendEvent(const SessionId& session, const SessionEvent& event) override;
    Result<SessionHeader> session(const SessionId& id) const override;
    Result<std::vector<SessionHeader>> sessions() const override;
    Result<std::vector<SessionHeader>> sessions(const SessionQuery& query) const override;
    Status renameSession(const SessionId& id, const std::string& name) override;
    Result<Dependents> dependents(const SessionId& id) const override;
    Status removeSession(const SessionId& id) override;
    Result<std::vector<SessionEvent>> events(const SessionId& id) const override;
    Status savePattern(const Pattern& pattern) override;
    Result<std::vector<Pattern>> patterns() const override;
    Status saveApplication(const PatternApplication& application) override;
    Result<std::vector<std::string>> searchPatterns(const std::string& text) const override;
    Result<std::vector<PatternApplication>> applications() const override;
    Status saveCost(const CostEntry& entry) override;
    Status removeCost(const std::string& id) override;
    Result<std::vector<CostEntry>> costs() const override;
    Status saveNote(const Note& note) override;
    Status removeNote(const std::string& id) override;
    Result<std::vector<Note>> notes(const std::string& subject) const override;
    Status saveArtifact(const std::string& name, const std::string& content) override;
    Result<std::string> artifact(const std::string& name) const override;
    Result<std::vector<std::string>> artifactNames(const std::string& prefix) const;
    Status setSetting(const std::string& key, const std::string& value) override;
    std::optional<std::string> setting(const std::string& key) const override;
    /// Does not wait while another thread works with the store: then as it was last seen. What this process wrote is always seen.
    std::int64_t dataVersion() const override;
    Result<std::vector<std::pair<std::string, std::string>>> info() const override;
    Result<std::vector<std::string>> check() const override;
    Status backup(const std::filesystem::path& target) const override;

private:
    enum class Code { kept, left }; ///< what is read of a run's machine code

    SqliteStore(std::string location, sqlite::Connection connection);

    /// Locks, refuses on a read-only store, runs body in a transaction of its own.
    template <class Body> Status write(Body body)
    {
        KL_TRY(checkStorable(*this));
        const std::lock_guard lock(mutex_);
        const Status done = sqlite::inTransaction(db_, body);
        readVersion();
        return done;
    }

    std::int64_t readVersion() const; ///< precondition: the mutex is held
    Status becomeWritable();          ///< from a connection that only reads
    Result<RunRecord> readRun(const RunId& id, Code code) const;
    /// As it was measured, without samples. Precondition: the mutex is held.
    Result<RunRecord> readStoredRun(const RunId& id, Code code) const;

    std::string location_;
    std::string notice_;
    bool readOnly_ = false;
    mutable std::mutex mutex_;
    mutable std::atomic<std::int64_t> seenVersion_ = 0;
    std::int64_t firstVersion_ = 0; ///< of this connection: more than any of the one before

    struct FirstCheck {
        OpenMode mode; ///< that of the connection until then
        SoundFiles sound;
    };
    std::optional<FirstCheck> firstCheck_;
    std::atomic<bool> unchecked_ = false;
    std::mutex checking_;         ///< taken before mutex_
    std::optional<Error> damage_; ///< what the check found; guarded by checking_

    std::optional<HeldFile> held_; ///< goes after the connection
    sqlite::Connection db_;
    bool onlyReads_ = false; ///< what db_ may do: query_only
};

} // namespace kl::inline store
