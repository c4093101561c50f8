// SPDX-License-Identifier: MIT
// The table of kloop's commands. To add one: docs/dev/add-a-command.md.
#include "app/kloop/commands.h"

namespace kl::cli {

Runner addAb(CLI::App& app);
Runner addAdvise(CLI::App& app);
Runner addAnalyze(CLI::App& app);
Runner addBaselines(CLI::App& app);
Runner addBisect(CLI::App& app);
Runner addCache(CLI::App& app);
Runner addCalibrate(CLI::App& app);
Runner addCompare(CLI::App& app);
Runner addCompile(CLI::App& app);
Runner addCompletion(CLI::App& app);
Runner addConfusion(CLI::App& app);
Runner addCost(CLI::App& app);
Runner addDb(CLI::App& app);
Runner addDecide(CLI::App& app);
Runner addEnv(CLI::App& app);
Runner addExport(CLI::App& app);
Runner addHosts(CLI::App& app);
Runner addImport(CLI::App& app);
Runner addKernels(CLI::App& app);
Runner addLaunch(CLI::App& app);
Runner addLearn(CLI::App& app);
Runner addLift(CLI::App& app);
Runner addMetrics(CLI::App& app);
Runner addNewKernel(CLI::App& app);
Runner addNewTarget(CLI::App& app);
Runner addOccupancy(CLI::App& app);
Runner addPatterns(CLI::App& app);
Runner addProfile(CLI::App& app);
Runner addPrompt(CLI::App& app);
Runner addQuickref(CLI::App& app);
Runner addRecommend(CLI::App& app);
Runner addRecord(CLI::App& app);
Runner addRediagnose(CLI::App& app);
Runner addReport(CLI::App& app);
Runner addReview(CLI::App& app);
Runner addRegress(CLI::App& app);
Runner addRoadmap(CLI::App& app);
Runner addRun(CLI::App& app);
Runner addRuns(CLI::App& app);
Runner addSanitize(CLI::App& app);
Runner addSass(CLI::App& app);
Runner addSearch(CLI::App& app);
Runner addSession(CLI::App& app);
Runner addShow(CLI::App& app);
Runner addSmem(CLI::App& app);
Runner addSpace(CLI::App& app);
Runner addSupportBundle(CLI::App& app);
Runner addSweep(CLI::App& app);
Runner addTimeline(CLI::App& app);
Runner addTree(CLI::App& app);
Runner addTrust(CLI::App& app);
Runner addVersion(CLI::App& app);
Runner addWatch(CLI::App& app);

namespace {

constexpr const char* kMeasure = "Measure";
constexpr const char* kDiagnose = "Diagnose";
constexpr const char* kImprove = "Improve";
constexpr const char* kSearch = "Search";
constexpr const char* kHistory = "History";
constexpr const char* kMachine = "Machine";

} // namespace

const std::vector<Command>& commands()
{
    static const std::vector<Command> table = {
        {"kernels", "The kernels you can measure: built-in ones and your own", addKernels, kMeasure},
        {"new-kernel", "Write a working kernel to start from", addNewKernel, kMeasure},
        {"new-target", "Write a working target: a program whose kernel is optimized in sessions", addNewTarget, kMeasure},
        {"run", "Check a kernel against its reference, then time it and its baseline", addRun, kMeasure},
        {"ab", "Compare two variants in interleaved blocks", addAb, kMeasure},
        {"baselines", "Time the library implementations that a kernel must beat", addBaselines, kMeasure},
        {"compare", "Compare two stored runs", addCompare, kMeasure},
        {"sweep", "Time, throughput, speedup and finding over many sizes", addSweep, kMeasure},
        {"watch", "Build, check and time your own kernel each time you save one of its files", addWatch, kMeasure},
        {"launch", "Launch a kernel and nothing else, e.g. under another profiler", addLaunch, kMeasure},
        {"lift", "Extract a standalone kernel from a launch in any program", addLift, kMeasure},

        {"profile", "Collect hardware metrics and show what limits a kernel", addProfile, kDiagnose},
        {"analyze", "Show what limits the kernels in files of KernelLoop or Nsight Compute", addAnalyze, kDiagnose},
        {"rediagnose", "Diagnose stored runs again with the current diagnosis tree", addRediagnose, kDiagnose},
        {"show", "Roofline, memory chart, stalls and occupancy of profiles", addShow, kDiagnose},
        {"sass", "Machine code with samples and counters per instruction; the diff of two builds", addSass, kDiagnose},
        {"sanitize", "Run a kernel under NVIDIA's compute-sanitizer and show its findings", addSanitize, kDiagnose},
        {"timeline", "What the warps of a kernel do over time: roles, waits, overlap, critical path", addTimeline, kDiagnose},
        {"occupancy", "Occupancy of a launch on every GPU, what limits it and what would raise it", addOccupancy, kDiagnose},
        {"smem", "Shared memory that tiles need, compared with every GPU's limit", addSmem, kDiagnose},
        {"advise", "Which memory to use for which data; what fusing kernels can gain", addAdvise, kDiagnose},
        {"metrics", "List metrics and sections, or search all metrics of a chip", addMetrics, kDiagnose},
        {"tree", "The diagnosis tree: questions, thresholds and classes; with --json, its data file", addTree, kDiagnose},
        {"confusion", "How often the diagnosis finds the expected class of the built-in kernels", addConfusion, kDiagnose},

        {"session", "Optimize a kernel step by step, through gates", addSession, kImprove},
        {"recommend", "What to change next in a profiled kernel, and how likely it is to pay off", addRecommend, kImprove},
        {"decide", "The recommended action for a given speedup", addDecide, kImprove},
        {"patterns", "Lessons: list, search, add and apply them, and see what each has saved", addPatterns, kImprove},
        {"prompt", "Write the prompt for the next session: objective, gates, lessons, exact commands", addPrompt, kImprove},
        {"quickref", "Write a one-page summary of the method", addQuickref, kImprove},
        {"bisect", "Find the commit that made your own kernel slower or incorrect, or broke its build", addBisect, kImprove},

        {"space", "Check every combination of a kernel's tunables before compiling", addSpace, kSearch},
        {"compile", "What the compiler reports for a kernel: registers, spills, occupancy, instructions", addCompile, kSearch},
        {"search", "Find the fastest combination of a kernel's tunables on this GPU", addSearch, kSearch},
        {"cache", "The cache of compiled code", addCache, kSearch},

        {"report", "Write a report: of a session, a comparison, the history or the patterns", addReport, kHistory},
        {"runs", "Stored runs: list, filter, sort, name, tag, delete", addRuns, kHistory},
        {"review", "Have a session reviewed: send one file, then merge the reviewer's comments", addReview, kHistory},
        {"learn", "Progress over all sessions: time, money, mistakes, grades, convergence", addLearn, kHistory},
        {"cost", "What sessions cost and what they gained", addCost, kHistory},
        {"regress", "Kernels that became slower; exit status 1 while one is not acknowledged", addRegress, kHistory},
        {"roadmap", "A plan for several weeks, with sessions as its steps", addRoadmap, kHistory},
        {"import", "Store the runs in files: Nsight Compute reports, bundles", addImport, kHistory},
        {"export", "Write runs to one file, for another machine's database", addExport, kHistory},

        {"env", "Check this machine: driver, permissions, libraries, a test kernel", addEnv, kMachine},
        {"hosts", "Machines with GPUs that you reach over ssh: list, add, remove, check", addHosts, kMachine},
        {"calibrate", "Measure this device's A/A noise: kernels compared with themselves", addCalibrate, kMachine},
        {"db", "The database: info, check, backup", addDb, kMachine},
        {"trust", "Commands in files that you have allowed to run: list, add, remove", addTrust, kMachine},
        {"support-bundle", "Write a text file with versions, settings and logs; private data is left out", addSupportBundle, kMachine},
        {"completion", "Print a script that completes kloop's commands in your shell", addCompletion, kMachine},
        {"record", "For developers: record everything in the sample", addRecord, kMachine},
        {"version", "Print the version", addVersion, kMachine}};
    return table;
}

} // namespace kl::cli
