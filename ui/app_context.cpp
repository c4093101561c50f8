// SPDX-License-Identifier: MIT
#include "ui/app_context.h"

// replay.h has complete JSON values.
#include <nlohmann/json.hpp>

#include "profiler/client/worker_client.h"
#include "profiler/replay/replay.h"
#include "sessions/learning/sample_builder.h"
#include "sessions/patterns/library.h"
#include "sessions/trust/asked_consent.h"
#include "ui/consent_desk.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QTimer>

namespace kl {

namespace {

constexpr const char* kSample = ":sample:";
constexpr int kPollMs = 1000;

/// Replaces a device that could not be started: answers every request with the reason.
class NoCollector : public Collector {
public:
    explicit NoCollector(Error error) : error_(std::move(error)) { hello_.unavailable = error_.message + ' ' + error_.hint; }
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return hello_; }
    Result<Json> ask(const std::string&, const Json&, const Job&) override { return error_; }

private:
    Error error_;
    Hello hello_;
};

std::shared_ptr<Collector> openDevice(DeviceChoice device)
{
    WorkerOptions options;
    options.consent = std::make_shared<AskedConsent>(
        TrustStore(), [](const FileCommand& command, const Job& job) { return ConsentDesk::instance().ask(command, job); });
    auto opened = device == DeviceChoice::sample ? openSample() : startWorker(options);
    if (!opened)
        return std::make_shared<NoCollector>(opened.error());
    return std::move(*opened);
}

Result<std::unique_ptr<Store>> openDatabase(const std::string& location)
{
    if (location == kSample)
        return openSampleStore();
    auto store = Store::open(location);
    if (!store || (*store)->readOnly())
        return store;
    const auto library = PatternLibrary::embedded();
    if (!library)
        return library.error();
    if (const Status seeded = seedPatterns(**store, *library); !seeded)
        return seeded.error();
    return store;
}

} // namespace

Engine::Engine(std::shared_ptr<const OpenCatalog> kernelsIn, std::shared_ptr<const DiagnosisTree> treeIn, std::shared_ptr<Store> storeIn,
               std::shared_ptr<Collector> collectorIn, std::shared_ptr<std::mutex> mutexIn)
    : kernels(std::move(kernelsIn)), catalog(kernels, &kernels->catalog), tree(std::move(treeIn)), store(std::move(storeIn)),
      collector(std::move(collectorIn)), mutex(std::move(mutexIn)), bench(*catalog, *tree, *collector, *store), sessions(bench)
{
}

Result<std::shared_ptr<const FixModel>> Engine::recommender()
{
    return recommender_.of(*store, [this] { return trainedModel(*store, *catalog, *tree); });
}

Result<std::vector<RuleCase>> Engine::ruleCases()
{
    return ruleCases_.of(*store, [this] { return kl::ruleCases(*store); });
}

Result<std::unique_ptr<AppContext>> AppContext::open(const std::string& location, DeviceChoice device)
{
    auto tree = DiagnosisTree::configured();
    if (!tree)
        return tree.error();
    auto store = openDatabase(location);
    if (!store)
        return store.error();
    auto kernels = openCatalog(**store);
    if (!kernels)
        return kernels.error();
    auto engine = std::make_shared<Engine>(std::make_shared<const OpenCatalog>(std::move(*kernels)),
                                           std::make_shared<const DiagnosisTree>(std::move(*tree)), std::move(*store), openDevice(device),
                                           std::make_shared<std::mutex>());
    return std::unique_ptr<AppContext>(new AppContext(std::move(engine)));
}

AppContext::AppContext(std::shared_ptr<Engine> engine) : engine_(std::move(engine)), seen_(engine_->store->dataVersion())
{
    for (const Address& address : engine_->catalog->addresses())
        assignSeries(toText(address)); // assigns every kernel its color in catalog order
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, &AppContext::pollData);
    timer->start(kPollMs);
    connect(&watcher_, &KernelWatcher::saved, this, &AppContext::reloadKernels);
    watchKernels();
}

AppContext::~AppContext() = default;

bool AppContext::isSample() const
{
    return engine_->store->location() == kSample;
}

QString AppContext::location() const
{
    return q(engine_->store->location());
}

Status AppContext::switchTo(const std::string& location)
{
    auto store = openDatabase(location);
    if (!store)
        return store.error();
    auto kernels = openCatalog(**store);
    if (!kernels)
        return kernels.error();
    engine_ = std::make_shared<Engine>(std::make_shared<const OpenCatalog>(std::move(*kernels)), engine_->tree, std::move(*store),
                                       engine_->collector, engine_->mutex);
    watchKernels();
    seen_ = engine_->store->dataVersion();
    session_ = {};
    sessionText_.clear();
    emit databaseSwitched();
    emit kernelsChanged({});
    emit currentSessionChanged();
    emit dataChanged();
    return {};
}

Status AppContext::startOwn()
{
    return switchTo(Store::defaultLocation());
}

void AppContext::watchKernels()
{
    registered_ = registeredKernels(*engine_->store);
    std::vector<std::string> broken;
    for (const BrokenKernel& kernel : brokenKernels())
        broken.push_back(kernel.path);
    watcher_.watch(catalog(), broken);
}

void AppContext::reloadKernels(const QStringList& saved)
{
    auto kernels = openCatalog(*engine_->store);
    if (!kernels)
        return post(kernels.error());
    engine_ = std::make_shared<Engine>(std::make_shared<const OpenCatalog>(std::move(*kernels)), engine_->tree, engine_->store,
                                       engine_->collector, engine_->mutex);
    watchKernels();
    emit kernelsChanged(saved);
}

Status AppContext::addKernel(const std::string& path)
{
    const Result<KernelFamily> family = registerKernel(*engine_->store, path);
    if (!family)
        return family.error();
    reloadKernels({});
    return {};
}

Status AppContext::removeKernel(const std::string& pathOrId)
{
    const Result<std::string> removed = unregisterKernel(*engine_->store, pathOrId);
    if (!removed)
        return removed.error();
    reloadKernels({});
    return {};
}

QString AppContext::deviceName() const
{
    const Hello& hello = engine_->collector->hello();
    if (hello.unavailable || hello.devices.empty())
        return tr("no device");
    QString name = q(hello.devices.front().name);
    if (name.startsWith(QStringLiteral("NVIDIA ")))
        name = name.mid(7);
    return name + (engine_->collector->source() == Source::sample ? tr(" (recorded)") : tr(" (live)"));
}

QString AppContext::deviceReason() const
{
    const Hello& hello = engine_->collector->hello();
    return hello.unavailable ? q(*hello.unavailable) : hello.devices.empty() ? tr("No GPU was found.") : QString();
}

QString AppContext::writeReason() const
{
    if (isSample())
        return tr("The sample is read-only. Use your own database to do this.");
    if (engine_->store->readOnly())
        return q(engine_->store->notice());
    return {};
}

QString AppContext::measureReason() const
{
    const QString reason = writeReason();
    return reason.isEmpty() ? deviceReason() : reason;
}

void AppContext::setCurrentSession(const SessionId& id, const QString& name, const QString& kernel)
{
    const QString text = id.empty() ? QString() : kernel.isEmpty() ? name : name + QStringLiteral(" · ") + kernel;
    if (id == session_ && text == sessionText_)
        return;
    session_ = id;
    sessionText_ = text;
    emit currentSessionChanged();
}

void AppContext::keepOpened(std::vector<RunRecord> runs)
{
    for (const RunRecord& before : *opened_)
        if (std::ranges::find(runs, before.id, &RunRecord::id) == runs.end())
            runs.push_back(before);
    opened_ = std::make_shared<const std::vector<RunRecord>>(std::move(runs));
}

void AppContext::pollData()
{
    const std::int64_t now = engine_->store->dataVersion();
    if (now == seen_)
        return;
    seen_ = now;
    if (registeredKernels(*engine_->store) != registered_) // another program registered one
        reloadKernels({});
    emit dataChanged();
}

} // namespace kl
