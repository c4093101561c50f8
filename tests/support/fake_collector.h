// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "profiler/protocol/message_codec.h"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kl::test {

/// What the fake GPU says about one variant. Made-up figures.
struct FakeKernel {
    double gpuNs = 100'000;
    double baselineNs = 50'000;
    bool right = true;
    std::string wrongSize;   ///< problem text of the one size that comes out incorrect; empty: none
    double dramPercent = 10; ///< the tests' diagnosis tree classifies by this one metric
    bool counters = true;
    bool baseline = true;
    std::int64_t memoryBytes = 1 << 20;
    std::function<bool(const Params&)> wrongOn = {};          ///< further problems that come out incorrect
    CorrectnessResult whenTimed = CorrectnessResult::correct; ///< what its timed passes show
    std::string baselineVersion = {};
    std::optional<double> joules = {}; ///< per launch; unset: cannot be measured
};

/// Answers run, profile, ab and env from a table by kernel address, and keeps count of what it was asked.
class FakeCollector : public Collector {
public:
    explicit FakeCollector(Source source = Source::sample) : source_(source)
    {
        DeviceInfo device;
        device.uuid = "GPU-fake";
        device.name = "Fake H200";
        device.ccMajor = 9;
        device.smCount = 132;
        device.smemPerBlockOptin = 232'448;
        device.driverVersion = "580.1";
        hello_.devices.push_back(device);
        environment.checks.push_back({"gpu", Requirement::required, CheckResult::pass, "Fake H200", "nothing runs without one", ""});
        environment.checks.push_back({"torch", Requirement::optional, CheckResult::skipped, "not asked", "for baselines", ""});
    }

    Source source() const override { return source_; }
    const Hello& hello() const override { return hello_; }
    Hello& hello() { return hello_; }

    Status allow(const FileCommand& command, const Job&) override
    {
        commands.push_back(command);
        return consent ? consent(command) : Status{};
    }
    bool holds(Verb verb, const Json& body) const override { return !recorded || recorded(verb, body); }
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        requested.emplace_back(toWord(verb));
        if (failWith)
            return *failWith;
        if (verb == Verb::environment)
            return toJsonMessage(environment);
        if (verb == Verb::run)
            return answerRun(body, {});
        if (verb == Verb::profile && job.partial && source_ == Source::live)
            job.partial(*answerRun(body["run"], {}));
        if (verb == Verb::profile)
            return answerProfile(body);
        if (verb == Verb::compare)
            return answerAb(body);
        if (verb == Verb::compile && build)
            return toJsonMessage(*build);
        if (verb == Verb::sanitize)
            if (const auto log = sanitizerLogs.find(body["work"]["kernel"].get<std::string>() + ' ' + body["tool"].get<std::string>());
                log != sanitizerLogs.end())
                return toJsonMessage(SanitizeAnswer{log->second, {}});
        return Error{.code = ErrorCode::notRecorded, .message = std::string(toWord(verb)) + " is not recorded.", .where = toWord(verb)};
    }

    std::map<std::string, FakeKernel> kernels; ///< by address; "ADDRESS#HASH" for one state of its source
    EnvReport environment;
    std::map<std::string, std::string> sanitizerLogs; ///< by address and tool: "transpose/naive memcheck"
    std::optional<CompileAnswer> build;               ///< nothing: builds are not recorded
    std::optional<PmSampling> pmSampling;             ///< of every profile that requests it
    double spread = 0.002;                            ///< of the block ratios: widens the A/B interval
    std::optional<Error> failWith;                    ///< every request fails so
    std::function<bool(Verb, const Json&)> recorded;  ///< what a recording holds; unset: everything
    std::vector<std::string> requested;
    std::function<Status(const FileCommand&)> consent; ///< to commands that files name; unset: given
    std::vector<FileCommand> commands;                 ///< that it was asked for

private:
    const FakeKernel& findKernel(const Json& work)
    {
        const std::string address = work["kernel"];
        const auto exact = kernels.find(address + '#' + work["source_hash"].get<std::string>());
        return exact == kernels.end() ? kernels[address] : exact->second;
    }

    Result<Json> answerProfile(const Json& request)
    {
        Result<Json> answer = answerRun(request["run"], request["tier"].get<int>());
        if (const auto wanted = request.find("pm_sampling"); answer && wanted != request.end() && *wanted == true)
            (*answer)["pm_sampling"] = toJsonMessage(RunAnswer{.pmSampling = pmSampling})["pm_sampling"];
        return answer;
    }

    Result<Json> answerRun(const Json& request, std::optional<int> tier)
    {
        const FakeKernel& kernel = findKernel(request["work"]);
        RunAnswer answer;
        answer.device = hello_.devices.front();
        answer.recordedAt = source_ == Source::sample ? "2026-01-02T03:04:05.000Z" : "";
        answer.sourceHash = request["work"]["source_hash"];
        for (const Json& size : request["suite"])
            answer.correctness.suite.push_back({size["problem"], kernel.right && !isWrong(kernel, size["problem"]), 0, 0, 0, 0, ""});
        bool right = kernel.right && !(kernel.wrongOn && kernel.wrongOn(*parseParams(request["work"]["problem"].get<std::string>())));
        for (SuiteRow& row : answer.correctness.suite)
            if (!row.pass) {
                right = false;
                row.reason = "max abs error 4.72";
            }
        answer.correctness.result = right ? CorrectnessResult::correct : CorrectnessResult::incorrect;
        answer.correctness.reason = right ? "" : "max abs error 4.72";
        if (!right) {
            answer.correctness.firstWrong = Mismatch{"out", 0, 3, 4, "wrong", "", "", ""};
            answer.status = ResultStatus::validationFailed;
            answer.reason = "the result is wrong";
            return toJsonMessage(answer);
        }
        if (isRefuted(kernel.whenTimed) && request.value("timed", true)) {
            refute(answer.correctness, kernel.whenTimed);
            answer.status = ResultStatus::validationFailed;
            answer.reason = answer.correctness.reason;
            return toJsonMessage(answer);
        }
        answer.timing.emplace();
        answer.timing->gpu = {kernel.gpuNs, kernel.gpuNs * 0.99, kernel.gpuNs * 1.01, 100};
        answer.timing->clockMhz = 1755;
        if (asksEnergy(request))
            answer.timing->energy = Energy{kernel.joules, 1.5, 1000, 30, kernel.joules ? "" : "There is no counter."};
        answer.memoryBytes = kernel.memoryBytes;
        answer.baseline.emplace();
        answer.baseline->name = "device copy";
        answer.baseline->version = kernel.baselineVersion;
        if (kernel.baseline)
            answer.baseline->gpu = Summary{kernel.baselineNs, kernel.baselineNs * 0.99, kernel.baselineNs * 1.01, 100};
        else
            answer.baseline->unavailable = "torch is not installed";
        answer.launches.push_back({"entry", 1024, 256, 32, 0, 4096});
        if (tier && kernel.counters) {
            answer.metrics.emplace();
            answer.metrics->tier = *tier;
            answer.metrics->values["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = kernel.dramPercent;
            answer.metrics->plan = {9, 9};
        }
        return toJsonMessage(answer);
    }

    static bool asksEnergy(const Json& request) { return request.contains("energy") && request["energy"] == true; }

    static bool isWrong(const FakeKernel& kernel, const std::string& problem)
    {
        return problem == kernel.wrongSize || (kernel.wrongOn && kernel.wrongOn(*parseParams(problem)));
    }

    Result<Json> answerAb(const Json& request)
    {
        const FakeKernel& a = findKernel(request["a"]);
        const FakeKernel& b = findKernel(request["b"]);
        AbAnswer answer;
        answer.device = hello_.devices.front();
        answer.recordedAt = source_ == Source::sample ? "2026-01-02T03:04:05.000Z" : "";
        const int first = request["first_block"];
        for (int i = first; i < first + request["blocks"].get<int>(); ++i) {
            const double wobble = 1 + spread * (i % 2 == 0 ? 1 : -1);
            answer.blocks.push_back({std::vector<double>(10, a.gpuNs * wobble), std::vector<double>(10, b.gpuNs)});
        }
        if (asksEnergy(request)) {
            answer.energy.emplace();
            for (int i = 0; a.joules && b.joules && i < 5; ++i)
                answer.energy->blocks.push_back({{*a.joules * (1 + 0.001 * i)}, {*b.joules}});
            answer.energy->reason = answer.energy->blocks.empty() ? "There is no counter." : "";
        }
        answer.correctnessA.result = a.right ? CorrectnessResult::correct : CorrectnessResult::incorrect;
        answer.correctnessB.result = b.right ? CorrectnessResult::correct : CorrectnessResult::incorrect;
        for (const auto& [kernel, correctness] : {std::pair(&a, &answer.correctnessA), std::pair(&b, &answer.correctnessB)})
            if (isRefuted(kernel->whenTimed)) {
                refute(*correctness, kernel->whenTimed);
                answer.status = ResultStatus::validationFailed;
                answer.reason = correctness->reason;
                answer.blocks.clear();
            }
        return toJsonMessage(answer);
    }

    /// As a worker does when a checked pass is not what it must be.
    static void refute(Correctness& correctness, CorrectnessResult result)
    {
        Witness witness;
        witness.what = "Behind checked pass 3 out[35] holds 4.5 instead of 3.";
        witness.pass = 3;
        witness.buffer = "out";
        witness.index = 35;
        witness.expected = 3;
        witness.got = 4.5;
        witness.address = "0x7f00";
        correctness.result = result;
        correctness.reason = witness.what;
        correctness.witness = witness;
        correctness.proof = PassProof{3, 12, 12, true, ""};
    }

    Source source_;
    Hello hello_;
};

} // namespace kl::test
