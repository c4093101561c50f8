// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/resource.h"
#include "core/codec/json.h"
#include "tests/support/build_folder.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace kl::test {

/// What a command line answered.
struct Answer {
    int code = -1;
    std::string out;
    std::string err;

    Json json() const
    {
        Result<Json> parsed = parseJson(out, "stdout");
        EXPECT_TRUE(parsed.ok()) << "not JSON: " << out << err;
        return parsed ? *parsed : Json::object();
    }
};

/// Runs build/bin/kloop in a folder of its own, with a database of its own and a worker that says it has no GPU.
class Kloop : public testing::Test {
protected:
    void SetUp() override
    {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  ("kl-cli-" + std::to_string(::getpid()) + "-" + info->test_suite_name() + "-" + info->name());
        std::filesystem::create_directories(folder_);
        useWorker(kNoGpu);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    /// `redirections` are the shell's, after those that catch the answer: ">/dev/full".
    Answer kloop(const std::vector<std::string>& words, const std::string& environment = {}, const std::string& redirections = {}) const
    {
        std::string line = "KERNELLOOP_WORKER=" + quoted(file("worker.sh")) + " KERNELLOOP_DB=" + quoted(file("test.db")) +
                           " XDG_STATE_HOME=" + quoted(file("state")) + ' ' + environment + ' ' +
                           quoted(test::buildFolder() + "/bin/kloop");
        for (const std::string& word : words)
            line += ' ' + quoted(word);
        line += " >" + quoted(file("out")) + " 2>" + quoted(file("err")) + " </dev/null " + redirections;
        const int status = std::system(line.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status, read("out"), read("err")};
    }

    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    std::string read(const std::string& name) const
    {
        std::ifstream in(folder_ / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name, std::ios::binary) << text; }
    /// `folder`: below the test's own, with a slash at its end; empty for the one that kloop() uses.
    void useWorker(const std::string& script, const std::string& folder = {}) const
    {
        write(folder + "worker.sh", "#!/bin/sh\n" + script);
        std::filesystem::permissions(folder_ / (folder + "worker.sh"), std::filesystem::perms::owner_all);
    }
    /// A worker with a GPU that keeps every request in the file "requests" and answers with defaults: a run that is correct and untimed.
    /// `device`: more fields of its device, as JSON; `cases`: branches of the shell's `case` that answer some verbs otherwise.
    void useRecorder(const std::string& device = {}, const std::string& cases = {}) const
    {
        useWorker("cd " + quoted(file("")) + R"(
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"uuid":"GPU-1","name":"Test GPU")" +
                  device + R"(}],"unavailable":null}'
# The shell's own read takes a byte at a time, and requests carry whole sources. One is sent after the other was answered.
while line=$(head -n 1) && [ -n "$line" ]; do
    printf '%s\n' "$line" >> requests
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"verb":"shutdown"'*) exit 0 ;;
    )" + cases + R"(
    *) echo "{\"event\":\"result\",\"id\":$id,\"body\":{}}" ;;
    esac
done
)");
    }
    /// The bodies of the requests of a verb that the recorder has kept, in their order.
    std::vector<Json> requested(const std::string& verb) const
    {
        std::vector<Json> bodies;
        std::istringstream lines(read("requests"));
        for (std::string line; std::getline(lines, line);)
            if (const Result<Json> request = parseJson(line, "request"); request && (*request)["verb"] == verb)
                bodies.push_back((*request)["body"]);
        return bodies;
    }
    /// Those of one command, whatever it makes of the recorder's answers.
    std::vector<Json> requestedBy(const std::string& verb, const std::vector<std::string>& words, const std::string& environment = {}) const
    {
        std::filesystem::remove(file("requests"));
        kloop(words, environment);
        return requested(verb);
    }
    static bool sampleCarried() { return !resourcesUnder("resources/captures/").empty(); }

    static constexpr const char* kNoGpu = R"(
echo '{"event":"hello","protocol":1,"version":"test","devices":[],"unavailable":"There is no NVIDIA GPU on this machine."}'
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"verb":"env"'*)
        echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"checks\":[{\"id\":\"gpu\",\"requirement\":\"required\",\"result\":\"fail\",\"found\":\"no GPU found\",\"why\":\"w\",\"fix\":\"f\"}]}}" ;;
    *'"verb":"shutdown"'*) exit 0 ;;
    esac
done
)";

    /// As one word of the shell's.
    static std::string quoted(const std::string& text)
    {
        std::string out = "'";
        for (const char c : text)
            out += c == '\'' ? std::string("'\\''") : std::string(1, c);
        return out + '\'';
    }

private:
    std::filesystem::path folder_;
};

} // namespace kl::test

#define KL_NEEDS_SAMPLE()                                                                                                                  \
    if (!sampleCarried())                                                                                                                  \
    GTEST_SKIP() << "this build carries no recorded capture (resources/captures/): run ./dev capture on a GPU host"
