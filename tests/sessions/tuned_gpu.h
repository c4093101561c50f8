// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "profiler/protocol/message_codec.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl::test {

/// A GPU whose time is a known function of the tunables, with its compiler: BLOCK_M=128 spills, HALF2 changes no instruction.
class TunedGpu : public Collector {
public:
    TunedGpu()
    {
        DeviceInfo device;
        device.uuid = "GPU-tuned";
        device.name = "Tuned H200";
        device.ccMajor = 9;
        device.driverVersion = "1";
        hello_.devices.push_back(device);
    }
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return hello_; }
    Hello& hello() { return hello_; }

    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        if (job.stop.stop_requested())
            return Error{.code = ErrorCode::interrupted, .message = "stopped"};
        if (verb == Verb::count)
            return count(body);
        if (verb != Verb::buildMany && verb != Verb::run)
            return Error{.code = ErrorCode::environment, .message = std::string("This worker has no ") + toWord(verb) + '.'};
        return verb == Verb::buildMany ? build(body) : time(body);
    }

    static double computeNs(const Params& tunables)
    {
        const auto value = [&](const char* name, std::int64_t otherwise) {
            const std::int64_t* found = numberIn(tunables, name);
            return static_cast<double>(found ? *found : otherwise);
        };
        const bool pad = tunables.contains("SWIZZLE") && tunables.at("SWIZZLE") == ParamValue(std::string("pad"));
        return 1000 + value("BLOCK_N", 64) + 10 * value("WARPS", 4) + 100 * value("STAGES", 2) + (pad ? 50 : 0);
    }

    /// The fastest point is not the one that needs least: WARPS cost more than they gain.
    static double computeJoules(const Params& tunables)
    {
        const std::int64_t* warps = numberIn(tunables, "WARPS");
        return computeNs(tunables) * 1e-6 * (!warps || *warps == 4 ? 1 : 2);
    }

    int timed = 0;
    bool countsEnergy = true; ///< has a counter of its energy
    int counted = 0;
    double powerW = 0;  ///< of the board; 0: not known
    double rival = 0;   ///< time of the baseline / that of the kernel; 0: there is none
    std::string fails;  ///< address of the one that fails
    std::string cheats; ///< address of the one that is refuted when it is timed at length
    ResultStatus cheatStatus = ResultStatus::validationFailed;

private:
    Result<Json> build(const Json& body)
    {
        const Result<BuildManyRequest> request = fromJsonMessage<BuildManyRequest>(body);
        EXPECT_TRUE(request.ok());
        BuildManyAnswer answer;
        for (const BuildPoint& point : request->points) {
            const Params tunables = parseAddress(point.kernel)->tunables;
            const std::int64_t* rows = numberIn(tunables, "BLOCK_M");
            BuiltPoint built;
            built.kernel = point.kernel;
            built.ok = true;
            for (const std::string& option : point.options)
                if (!option.starts_with("-DHALF2"))
                    built.code += option;
            for (const BuildPoint::Launch& launch : point.launches)
                built.launches.push_back(
                    {launch.entry, launch.threads, 128, rows && *rows == 128 ? 96 : 0, 0, 0, 0, launch.dynamicSmem, 1, {}});
            answer.points.push_back(std::move(built));
        }
        return toJsonMessage(answer);
    }
    Result<Json> time(const Json& body)
    {
        ++timed;
        const Result<RunRequest> request = fromJsonMessage<RunRequest>(body);
        EXPECT_TRUE(request.ok());
        EXPECT_TRUE(request->trial.value_or(false));
        RunAnswer answer;
        if (request->work.kernel == fails) {
            answer.status = ResultStatus::computationFailed;
            answer.reason = "it faults";
        } else if (request->work.kernel == cheats && request->maxSamples != 12) {
            answer.status = cheatStatus;
            answer.timing.emplace();
            answer.timing->gpu.median = 1;
            answer.correctness.result = CorrectnessResult::replays;
            answer.correctness.witness = Witness{"It was not computed."};
        } else {
            answer.timing.emplace();
            const Params tunables = parseAddress(request->work.kernel)->tunables;
            answer.timing->gpu.median = computeNs(tunables);
            if (powerW > 0)
                answer.timing->powerW = powerW;
            if (request->withBaseline)
                confirm(answer);
            if (request->energy.value_or(false)) {
                answer.timing->energy.emplace().reason = countsEnergy ? "" : "There is no counter.";
                if (countsEnergy)
                    answer.timing->energy->perLaunchJ = computeJoules(tunables);
            }
        }
        return toJsonMessage(answer);
    }

    /// Blocks that differ a little, as real ones do.
    void confirm(RunAnswer& answer) const
    {
        const double ns = answer.timing->gpu.median;
        answer.timing->samples.assign(10, ns * (1 + 0.001 * (timed % 3)));
        answer.baseline.emplace().name = "Test SDPA";
        if (rival > 0)
            answer.baseline->gpu = Summary{ns * rival, ns * rival, ns * rival, 10};
        else
            answer.baseline->unavailable = "There is no python.";
    }
    Result<Json> count(const Json& body)
    {
        const Result<CountRequest> request = fromJsonMessage<CountRequest>(body);
        EXPECT_TRUE(request.ok());
        EXPECT_EQ(request->tier, 0) << "one pass";
        CountAnswer answer;
        for ([[maybe_unused]] const WorkSpec& work : request->works) {
            ++counted;
            answer.answers.emplace_back().metrics.emplace().values = {{"sm__cycles_active.avg", 1000.0}};
        }
        return toJsonMessage(answer);
    }

    Hello hello_;
};

/// Which also checks and compares: the first point that is checked is wrong.
class JudgedGpu final : public TunedGpu {
public:
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        if (verb == Verb::compare)
            return compare(body);
        const Result<RunRequest> request = verb == Verb::run ? fromJsonMessage<RunRequest>(body) : Result<RunRequest>(RunRequest());
        return request && verb == Verb::run && !request->trial.value_or(false) ? check(*request) : TunedGpu::ask(verb, body, job);
    }

    std::vector<std::string> checked;
    CorrectnessResult firstResult = CorrectnessResult::incorrect;
    ResultStatus firstStatus = ResultStatus::validationFailed;

private:
    Result<Json> check(const RunRequest& request)
    {
        checked.push_back(request.work.kernel);
        RunAnswer answer;
        answer.device = hello().devices.front();
        const double ns = computeNs(parseAddress(request.work.kernel)->tunables);
        answer.timing.emplace();
        answer.timing->gpu = {ns, ns, ns, 100};
        answer.correctness.result = CorrectnessResult::correct;
        if (checked.size() == 1) {
            answer.status = firstStatus;
            answer.reason = "one row is wrong";
            answer.correctness.result = firstResult;
        }
        return toJsonMessage(answer);
    }
    Result<Json> compare(const Json& body)
    {
        const Result<AbRequest> request = fromJsonMessage<AbRequest>(body);
        EXPECT_TRUE(request.ok());
        AbAnswer answer;
        answer.device = hello().devices.front();
        const double a = computeNs(parseAddress(request->a.kernel)->tunables);
        const double b = computeNs(parseAddress(request->b.kernel)->tunables);
        for (int i = 0; i < request->blocks; ++i)
            answer.blocks.push_back({std::vector<double>(10, a * (1 + 1e-4 * i)), std::vector<double>(10, b)});
        answer.correctnessA.result = answer.correctnessB.result = CorrectnessResult::correct;
        return toJsonMessage(answer);
    }
};

} // namespace kl::test
