// SPDX-License-Identifier: MIT
#include "sessions/learning/device_price.h"

#include "profiler/device/slurm_partition.h"
#include "sessions/hosts/host_list.h"
#include "sessions/learning/money.h"

#include <algorithm>
#include <set>

namespace kl::inline learning {
namespace {

/// What is asked for at one place: a GPU here (host empty) or of a host, or the jobs of a partition.
struct Place {
    std::string host;
    int workers = 1;
};

Place findPlace(const DeviceSpec& device, const std::string& host)
{
    const auto place = std::ranges::find(device.remote, host, &RemoteGpu::host);
    if (place != device.remote.end())
        return {host, place->workers};
    return device.remote.empty() ? Place{} : Place{device.remote.front().host, device.remote.front().workers};
}

} // namespace

std::optional<double> hourOn(const DeviceSpec& device, const std::string& host, const std::string& gpu, const std::vector<KnownHost>& hosts,
                             const std::vector<GpuPrice>& prices)
{
    std::vector<Place> places;
    for (const DeviceSpec& one : device.several)
        places.push_back(findPlace(one, host));
    if (device.several.empty())
        places.push_back(findPlace(device, host));
    double dollars = 0;
    std::set<std::string> counted; // machines, which have one price however many of their GPUs work
    for (const Place& place : places) {
        const std::optional<GpuPrice> price = priceOn(place.host, gpu, hosts, prices);
        if (!price)
            return {};
        const auto known = std::ranges::find(hosts, place.host, &KnownHost::host);
        const bool ofMachine = known != hosts.end() && known->dollarsPerHour && !isPartitionHost(place.host);
        if (!ofMachine || counted.insert(place.host).second)
            dollars += price->dollarsPerHour * place.workers;
    }
    return dollars;
}

} // namespace kl::inline learning
