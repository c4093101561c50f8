// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"

#include <QStringList>

namespace kl::ui {

/// Opens measurements of other tools: reads the files in the background, stores their runs, and shows the first. With a read-only database
/// the runs are kept while the window is open.
class ReportOpener : public QObject {
    Q_OBJECT
public:
    explicit ReportOpener(AppContext& context, QWidget* window);

    void choose(); ///< asks for files
    void open(const QStringList& paths);

private:
#ifndef Q_MOC_RUN
    struct Opened {
        std::vector<RunRecord> runs;
        std::vector<Error> errors;
        std::vector<std::string> notes;
        int stored = 0; ///< number of runs that were new
        bool kept = false;
    };
    static Opened read(Engine& engine, const QStringList& paths);
    void show(Opened opened);
#endif

    AppContext& context_;
    QWidget* window_;
    BackgroundJob job_;
};

} // namespace kl::ui
