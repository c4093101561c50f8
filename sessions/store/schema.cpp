// SPDX-License-Identifier: MIT
#include "sessions/store/schema.h"

#include "core/base/try.h"

#include <array>
#include <fmt/format.h>

namespace kl::inline store {

Status migrate(const sqlite::Connection& connection, int from, int to)
{
    using Step = Status (*)(const sqlite::Connection&);
    static constexpr std::array<Step, kSchemaVersion> kSteps{createSchema1, migrateTo2, migrateTo3, migrateTo4, migrateTo5,
                                                             migrateTo6,    migrateTo7, migrateTo8, migrateTo9};
    return sqlite::inTransaction(connection, [&]() -> Status {
        // Another program may have migrated while this one waited for the write lock.
        KL_ASSIGN(const std::int64_t present, connection.number("PRAGMA user_version"));
        for (int version = std::max(from, static_cast<int>(present)); version < to; ++version)
            KL_TRY(kSteps[static_cast<std::size_t>(version)](connection));
        if (present >= to)
            return {};
        return connection.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, to));
    });
}

} // namespace kl::inline store
