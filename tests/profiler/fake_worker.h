// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/client/worker_client.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <unistd.h>

namespace kl::test {

/// A shell script that speaks the protocol: it says hello, then does what the body of each request names.
class FakeWorker {
public:
    explicit FakeWorker(const std::string& prologue = kHello)
        : folder_(std::filesystem::temp_directory_path() / ("kl-fake-worker-" + std::to_string(::getpid()) + "-" + std::to_string(next())))
    {
        std::filesystem::create_directories(folder_);
        std::ofstream(folder_ / "worker.sh") << "starts=$(cat starts 2>/dev/null || echo 0); echo $((starts + 1)) > starts\n"
                                             << prologue << kLoop;
    }
    FakeWorker(const FakeWorker&) = delete;
    FakeWorker& operator=(const FakeWorker&) = delete;
    ~FakeWorker() { std::filesystem::remove_all(folder_); }

    WorkerOptions options() const
    {
        WorkerOptions options;
        options.program = "/bin/sh";
        options.arguments = {"-c", "cd '" + folder_.string() + "' && . ./worker.sh"};
        options.cancel = std::chrono::seconds(60); // as patient as its other limits: a busy host is slow
        return options;
    }

    /// The body of a request that has the worker do this.
    static Json requestTo(const char* what) { return Json{{"do", what}}; }

    void touch(const std::string& name) const { std::ofstream(folder_ / name) << '\n'; }
    std::string file(const std::string& name) const
    {
        std::ifstream in(folder_ / name);
        std::string text;
        std::getline(in, text);
        return text;
    }

    static constexpr const char* kHello =
        R"(echo '{"event":"hello","protocol":1,"version":"fake","devices":[{"name":"Fake GPU"}],"unavailable":null}')"
        "\n";

private:
    static int next()
    {
        static int counter = 0;
        return ++counter;
    }

    static constexpr const char* kLoop = R"(
say() { echo "{\"event\":\"$1\",\"id\":$id$2}"; }
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"do":"echo"'*) say result ",\"body\":{\"starts\":$(cat starts),\"length\":${#line}}" ;;
    *'"do":"steps"'*)
        say progress ',"seq":1,"step":"pass 1 of 2","elapsed_s":0.5,"expected_s":2'
        say progress ',"seq":2,"step":"pass 2 of 2","elapsed_s":1.5,"expected_s":null'
        say result ',"body":{"done":true}' ;;
    *'"do":"parts"'*)
        say partial ',"body":{"time":5}'
        say result ',"body":{"time":5,"counters":7}' ;;
    *'"do":"write"'*)
        say output ',"base64":"b3V0"'
        say output ',"base64":"YmFk","errors":true'
        say result ',"body":{}' ;;
    *'"do":"long"'*)
        for step in 1 2 3; do say progress ",\"seq\":$step,\"step\":\"pass $step of 3\",\"elapsed_s\":1,\"expected_s\":null"; sleep 1.5; done
        say result ',"body":{"done":true}' ;;
    *'"do":"refuse"'*) say error ',"code":"bad-input","message":"No such entry.","hint":"Check the name.","detail":"log"' ;;
    *'"do":"placed"'*)
        if [ $(cat starts) -ge 3 ]; then say result ",\"body\":{\"starts\":$(cat starts)}"
        else say error ',"code":"environment","message":"The address is taken.","detail":"KL_ADDRESS_TAKEN"'; fi ;;
    *'"do":"displaced"'*) say error ',"code":"environment","message":"The address is taken.","detail":"KL_ADDRESS_TAKEN"' ;;
    *'"do":"die"'*) echo 'CUDA_ERROR_ILLEGAL_ADDRESS at line 7' >&2; exit 3 ;;
    *'"do":"farewell"'*) say result ',"last":true,"body":{"failed":true}'; sleep 0.2; exit 3 ;;
    *'"do":"crash"'*) kill -SEGV $$ ;;
    *'"do":"hang"'*) echo 'last words before the hang' >&2; sleep 1000 ;;
    *'"do":"grandchild"'*) sleep 1000 & echo $! > grandchild; say progress ',"seq":1,"step":"kernel","elapsed_s":1,"expected_s":null'; wait ;;
    *'"do":"overtaken"'*)
        say progress ',"seq":1,"step":"kernel","elapsed_s":1,"expected_s":null'
        until [ -e go ]; do sleep 0.01; done
        say result ',"body":{"right":true}'; echo yes > written ;;
    *'"do":"beat"'*) while true; do say progress ',"seq":1,"step":"kernel","elapsed_s":1,"expected_s":null'; sleep 0.05; done ;;
    *'"do":"late"'*) echo '{"event":"result","id":9999,"body":{"wrong":true}}'; say result ',"body":{"right":true}' ;;
    *'"do":"garbage"'*) echo 'printf from the kernel' ;;
    *'"do":"polite"'*)
        say progress ',"seq":1,"step":"kernel","elapsed_s":1,"expected_s":null'
        read -r cancel
        case "$cancel" in *'"verb":"cancel"'*) say error ',"code":"interrupted","message":"Canceled."' ;; esac ;;
    *'"do":"noise"'*)
        i=0; while [ $i -lt 3000 ]; do echo "stderr line $i of many, padded to be long enough to fill the pipe" >&2; i=$((i + 1)); done
        say result ',"body":{}' ;;
    *'"do":"flood"'*)
        yes 'the same words on standard error without end' >&2 &
        sleep 0.2; say result ',"body":{"through":true}' ;;
    *'"verb":"shutdown"'*) echo bye > farewell; exit 0 ;;
    esac
done
echo end > farewell
)";

    std::filesystem::path folder_;
};

} // namespace kl::test
