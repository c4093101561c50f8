// SPDX-License-Identifier: MIT
#include "sessions/learning/open_gates.h"

#include "sessions/session/gate.h"
#include "sessions/session/session_model.h"

namespace kl::inline learning {

void addOpenGates(std::vector<HistoryRow>& rows, const Store& store, const Catalog& catalog)
{
    for (HistoryRow& row : rows) {
        if (row.status != SessionStatus::open || row.sample)
            continue;
        const Result<SessionModel> model = loadSession(store, catalog, SessionId{row.id});
        if (!model)
            continue;
        row.gates.clear();
        for (const GateView& gate : model->view.gates)
            if (gate.progress != GateProgress::notStarted)
                row.gates.push_back({gate.id, outcomeWord(gate), FigureKind::measured, {}, gate.title});
    }
}

} // namespace kl::inline learning
