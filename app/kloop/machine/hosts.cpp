// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "profiler/device/slurm_partition.h"
#include "sessions/hosts/host_list.h"
#include "sessions/store/amounts.h"

#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct HostOptions {
    std::string host;
    std::optional<double> price;
    std::optional<std::string> note;
};

void printHosts(Program& program, const HostList& list, const std::vector<KnownHost>& hosts)
{
    Json rows = Json::array();
    Table table({"Host", "State", "GPUs", "$/hour>", "Held>", "Cost>", "Last used", "Note"});
    for (const KnownHost& host : hosts) {
        rows.push_back(toJson(host));
        table.add({host.host, toWord(host.state), host.gpus.empty() ? host.reason : gpusText(host),
                   host.dollarsPerHour ? formatMoney(*host.dollarsPerHour) : std::string(),
                   host.heldSeconds > 0 ? formatMinutes(host.heldSeconds / 60) : std::string(),
                   host.dollars > 0 ? formatMoney(host.dollars) : std::string(), lastUse(host), host.note});
    }
    if (!program.printAsJson({{"schema", "kernelloop.hosts/1"}, {"kept_in", list.file().string()}, {"hosts", rows}}))
        printText("{}", hosts.empty() ? "You have not used or added any hosts yet.\n" : table.text());
}

Result<int> listHosts(Program& program)
{
    const HostList list;
    KL_ASSIGN(const std::vector<KnownHost> hosts, list.list());
    printHosts(program, list, hosts);
    return 0;
}

/// Error usage for a text that is neither a host for --on ssh: nor a Slurm partition.
Result<std::string> parseHost(const std::string& text)
{
    const Result<DeviceSpec> device = parseDeviceSpec(isPartitionHost(text) ? text : "ssh:" + text);
    if (!device || device->remote.size() != 1 || device->remote.front() != RemoteGpu{device->remote.front().host, {}})
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("\"{}\" is neither an ssh host nor a Slurm partition.", text),
                     .hint = "Write HOST, USER@HOST or slurm:PARTITION; for a port, name the host in your ssh configuration.",
                     .where = text};
    return device->remote.front().host;
}

Result<int> addHost(Program& program, const HostOptions& options)
{
    KL_ASSIGN(const std::string named, parseHost(options.host));
    if (options.price && *options.price > kMostDollarsPerHour)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("The price of {} must be at most {} per hour.", named, formatMoney(kMostDollarsPerHour)),
                     .where = "--price"};
    const HostList list;
    KL_TRY(list.change(named, [&](KnownHost& host) {
        if (options.price)
            host.dollarsPerHour = options.price;
        if (options.note)
            host.note = *options.note;
    }));
    KL_ASSIGN(const KnownHost host, list.find(named));
    printHosts(program, list, {host});
    return 0;
}

Result<int> removeHost(Program& program, const std::string& name)
{
    const HostList list;
    KL_TRY(list.remove(name));
    return listHosts(program);
}

using Edit = std::function<void(KnownHost&)>;

/// Brings a row of the list up to date. A partition is not worth a job: Slurm knows it.
Result<Edit> lookAt(Program& program, const std::string& host)
{
    if (isPartitionHost(host)) {
        KL_ASSIGN(const SlurmPartition partition, askPartition(host));
        return Edit([partition](KnownHost& now) {
            now.state = partition.ready ? HostState::ready : HostState::unusable;
            now.reason = partition.ready ? std::string() : partition.state;
            now.gpus = partition.gpus;
            now.checkedAt = isoNow();
        });
    }
    program.job().report("connecting to " + host);
    const std::unique_ptr<LazyDevice> device = program.makeLazyDevice(makeHostDevice(host));
    KL_ASSIGN(const Collector* opened, device->open());
    return Edit([hello = opened->hello()](KnownHost& now) { describeHost(now, hello); });
}

/// State and GPUs of each as they are now.
Result<int> checkHosts(Program& program, const std::vector<std::string>& names)
{
    const HostList list;
    std::vector<std::string> checked;
    for (const std::string& name : names) {
        KL_ASSIGN(checked.emplace_back(), parseHost(name));
    }
    if (names.empty()) {
        KL_ASSIGN(const std::vector<KnownHost> known, list.list());
        for (const KnownHost& host : known)
            checked.push_back(host.host);
    }
    std::vector<KnownHost> hosts;
    bool ready = true;
    for (const std::string& host : checked) {
        const Result<Edit> seen = lookAt(program, host);
        if (!seen && seen.error().code == ErrorCode::needsConsent)
            return seen.error();
        KL_TRY(list.change(host, seen ? *seen : Edit([](KnownHost&) {})));
        if (!seen) {
            KL_TRY(list.noteFailure(host, seen.error()));
            say("kloop: {} {}\n", seen.error().message, seen.error().hint);
        }
        KL_ASSIGN(hosts.emplace_back(), list.find(host));
        ready = ready && hosts.back().state == HostState::ready;
    }
    printHosts(program, list, hosts);
    return ready ? 0 : exitCode(ErrorCode::environment);
}

Runner addHostsList(CLI::App&)
{
    return listHosts;
}

Runner addHostsAdd(CLI::App& app)
{
    const auto options = std::make_shared<HostOptions>();
    app.add_option("HOST", options->host, "HOST or USER@HOST, as ssh takes it, or slurm:PARTITION")->required();
    app.add_option("--price", options->price, "Price per hour in dollars; for a partition, per job-hour")->check(positiveNumber);
    app.add_option("--note", options->note, "A note for yourself");
    return [options](Program& program) { return addHost(program, *options); };
}

Runner addHostsRemove(CLI::App& app)
{
    const auto name = std::make_shared<std::string>();
    app.add_option("HOST", *name, "The host to forget")->required();
    return [name](Program& program) { return removeHost(program, *name); };
}

Runner addHostsCheck(CLI::App& app)
{
    const auto names = std::make_shared<std::vector<std::string>>();
    app.add_option("HOST", *names, "Hosts (default: all in the list)");
    return [names](Program& program) { return checkHosts(program, *names); };
}

} // namespace

Runner addHosts(CLI::App& app)
{
    app.footer("Measure on a host with --on ssh:HOST or --on slurm:PARTITION. A host joins the list when it is first used.");
    return addCommands(app,
                       {{"list", "List your hosts with their state, GPUs, price and last use", addHostsList},
                        {"add", "Add a host, or set its price or note", addHostsAdd},
                        {"remove", "Remove a host from the list", addHostsRemove},
                        {"check", "Connect to hosts and show their state; copies the worker there if you allow it", addHostsCheck}},
                       listHosts);
}

} // namespace kl::cli
