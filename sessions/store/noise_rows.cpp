// SPDX-License-Identifier: MIT
#include "sessions/store/sqlite_store.h"

#include "core/base/try.h"
#include "core/codec/model_fields.h"
#include "sessions/store/blob.h"

namespace kl::inline store {

using sqlite::Statement;

Status SqliteStore::saveNoise(const NoiseRecord& n)
{
    const std::string ratios = packSamples(n.ratios);
    return write([&] {
        return db_.run("INSERT INTO noise(id, device_uuid, device_name, driver, source, kernel, problem, noise, repeats, equivalent, "
                       "different, ratios, at) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(id) DO NOTHING",
                       n.id, n.deviceUuid, n.deviceName, n.driver, std::string(toWord(n.source)), n.kernel, n.problem, n.noise,
                       static_cast<std::int64_t>(n.ratios.size()), n.equivalent, n.different, sqlite::Blob{ratios}, n.at);
    });
}

Result<std::vector<NoiseRecord>> SqliteStore::noise() const
{
    const std::lock_guard lock(mutex_);
    Status damaged;
    Result<std::vector<NoiseRecord>> records = sqlite::readAll<NoiseRecord>(
        db_.query("SELECT id, device_uuid, device_name, driver, source, kernel, problem, noise, ratios, equivalent, different, at "
                  "FROM noise ORDER BY at DESC, id DESC"),
        [&](const Statement& row) {
            Result<std::vector<double>> ratios = unpackSamples(row.blob(8));
            if (!ratios)
                damaged = ratios.error();
            return NoiseRecord{row.text(0),
                               row.text(1),
                               row.text(2),
                               row.text(3),
                               enumFrom<Source>(row.text(4)), // the schema's CHECK keeps other words out
                               row.text(5),
                               row.text(6),
                               row.real(7).value_or(0),
                               ratios ? std::move(*ratios) : std::vector<double>{},
                               static_cast<int>(row.integer(9)),
                               static_cast<int>(row.integer(10)),
                               row.text(11)};
        });
    KL_TRY(damaged);
    return records;
}

} // namespace kl::inline store
