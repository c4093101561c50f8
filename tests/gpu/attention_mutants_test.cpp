// SPDX-License-Identifier: MIT
// Faults of the Hopper attention kernel that each miss one barrier, fence or wait (tests/data/attention_mutants.json): the suite notices
// them.
#include "kernels/work_builder.h"
#include "live_worker.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

constexpr int kTries = 8; ///< a race may be won

class AttentionMutants : public test::LiveWorker {
protected:
    static Json manifest()
    {
        const std::filesystem::path built = KL_SOURCE_DIR "/tests/data/attention_mutants.json";
        std::ifstream in(std::filesystem::exists(built) ? built : std::filesystem::path("tests/data/attention_mutants.json"));
        return Json::parse(in);
    }
    /// The variant of a mutant at its tunables, on the problem that shows it.
    Result<WorkSpec> work(const Json& mutant) const
    {
        const Json& point = mutant["point"];
        const bool isShort = mutant["entry"] == "attention_hopper_short";
        Address address{"attention", isShort ? "hopper-short" : "hopper", {}};
        address.tunables["CONSUMERS"] = point["CONSUMERS"].get<std::int64_t>();
        address.tunables["KEYS"] = point["BLOCK_N"].get<std::int64_t>();
        address.tunables["BUFFERS"] = point.value("STAGES", std::int64_t{2});
        return catalog->work(address, *parseParams(mutant["problem"].get<std::string>()));
    }
};

TEST_F(AttentionMutants, AreNoticedByWhatTheyCompute)
{
    if (worker()->hello().devices.front().ccMajor != 9)
        GTEST_SKIP() << "no Hopper GPU";
    int noticed = 0;
    const Json all = manifest();
    for (const Json& mutant : all["mutants"]) {
        const std::string by = mutant["caught_by"];
        if (by != "suite" && by != "hang" && by != "fault") // the others show in the assembler's report, under racecheck, or not
            continue;
        Result<WorkSpec> work = this->work(mutant);
        ASSERT_TRUE(work) << mutant["id"] << ": " << work.error().message;
        const std::string find = mutant["find"];
        const std::size_t at = work->source.find(find);
        ASSERT_NE(at, std::string::npos) << mutant["id"];
        RunRequest request;
        request.timed = false;
        request.withBaseline = false;
        request.work = *work;
        const Result<RunAnswer> whole = run(*worker(), request);
        ASSERT_TRUE(whole) << whole.error().message;
        EXPECT_EQ(whole->status, ResultStatus::ok) << mutant["id"] << ", unchanged: " << whole->reason;
        request.work.source.replace(at, find.size(), mutant["replace"].get<std::string>());
        request.work.sourceHash = contentHash(request.work.source);
        bool wrong = false;
        for (int i = 0; i < kTries && !wrong; ++i) {
            const Result<RunAnswer> answer = run(*worker(), request);
            wrong = !answer || answer->status != ResultStatus::ok;
        }
        std::printf("%-24s %s\n", mutant["id"].get<std::string>().c_str(), wrong ? "noticed" : "not noticed");
        noticed += wrong ? 1 : 0;
    }
    EXPECT_GE(noticed, 8);
}

} // namespace
} // namespace kl
