// SPDX-License-Identifier: MIT
#include "app/worker/replay_backend.h"

#include "core/base/host_name.h"
#include "core/base/read_file.h"
#include "core/base/try.h"
#include "profiler/replay/replay.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace kl::worker {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestCapture = std::int64_t{1} << 30;

class ReplayBackend final : public Backend {
public:
    Status open(const std::string& version, const fs::path& captures)
    {
        std::error_code failed;
        std::vector<fs::path> files{captures};
        if (fs::is_directory(captures, failed)) {
            files.clear();
            for (const auto& entry : fs::directory_iterator(captures, failed))
                files.push_back(entry.path());
            std::sort(files.begin(), files.end());
        }
        for (const fs::path& file : files) {
            KL_ASSIGN(const std::string bytes, readFile(file.string(), kLargestCapture));
            KL_ASSIGN(std::unique_ptr<Collector> opened, openCapture(bytes, file.string()));
            recordings_.push_back(std::move(opened));
        }
        if (recordings_.empty())
            return Error{.code = ErrorCode::badInput, .message = "There is no capture.", .where = captures.string()};
        hello_.devices = recordings_.front()->hello().devices;
        hello_.version = version;
        hello_.host = hostName();
        return {};
    }

    const Hello& hello() const override { return hello_; }
    bool isLost() const override { return false; }

    /// The first recording that has the request; the last one's reason where none has.
    Result<Json> answer(Verb verb, const Json& body, const Job& job) override
    {
        Result<Json> answer = Error{};
        for (const std::unique_ptr<Collector>& recording : recordings_) {
            answer = recording->ask(verb, body, job);
            if (answer || answer.error().code != ErrorCode::notRecorded)
                break;
        }
        return answer;
    }

private:
    Hello hello_;
    std::vector<std::unique_ptr<Collector>> recordings_;
};

} // namespace

std::unique_ptr<Backend> makeReplayBackend(const std::string& version, const std::filesystem::path& captures)
{
    auto backend = std::make_unique<ReplayBackend>();
    if (const Status opened = backend->open(version, captures); !opened)
        return makeUnavailableBackend(version, opened.error().message, opened.error().where);
    return backend;
}

} // namespace kl::worker
