# SPDX-License-Identifier: MIT
"""Tests of the corpus that need no GPU: python3 tests/corpus/test_corpus.py"""
import ast
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import cases
import record
import reduce


def stored():
    with open(cases.LABELS) as file:
        return json.load(file)


class Labels(unittest.TestCase):
    def test_the_file_is_what_the_calls_declare(self):
        with open(cases.LABELS) as file:
            self.assertEqual(file.read(), cases.text(cases.labels()), "python3 tests/corpus/cases.py writes it")

    def test_there_are_enough_and_ids_are_unique(self):
        ids = [case["id"] for case in stored()["cases"]]
        self.assertGreaterEqual(len(ids), 150)
        self.assertEqual(len(ids), len(set(ids)))

    def test_every_case_has_a_known_class_and_a_sentence(self):
        for case in stored()["cases"]:
            with self.subTest(case["id"]):
                self.assertIn(case["expected"], cases.CLASSES)
                self.assertTrue(set(case["also"]) <= set(cases.CLASSES) - {case["expected"]})
                self.assertEqual(bool(case["also"]), bool(case["tie"]), "an alternative has a reason")
                self.assertTrue(case["why"].endswith("."))
                self.assertGreater(len(case["why"]), 30)
                self.assertEqual(case["subject"] == "program", case["expected"] == "host-bound")

    def test_a_third_of_each_class_is_held_out_by_hash(self):
        labels = stored()
        for drawn in {case["drawn"] for case in labels["cases"]}:
            ours = [case for case in labels["cases"] if case["drawn"] == drawn]
            ours.sort(key=lambda case: (cases.fnv1a(f"{labels['seed']}/{case['id']}"), case["id"]))
            count = (len(ours) + 1) // labels["one_in"]
            self.assertEqual([case["held_out"] for case in ours], [place < count for place in range(len(ours))], drawn)

    def test_the_hash_is_fnv1a(self):
        self.assertEqual(cases.fnv1a(""), 0xcbf29ce484222325)
        self.assertEqual(cases.fnv1a("a"), 0xaf63dc4c8601ec8c)

    def test_kernels_that_are_launched_exist(self):
        for name in ("memory", "compute", "divergence", "shared", "local", "shape"):
            with open(os.path.join(HERE, "kernels", name + ".cu")) as source:
                self.assertIn('extern "C" __global__', source.read())
        for case in cases.load().values():
            if case.framework == "cuda" and "(" not in case.call and ";" not in case.call:
                self.assertTrue(any(f" {case.call}(" in self.source(name) for name in os.listdir(os.path.join(HERE, "kernels"))), case.id)

    @staticmethod
    def source(name):
        with open(os.path.join(HERE, "kernels", name)) as source:
            return source.read()

    def test_triton_kernels_parse(self):
        with open(os.path.join(HERE, "calls", "triton_kernels.py")) as source:
            names = {node.name for node in ast.parse(source.read()).body if isinstance(node, ast.FunctionDef)}
        self.assertTrue({case.call for case in cases.load().values() if case.framework == "triton"} <= names)


class Anything:
    """Stands for a module, a tensor or a function of a framework that is not installed."""
    __path__ = ()  # a package

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_, **__):
        return self

    def __getitem__(self, _):
        return self

    def __setitem__(self, *_):
        pass

    def __iter__(self):
        return iter((self, self))

    def __index__(self):
        return 1

    def __float__(self):
        return 1.0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


for operator in ("add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod pow rpow matmul and or xor lshift rshift neg invert gt lt "
                 "ge le iadd imul isub").split():
    setattr(Anything, f"__{operator}__", lambda self, *_: self)


class Calls(unittest.TestCase):
    def test_every_call_can_be_made(self):
        """With frameworks that accept everything: names, arguments and our own functions are checked, theirs are not."""
        names = "torch torch.nn torch.nn.attention torch.nn.functional triton triton.language jax jax.lax jax.numpy cupy numpy".split()
        declared = cases.load()  # modules that are imported below are forgotten again
        with mock.patch.dict(sys.modules, {name: Anything() for name in names}), mock.patch("time.sleep"):
            for case in declared.values():
                with self.subTest(case.id):
                    case.setup()()

    def test_every_file_compiles(self):
        for folder in (HERE, os.path.join(HERE, "calls"), os.path.join(HERE, "..", "bench")):
            for name in sorted(os.listdir(folder)):
                if name.endswith(".py"):
                    with open(os.path.join(folder, name)) as source:
                        compile(source.read(), name, "exec")


def run_of(kernel, ns, ranges, problem="BLOCK=256x1x1,GRID=1x1x1"):
    return {"kernel": "program", "problem": problem, "device": {"name": "NVIDIA H200", "uuid": "GPU-1"}, "samples": [1], "finding": {},
            "correctness": {"result": "not-checked"}, "timing": {"gpu_ns": {"median": ns}}, "metrics": {"a.sum": 1.0, "b.sum": None},
            "program": {"kernel": kernel, "command": ["python3"], "ranges": ranges}}


class Reducing(unittest.TestCase):
    case = {"id": "x", "subject": "kernel", "kernel": ""}

    def test_the_longest_launch_of_the_range_is_judged(self):
        answer = {"results": [run_of("setup", 900, []), run_of("other", 900, ["corpus", "y"]), run_of("short", 10, ["corpus", "x"]), run_of("long", 20, ["corpus", "x"])]}
        line = reduce.from_profile(answer, self.case, "counters", "now")
        self.assertEqual(line["run"]["program"]["kernel"], "long")

    def test_the_named_kernel_is_judged(self):
        answer = {"results": [run_of("gemm_a", 10, ["corpus", "x"]), run_of("copy", 20, ["corpus", "x"])]}
        line = reduce.from_profile(answer, {**self.case, "kernel": "gemm"}, "counters", "now")
        self.assertEqual(line["run"]["program"]["kernel"], "gemm_a")

    def test_without_counters_it_is_the_same_launch(self):
        like = run_of("k", 10, ["corpus", "x"], "GRID=2x1x1")
        answer = {"results": [run_of("k", 30, ["corpus", "x"], "GRID=1x1x1"), run_of("k", 20, ["corpus", "x"], "GRID=2x1x1"),
                              run_of("k", 40, ["corpus", "y"], "GRID=2x1x1")]}
        line = reduce.from_profile(answer, self.case, "bare", "now", like)
        self.assertEqual((line["run"]["problem"], line["run"]["timing"]["gpu_ns"]["median"]), ("GRID=2x1x1", 20))

    def test_a_call_without_a_kernel_of_its_own_fails(self):
        """x.clone() is a copy: the random generator of the set-up, outside of the range, is not judged in its place, whatever its name."""
        answer = {"results": [run_of("elementwise_kernel_random", 10, [])]}
        line = reduce.from_profile(answer, {**self.case, "kernel": "elementwise"}, "counters", "now")
        self.assertIn("no kernel of its own", line["failed"])

    def test_only_what_the_diagnosis_reads_is_kept(self):
        run = reduce.reduce_run(run_of("k", 10, []))
        self.assertEqual(run["metrics"], {"a.sum": 1.0})
        self.assertFalse({"samples", "finding", "uuid", "command"} & (set(run) | set(run["device"]) | set(run["program"])))

    def test_what_is_not_there_has_a_reason(self):
        self.assertIn("failed", reduce.from_profile({"results": [run_of("k", 1, [])]}, self.case, "counters", "now"))
        self.assertEqual(reduce.from_profile({"error": {"message": "no GPU"}}, self.case, "counters", "now")["failed"], "no GPU")

    def test_a_program_keeps_its_finding(self):
        answer = {"program": {"gpu": {"launches": 3}, "finding": {"class": "host-bound"}}, "results": []}
        line = reduce.from_profile(answer, {**self.case, "subject": "program"}, "counters", "now")
        self.assertEqual(line["program"]["finding"]["class"], "host-bound")

    def test_rules_of_a_report(self):
        imported = {"ranges": ["corpus", "x"], "kernel": "k", "tool": "Nsight Compute", "rules": [{"rule": "SOLBottleneck", "text": "t", "extra": 1}]}
        answer = {"results": [{"imported": imported, "metrics": {reduce.ncu_rules.TIME: 5.0}}]}
        found, missing = reduce.from_reports(answer, [self.case, {**self.case, "id": "y"}], "now")
        self.assertEqual(found["ncu"]["rules"], [{"rule": "SOLBottleneck", "text": "t"}])
        self.assertIn("failed", missing)


class Recordings(unittest.TestCase):
    def test_a_run_that_was_cut_off_is_continued(self):
        case = {"id": "x", "framework": "torch", "subject": "kernel"}
        options = type("Options", (), {"again": False, "retry": False})
        with tempfile.TemporaryDirectory() as folder:
            record.Recording(folder).add(case, {"id": "x", "mode": "counters", "failed": "why"})
            with open(os.path.join(folder, "torch.jsonl"), "a") as file:
                file.write('{"id": "x", "mode": "ba')
            recording = record.Recording(folder)
            recording.add(case, {"id": "x", "mode": "ncu", "ncu": {}})
            self.assertIn(("x", "ncu"), record.Recording(folder).lines)
        self.assertFalse(recording.wants(case, "counters", options))
        self.assertTrue(recording.wants(case, "bare", options))
        options.retry = True
        self.assertTrue(recording.wants(case, "counters", options))

    def record_with(self, folder, kloop_script, *words):
        """PyTorch is played by a mock, kloop by a script that runs what it is given; returns the lines and the calls of kloop."""
        os.makedirs(os.path.join(folder, "torch"), exist_ok=True)
        with open(os.path.join(folder, "torch", "__init__.py"), "w") as file:
            file.write("import sys\nfrom unittest.mock import MagicMock\nsys.modules['torch'] = MagicMock()\n")
        kloop = os.path.join(folder, "kloop")
        with open(kloop, "w") as file:
            file.write(f"""#!{sys.executable}
import json, subprocess, sys
at = sys.argv.index("--")
options, command = sys.argv[1:at], sys.argv[at + 1:]
with open({os.path.join(folder, "calls")!r}, "a") as calls:
    calls.write(json.dumps([options, command]) + "\\n")
done = subprocess.run(command, stdout=subprocess.DEVNULL)
ids = command[command.index("many") + 1:] if "many" in command else []
{kloop_script}
""")
        os.chmod(kloop, 0o700)
        subprocess.run([sys.executable, os.path.join(HERE, "record.py"), "--kloop", kloop, "--out", folder, *words], check=True,
                       env={**os.environ, "PYTHONPATH": folder}, stdout=subprocess.PIPE)
        with open(os.path.join(folder, "calls")) as calls:
            return record.Recording(folder).lines, [json.loads(line) for line in calls]

    ANSWER = f"""
def run(id):
    warp = {{"warp": {{"instructions": 1}}}} if "--no-counters" in options else {{}}
    return {{**{run_of("add", 10, [])!r}, "program": {{"kernel": "add", "ranges": ["corpus", id]}}, "launches": [warp]}}
print(json.dumps({{"results": [run(id) for id in ids if "mul" not in id], "program": {{"exit_code": done.returncode}}}}))
"""

    def test_cases_are_recorded_by_a_server_many_in_a_process(self):
        with tempfile.TemporaryDirectory() as folder:
            lines, calls = self.record_with(folder, self.ANSWER, "--only", "^torch-(add|mul)-", "--framework", "torch", "--modes", "counters,bare")
        self.assertEqual(lines["torch-add-tiny", "counters"]["run"]["program"]["ranges"], ["corpus", "torch-add-tiny"])
        self.assertEqual(lines["torch-add-tiny", "bare"]["run"]["program"]["kernel"], "add")
        self.assertIn("no kernel", lines["torch-mul-tiny-bf16", "counters"]["failed"])
        batch = next(command for options, command in calls if "--executions" in options)
        self.assertGreater(len([word for word in batch if word.startswith("torch-")]), 4, "one process for all")
        self.assertTrue(all("--by-range" in options for options, _ in calls))
        self.assertTrue(any("--no-counters" in options for options, _ in calls))

    def test_what_a_batch_does_not_give_is_recorded_alone(self):
        crashes = "if len(ids) > 1:\n    sys.exit('crash')\n" + self.ANSWER
        with tempfile.TemporaryDirectory() as folder:
            lines, calls = self.record_with(folder, crashes, "--only", "^torch-add-(tiny|fp)", "--modes", "counters")
        added = [id for id, _ in lines if id.startswith("torch-add-")]
        self.assertGreater(len(added), 2)
        self.assertEqual([line["failed"] for line in lines.values() if "failed" in line], [])
        self.assertEqual(len(calls), 1 + len(added))

    def test_without_counters_each_is_recorded_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            lines, calls = self.record_with(folder, self.ANSWER, "--only", "^torch-(add|relu|exp|sqrt|sum)-", "--framework", "torch", "--modes", "bare")
        kernels = [id for id, _ in lines]
        self.assertGreater(len(kernels), 8)
        self.assertEqual(len(calls), len(kernels))
        self.assertTrue(all("--once" not in options for options, _ in calls), "the times are of another run")

    def test_a_program_is_recorded_by_its_times(self):
        answer = 'print(json.dumps({"results": [], "program": {"exit_code": 0, "gpu": {"launches": 3}, "finding": {"class": "host-bound"}}}))'
        with tempfile.TemporaryDirectory() as folder:
            lines, calls = self.record_with(folder, answer, "--only", "^program-torch-elementwise-loop$", "--modes", "counters,bare")
        self.assertEqual(lines["program-torch-elementwise-loop", "counters"]["program"]["finding"]["class"], "host-bound")
        self.assertEqual(len(calls), 1, "the diagnosis without counters is the same")
        self.assertIn("--no-counters", calls[0][0])

    def test_without_counters_follows_from_counted_executions(self):
        case = {"id": "x", "framework": "torch", "subject": "kernel"}
        options = type("Options", (), {"again": False, "retry": False})
        with tempfile.TemporaryDirectory() as folder:
            recording = record.Recording(folder)
            recording.add(case, {"id": "x", "mode": "counters", "run": {"launches": [{"warp": None}]}})
            self.assertTrue(recording.wants(case, "bare", options))
            recording.add(case, {"id": "x", "mode": "counters", "run": {"launches": [{"warp": {"instructions": 3}}]}})
            self.assertFalse(recording.wants(case, "bare", options))

    def test_packing_keeps_what_was_packed_before_and_drops_what_was_cut_off(self):
        if not shutil.which("zstd"):
            self.skipTest("no zstd on this machine")
        case = {"id": "x", "framework": "torch", "subject": "kernel"}
        with tempfile.TemporaryDirectory() as folder:
            record.Recording(folder).add(case, {"id": "x", "mode": "counters", "failed": "first"})
            record.pack(folder)
            record.Recording(folder).add(case, {"id": "x", "mode": "bare", "failed": "second"})
            with open(os.path.join(folder, "torch.jsonl"), "a") as file:
                file.write('{"id": "x", "mode": "nc')
            record.pack(folder)
            self.assertEqual(os.listdir(folder), ["torch.jsonl.zst"])
            lines = record.Recording.read(os.path.join(folder, "torch.jsonl.zst"))
        self.assertEqual([json.loads(line)["mode"] for line in lines], ["counters", "bare"])

    def test_packing_keeps_the_last_recording_of_a_case(self):
        old, new = '{"id": "x", "mode": "counters", "run": 1}', '{"id": "x", "mode": "counters", "run": 2}'
        bare, failed = '{"id": "x", "mode": "bare", "run": 1}', '{"id": "x", "mode": "counters", "failed": "why"}'
        self.assertEqual(record.kept([old, bare, new, failed]), [new + "\n"])
        self.assertEqual(record.kept([failed, bare, new]), [new + "\n"])
        self.assertEqual(record.kept([new, bare]), [new + "\n", bare + "\n"])

    def test_a_damaged_file_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "torch.jsonl"), "w") as file:
                file.write('[1]\n{"id": "x", "mode": "bare", "failed": "why"}\n')
            with contextlib.redirect_stderr(io.StringIO()) as errors:
                lines = record.Recording(folder).lines
        self.assertEqual(list(lines), [("x", "bare")])
        self.assertIn("torch.jsonl:1", errors.getvalue())

    def test_the_dry_run_makes_no_call(self):
        done = subprocess.run([sys.executable, os.path.join(HERE, "record.py"), "--dry-run", "--kloop", "nowhere/kloop", "--only", "^torch-add-tiny$",
                               "--out", os.path.join(HERE, "none")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()], ["counters", "bare", "ncu"])
        self.assertEqual(done.returncode, 1)
        self.assertIn("nowhere/kloop", done.stderr)

    def test_the_list_needs_no_gpu(self):
        done = subprocess.run([sys.executable, os.path.join(HERE, "record.py"), "--list", "--out", os.path.join(HERE, "none")],
                              stdout=subprocess.PIPE, check=True, text=True)
        self.assertEqual(len(done.stdout.splitlines()), len(stored()["cases"]) + 1)


if __name__ == "__main__":
    unittest.main()
