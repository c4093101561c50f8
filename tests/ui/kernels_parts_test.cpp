// SPDX-License-Identifier: MIT
// The Kernels page and its parts by themselves: the list, what a compiler says, sizes, and that everything is of the kernel that is chosen.
#include "core/base/format.h"
#include "core/base/ids.h"
#include "core/device/device_table.h"
#include "core/model/source_lines.h"
#include "sessions/measure/sweep.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/context/app_context.h"
#include "ui/models/run_table_model.h"
#include "ui/pages/kernels/kernel_list.h"
#include "ui/pages/kernels/own_kernels_bar.h"
#include "ui/pages/kernels/static_charts.h"
#include "ui/pages/kernels/sweep_chart.h"
#include "ui/pages/kernels/sweep_view.h"
#include "ui/pages/kernels/variant_facts.h"
#include "ui/pages/kernels_page.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTreeWidget>

namespace kl::ui {
namespace {

TEST(LaunchWords, HaveEachFigureOfTheLaunch)
{
    LaunchFacts launch;
    launch.entry = "f";
    launch.registers = 40;
    launch.staticSmem = 1024;
    launch.dynamicSmem = 2048;
    launch.gridBlocks = 16384;
    launch.blockThreads = 1024;
    launch.theoreticalOccupancy = 75;
    launch.occupancyLimiter = "registers";
    const QStringList parts = launchWords(launch).split(q(" · "));
    ASSERT_EQ(parts.size(), 5) << parts.join('|').toStdString();
    EXPECT_TRUE(parts[0].startsWith("f: 40 "));
    EXPECT_TRUE(parts[2].startsWith(q(formatBytes(3072)))) << "static and dynamic";
    EXPECT_TRUE(parts[3].startsWith(q("16,384 × 1,024 ")));
    EXPECT_TRUE(parts[4].contains(q(formatPercent(75))) && parts[4].endsWith("registers"));
    const QString& none = parts[1];
    launch.localBytes = 96;
    launch.occupancyLimiter.clear();
    const QStringList spilled = launchWords(launch).split(q(" · "));
    EXPECT_NE(spilled[1], none);
    EXPECT_TRUE(spilled[1].contains("96"));
    EXPECT_TRUE(spilled[4].endsWith(q(formatPercent(75))));
}

TEST(KernelLists, BeginWithWhatIsBrokenAndAreNarrowedToAFamilyOrAVariant)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    QTreeWidget list;
    list.setColumnCount(3);
    fillKernels(list, *catalog, {{"/home/me/mine/kernel.json", Error{.code = ErrorCode::badInput, .message = "no"}}});
    ASSERT_EQ(list.topLevelItemCount(), static_cast<int>(catalog->families().size()) + 1);
    EXPECT_EQ(list.topLevelItem(0)->data(0, kBrokenRole).toString(), "/home/me/mine/kernel.json");
    EXPECT_TRUE(list.topLevelItem(0)->text(0).contains("mine"));
    const KernelFamily& family = catalog->families().front();
    QTreeWidgetItem* top = list.topLevelItem(1);
    EXPECT_TRUE(top->isExpanded());
    ASSERT_EQ(top->childCount(), static_cast<int>(family.variants.size()));
    EXPECT_EQ(top->child(0)->data(0, Qt::UserRole).toString(), q(family.id + "/" + family.variants.front().id));
    filterKernels(list, q(family.title).toUpper());
    EXPECT_FALSE(top->isHidden());
    for (int i = 0; i < top->childCount(); ++i)
        EXPECT_FALSE(top->child(i)->isHidden()) << "all of the family that is named";
    EXPECT_TRUE(list.topLevelItem(0)->isHidden());
    filterKernels(list, q(family.id + "/" + family.variants.front().id));
    EXPECT_FALSE(top->child(0)->isHidden());
    EXPECT_TRUE(top->child(top->childCount() - 1)->isHidden());
    EXPECT_TRUE(list.topLevelItem(2)->isHidden());
    filterKernels(list, "no such kernel");
    for (int i = 0; i < list.topLevelItemCount(); ++i)
        EXPECT_TRUE(list.topLevelItem(i)->isHidden());
    filterKernels(list, {});
    for (int i = 0; i < list.topLevelItemCount(); ++i)
        EXPECT_FALSE(list.topLevelItem(i)->isHidden());
    EXPECT_FALSE(top->child(top->childCount() - 1)->isHidden());
    auto* filter = makeKernelFilter(list, &list);
    filter->setText("  no such kernel ");
    EXPECT_TRUE(top->isHidden());
    filter->clear();
    EXPECT_FALSE(top->isHidden());
}

TEST(StaticCharts, OccupancyIsOfTheWorstLaunchOnEachArchitecture)
{
    const auto& rows = deviceTable().capabilities;
    ASSERT_EQ(listArchs().size(), rows.size());
    std::vector<BuiltPoint> points(rows.size());
    const CompiledLaunch light{"light", 256, 16, 0, 0, 0, 0, 0, 0, {}}, heavy{"heavy", 256, 255, 0, 0, 0, 0, 0, 0, {}};
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i].ok = true;
        points[i].arch = listArchs()[i];
        points[i].launches = {light, heavy, light};
    }
    const OccupancyBars all = occupancyBars(points);
    ASSERT_FALSE(all.bars.empty());
    std::size_t last = 0; // an architecture that a listed GPU has
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const GpuRow& gpu : deviceTable().gpus)
            if (gpu.ccMajor == rows[i].limits.ccMajor && gpu.ccMinor == rows[i].limits.ccMinor)
                last = i;
    const double expected = computeOccupancy(rows[last].limits, heavy).percent;
    EXPECT_DOUBLE_EQ(all.bars.back().value, expected) << "not the first launch's";
    EXPECT_FALSE(all.bars.back().good) << "below a half";
    EXPECT_TRUE(all.bars.back().words.startsWith(q(formatPercent(expected))));
    EXPECT_TRUE(all.bars.back().help.startsWith(q(listArchs()[last])));
    for (BuiltPoint& point : points)
        point.launches = {light};
    const OccupancyBars full = occupancyBars(points);
    EXPECT_TRUE(full.bars.back().good);
    double most = 0;
    for (const LimitBar& bar : full.bars)
        most = std::max(most, bar.value);
    EXPECT_DOUBLE_EQ(full.best, most);
    points[last].ok = false;
    points[last].log = "first line\nsecond line";
    const LimitBar failed = occupancyBars(points).bars.back();
    EXPECT_FALSE(failed.good);
    EXPECT_EQ(failed.value, 0);
    EXPECT_TRUE(failed.help.endsWith("\nfirst line")) << failed.help.toStdString();
}

TEST(StaticCharts, SevenClassesAreNamedAndTheRestIsOnePart)
{
    CompiledLaunch launch{"f", 64, 32, 0, 0, 0, 0, 0, 0, {}};
    for (int i = 0; i < 9; ++i)
        launch.opcodes["op" + std::to_string(i)] = 10 - i;
    const InstructionRows rows = instructionRows({launch});
    ASSERT_EQ(rows.classes.size(), 8);
    EXPECT_EQ(rows.classes[0], "op0");
    EXPECT_EQ(rows.classes[6], "op6");
    EXPECT_EQ(rows.rows[0].name, "f");
    EXPECT_EQ(rows.rows[0].parts, (std::vector<double>{10, 9, 8, 7, 6, 5, 4, 5})) << "3 and 2 in the last";
    launch.opcodes["op1"] = 10;
    const QString both = describeMix({launch});
    EXPECT_TRUE(both.contains("op0") && both.contains("op1") && !both.contains("op2")) << both.toStdString();
}

SweepRow makeRow(const char* variant, std::int64_t n, std::optional<double> ns)
{
    SweepRow row;
    row.kernel = {"transpose", variant, {}};
    row.problem = {{"M", std::int64_t{64}}, {"N", n}};
    if (ns) {
        row.run = countedRun("size", *ns);
        row.run->correctness.result = CorrectnessResult::correct;
    }
    return row;
}

TEST(SweepChart, SaysFromWhereToWhereOneLineGoes)
{
    const std::vector<SweepRow> rows{makeRow("naive", 1024, 4000), makeRow("naive", 64, 1000), makeRow("naive", 256, {})};
    const XYSpec spec = sweepSpec(rows, "N", SweepFigure::time);
    ASSERT_EQ(spec.series.size(), 1U);
    ASSERT_EQ(spec.series[0].points.size(), 2U);
    EXPECT_EQ(spec.series[0].points[0].x, 64) << "in their order, not in that of measuring";
    EXPECT_TRUE(spec.series[0].points[0].tip.contains(q(formatTime(1000))));
    EXPECT_TRUE(spec.series[0].points[0].tip.endsWith("dram-bound"));
    EXPECT_TRUE(spec.x.log);
    const QString finding = sweepFinding(rows, "N", SweepFigure::time);
    const QStringList parts{q(formatTime(1000)), "N=64", q(formatTime(4000)), "N=1024"};
    qsizetype at = -1;
    for (const QString& part : parts) {
        EXPECT_GT(finding.indexOf(part), at) << part.toStdString() << ": " << finding.toStdString();
        at = finding.indexOf(part);
    }
    std::vector<SweepRow> two = rows;
    two.push_back(makeRow("tiled", 64, 500));
    const XYSpec kernels = sweepSpec(two, "N", SweepFigure::time);
    ASSERT_EQ(kernels.series.size(), 2U);
    EXPECT_TRUE(kernels.series[1].name.startsWith("transpose/tiled"));
    EXPECT_NE(kernels.series[0].token, kernels.series[1].token);
    EXPECT_FALSE(sweepFinding(two, "N", SweepFigure::time).contains("N=64")) << "of several lines there is no one way";
    EXPECT_FALSE(sweepSpec({makeRow("naive", 64, 1000), makeRow("naive", 256, 2000)}, "N", SweepFigure::time).x.log)
        << "four times is not wide";
    EXPECT_TRUE(sweepSpec(rows, "K", SweepFigure::time).series.empty()) << "there is no such size";
}

/// What needs a database, which has runs of two variants on two sizes.
class KernelPages : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        folder = new QTemporaryDir;
        auto opened = AppContext::open(utf8(folder->filePath("own.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
        const KernelFamily& family = **context->catalog().family("transpose");
        ASSERT_GE(family.problems.size(), 2U);
        large = family.problems.front();
        small = family.problems[1];
        int day = 0;
        for (const auto& [id, variant, problem, registers] :
             {std::tuple{"k-large-old", "naive", &large, 10}, std::tuple{"k-large", "naive", &large, 20},
              std::tuple{"k-small", "naive", &small, 30}, std::tuple{"k-tiled", "tiled", &large, 40}}) {
            RunRecord run = countedRun(id, 1000);
            run.kernel = {"transpose", variant, {}};
            run.problem = *problem;
            run.startedAt = "2026-01-0" + std::to_string(++day) + "T00:00:00.000Z";
            run.source = Source::sample;
            run.correctness.result = CorrectnessResult::correct;
            run.launches.front().registers = registers;
            if (std::string(id) == "k-large") {
                run.sourceHash = contentHash(family.source);
                run.sourceProfile.emplace();
                run.sourceProfile->launch = "transpose_naive";
                run.sourceProfile->samples = 100;
                run.sourceProfile->lines = {{kSourceFile, 15, 70, 0.7, {{"wait", 70}}, {}, {}, {}},
                                            {kSourceFile, 13, 30, 0.3, {{"wait", 30}}, {}, {}, {}}};
            }
            ASSERT_TRUE(context->engine()->store->saveRun(run));
        }
    }
    static void TearDownTestSuite()
    {
        delete context;
        delete folder;
    }
    void TearDown() override { waitForJobs(); }

    static inline QTemporaryDir* folder = nullptr;
    static inline AppContext* context = nullptr;
    static inline Params large, small;
};

TEST_F(KernelPages, EverythingIsOfTheVariantAndTheSizeThatAreChosen)
{
    KernelsPage page(*context);
    page.resize(1280, 800);
    page.QWidget::show();
    const auto look = [&](const char* address) {
        page.open(QString::fromLatin1(address));
        page.refresh();
        ASSERT_TRUE(waitForJobs());
    };
    auto* list = page.findChild<QTreeWidget*>();
    QComboBox* sizes = nullptr;
    for (auto* box : page.findChildren<QComboBox*>())
        if (box->accessibleName() == "Problem size")
            sizes = box;
    ASSERT_NE(sizes, nullptr);
    const auto* facts = page.findChild<QLabel*>("staticFacts");
    const auto* links = page.findChild<QLabel*>("hotLinks");
    DataTable* runs = nullptr;
    for (auto* table : page.findChildren<DataTable*>())
        if (table->model()->columnCount() == RunTableModel::ColumnCount)
            runs = table;
    ASSERT_NE(runs, nullptr);
    look("transpose/naive");
    EXPECT_EQ(list->currentItem()->data(0, Qt::UserRole).toString(), "transpose/naive");
    const CodeView* code = nullptr;
    for (const auto* view : page.findChildren<CodeView*>())
        if (view->objectName() != "compiledCode")
            code = view;
    ASSERT_NE(code, nullptr);
    EXPECT_TRUE(code->toPlainText().contains("transpose_naive"));
    sizes->setCurrentText(q(toText(large)));
    emit sizes->activated(sizes->currentIndex());
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(runs->model()->rowCount(), 3);
    EXPECT_TRUE(facts->text().contains(" 20 ")) << "the newest of this size: " << facts->text().toStdString();
    EXPECT_LT(links->text().indexOf("\"15\""), links->text().indexOf("\"13\"")) << links->text().toStdString();
    EXPECT_GE(links->text().indexOf("\"15\""), 0);
    emit page.findChild<QLabel*>("hotLinks")->linkActivated("13");
    EXPECT_EQ(code->textCursor().blockNumber() + 1, 13);
    const QSignalSpy navigated(context, &AppContext::navigationRequested);
    const auto leads = [&] {
        return navigated.isEmpty() ? QString() : navigated.last()[0].toString() + ' ' + navigated.last()[1].toString();
    };
    buttonOn(page, "showDiagnosis")->click();
    EXPECT_EQ(leads(), "diagnose k-large");
    sizes->setCurrentText(q(toText(small)));
    emit sizes->activated(sizes->currentIndex());
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(facts->text().contains(" 30 ")) << facts->text().toStdString();
    buttonOn(page, "showDiagnosis")->click();
    EXPECT_EQ(leads(), "diagnose k-small");
    emit runs->opened(0);
    EXPECT_EQ(leads(), "diagnose k-small") << "the newest run first";
    emit runs->secondAction(2);
    EXPECT_EQ(leads(), "compare run:k-large-old");
    look("transpose/tiled");
    EXPECT_EQ(sizes->currentText(), q(toText(small))) << "the size stays in a family";
    EXPECT_EQ(runs->model()->rowCount(), 1);
    EXPECT_FALSE(facts->text().contains(" 30 ")) << "of the variant before";
    EXPECT_FALSE(links->text().contains("\"15\""));
    buttonOn(page, "showDiagnosis")->click();
    EXPECT_EQ(leads(), "diagnose k-tiled") << "of another size, where there is none of this";
    look("fma/fp32");
    EXPECT_EQ(runs->model()->rowCount(), 0);
    EXPECT_FALSE(buttonOn(page, "showDiagnosis")->isVisible());
    EXPECT_LT(sizes->findText(q(toText(small))), 0) << "sizes of the family before";
    look("no/such");
    EXPECT_FALSE(list->currentItem()->data(0, Qt::UserRole).toString().isEmpty());
    EXPECT_NE(list->currentItem()->data(0, Qt::UserRole).toString(), "fma/fp32") << "the first one";
    EXPECT_FALSE(page.findChild<QCheckBox*>("checkAtSave")->isVisible()) << "it is not the user's";
    EXPECT_EQ(page.filterField(), page.findChild<QLineEdit*>("kernelFilter"));
}

TEST_F(KernelPages, ASweepIsOfItsKernelAndSaysHowManySizes)
{
    SweepView view(*context);
    auto* start = buttonOn(view, "startSweep");
    view.setSubject({"fma", "fp32", {}}, {});
    EXPECT_FALSE(start->isEnabled()) << "it has no sizes";
    view.setSubject({"transpose", "naive", {}}, *parseParams("M=64,N=32"));
    auto* m = view.findChild<QLineEdit*>("axis-M");
    auto* n = view.findChild<QLineEdit*>("axis-N");
    ASSERT_TRUE(m && n);
    EXPECT_EQ(m->text(), "64");
    EXPECT_EQ(n->text(), "32");
    EXPECT_TRUE(start->isEnabled());
    const QString one = start->text();
    n->setText("[32,64,128]");
    EXPECT_TRUE(start->text().contains("3")) << start->text().toStdString();
    EXPECT_NE(start->text(), one);
    n->setText("1024..");
    EXPECT_FALSE(start->isEnabled());
    view.setSubject({"transpose", "tiled", {}}, *parseParams("M=128,N=256"));
    settleWidgets();
    EXPECT_EQ(view.findChild<QLineEdit*>("axis-N")->text(), "256");
    EXPECT_TRUE(start->isEnabled());
    view.setSubject({"fma", "fp32", {}}, *parseParams("N=7"));
    settleWidgets();
    EXPECT_EQ(view.findChild<QLineEdit*>("axis-M"), nullptr) << "a size of the family before";
    EXPECT_EQ(view.findChild<QLineEdit*>("axis-N")->text(), "7");
    view.findChild<QLineEdit*>("axis-N")->setText("9");
    view.setSubject({"fma", "fp32", {}}, *parseParams("N=7"));
    EXPECT_EQ(view.findChild<QLineEdit*>("axis-N")->text(), "9") << "nothing changed: what was typed stays";
}

TEST_F(KernelPages, TheBarOfOwnKernelsIsOfTheSelectedOne)
{
    OwnKernelsBar bar(*context, nullptr);
    EXPECT_TRUE(bar.checksAtSave());
    EXPECT_FALSE(bar.findChild<QPushButton*>("removeKernel")->isVisibleTo(&bar));
    bar.show("/home/me/mine/kernel.json", "mine");
    EXPECT_EQ(bar.descriptor(), "/home/me/mine/kernel.json");
    EXPECT_TRUE(bar.findChild<QPushButton*>("removeKernel")->isVisibleTo(&bar));
    EXPECT_TRUE(bar.findChild<QCheckBox*>("checkAtSave")->isVisibleTo(&bar));
    EXPECT_TRUE(seenOn(bar).contains("/home/me/mine/kernel.json"));
    bar.findChild<QCheckBox*>("checkAtSave")->setChecked(false);
    EXPECT_FALSE(bar.checksAtSave());
    const QSignalSpy posted(context, &AppContext::messagePosted);
    buttonOn(bar, "removeKernel")->click();
    EXPECT_EQ(posted.count(), 1) << "it is not registered";
    bar.add("/no/such/kernel.json");
    EXPECT_EQ(posted.count(), 2);
    bar.show({}, {});
    EXPECT_FALSE(bar.findChild<QPushButton*>("removeKernel")->isVisibleTo(&bar));
    EXPECT_FALSE(seenOn(bar).contains("/home/me/mine/kernel.json"));
    EXPECT_TRUE(buttonOn(bar, "addKernel")->isEnabled());
    const std::string own = utf8(context->location());
    ASSERT_TRUE(context->switchTo(":sample:"));
    EXPECT_FALSE(buttonOn(bar, "addKernel")->isEnabled()) << "the sample cannot be written";
    ASSERT_TRUE(context->switchTo(own));
    EXPECT_TRUE(buttonOn(bar, "addKernel")->isEnabled());
}

TEST_F(KernelPages, NothingElseIsMeasuredWhileAKernelIs)
{
    KernelsPage page(*context);
    page.QWidget::show();
    page.open("transpose/naive");
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    for (const char* pressed : {"run", "profile", "timeline"}) {
        ASSERT_TRUE(buttonOn(page, QString::fromLatin1(pressed))->isEnabled()) << pressed;
        page.findChild<QPushButton*>(QString::fromLatin1(pressed))->click();
        for (const char* name : {"run", "profile", "timeline"})
            EXPECT_FALSE(page.findChild<QPushButton*>(QString::fromLatin1(name))->isEnabled()) << name << " during " << pressed;
        EXPECT_TRUE(page.findChild<QPushButton*>("run")->accessibleDescription().contains("transpose/naive")) << "what is measured";
        ASSERT_TRUE(waitForJobs());
        for (const char* name : {"run", "profile", "timeline"})
            EXPECT_TRUE(page.findChild<QPushButton*>(QString::fromLatin1(name))->isEnabled()) << name << " after " << pressed;
    }
}

} // namespace
} // namespace kl::ui
