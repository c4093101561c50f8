// SPDX-License-Identifier: MIT
#include "sessions/store/schema.h"

namespace kl::inline store {

// A row for each metric of each run took four fifths of the file and most of the time of an import, and nothing ever read one: a run's
// record has them all.
Status migrateTo5(const sqlite::Connection& connection)
{
    return connection.exec("DROP TABLE metrics");
}

} // namespace kl::inline store
