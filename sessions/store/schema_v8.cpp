// SPDX-License-Identifier: MIT
#include "sessions/store/schema.h"

namespace kl::inline store {

// The fastest runs and the newest profiles of one family among many runs: found and sorted in the index, without reading a run.
Status migrateTo8(const sqlite::Connection& connection)
{
    return connection.exec(R"sql(
CREATE INDEX runs_by_address_and_gpu_ns ON runs(address, gpu_ns, id, class) WHERE gpu_ns IS NOT NULL;
CREATE INDEX profiles_by_address ON runs(address, started_at, id, class) WHERE class IS NOT NULL;
)sql");
}

} // namespace kl::inline store
