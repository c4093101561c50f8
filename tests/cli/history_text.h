// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "sessions/session/template_library.h"
#include "tests/cli/text_rows.h"
#include "tests/support/store_support.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace kl::test {

/// What the commands of the history print, of sessions that are written into a store.
class HistoryText : public AskedKloop {
protected:
    std::unique_ptr<Store> store() const { return support::openStore(file("test.db")); }
    /// A session on a GPU of so many minutes that begins on that day of 2026-01; unfinished with 0.
    static void addSession(Store& store, const std::string& name, int day, int minutes, double speedup, int refusals = 0)
    {
        const auto at = [&](int minute) { return fmt::format("2026-01-{:02}T{:02}:{:02}:00.000Z", day, 8 + minute / 60, minute % 60); };
        SessionHeader header;
        header.id.text = "id-" + name;
        header.name = name;
        header.kind = "optimize";
        header.objective = "Make it fast";
        header.kernel = "transpose";
        header.createdAt = at(0);
        header.templateJson = *templateText("optimize");
        const Json opened{{"answers", Json::object()},
                          {"start", "transpose/naive"},
                          {"problem", {{"M", 64}, {"N", 64}}},
                          {"device", "NVIDIA H200"},
                          {"device_uuid", "GPU-1"},
                          {"driver", ""},
                          {"claims", Json::array()},
                          {"options", {{"cumulative", false}}}};
        ASSERT_TRUE(store.createSession(header, {1, at(0), "opened", encode(opened)}).ok());
        int seq = 1;
        for (int i = 0; i < refusals; ++i)
            ASSERT_TRUE(store
                            .appendEvent(header.id, {++seq, at(0), "refused-attempt",
                                                     R"({"action":"verify-smallest","rule":"G1","message":"Check it first."})"})
                            .ok());
        if (minutes == 0)
            return;
        const Json finished{{"speedup", speedup}, {"minutes", minutes}, {"outcome", "kept"}, {"gates", Json::object()}};
        ASSERT_TRUE(store.appendEvent(header.id, {++seq, at(minutes), "finished", encode(finished)}).ok());
    }
};

} // namespace kl::test
