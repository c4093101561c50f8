#!/usr/bin/env python3
"""roots_test.py ARCHIVE: the portable archive in bare roots of the oldest and the newest systems that it is for, made with debootstrap.

Ubuntu 18.04 has glibc 2.27, one older than RHEL 8. Roots stay in $KL_ROOTS (/var/tmp/kernelloop-roots) for the next time; a suite that cannot
be fetched is named and skipped. Needs root and debootstrap. Run by ./dev test --system.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOTS = pathlib.Path(os.environ.get("KL_ROOTS", "/var/tmp/kernelloop-roots"))
UBUNTU, DEBIAN = "http://archive.ubuntu.com/ubuntu", "http://deb.debian.org/debian"
SUITES = {"bionic": UBUNTU, "focal": UBUNTU, "noble": UBUNTU, "bullseye": DEBIAN, "trixie": DEBIAN}
archive = pathlib.Path(sys.argv.pop(1)).resolve()


def root_of(suite):
    """A minimal root; None where it cannot be fetched."""
    root = ROOTS / suite
    if (root / "complete").exists():
        return root
    shutil.rmtree(root, ignore_errors=True)
    ROOTS.mkdir(parents=True, exist_ok=True)
    scripts = pathlib.Path("/usr/share/debootstrap/scripts")
    known = [] if (scripts / suite).exists() else [str(scripts / ("gutsy" if SUITES[suite] == UBUNTU else "sid"))]
    made = subprocess.run(["debootstrap", "--variant=minbase", suite, str(root), SUITES[suite], *known], capture_output=True, text=True)
    if made.returncode != 0:
        print(f"{suite}: {(made.stdout + made.stderr).strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    (root / "complete").touch()
    return root


class InRoot:
    suite = ""

    def setUp(self):
        self.root = root_of(self.suite)
        if self.root is None:
            self.skipTest(f"{self.suite} cannot be fetched")
        self.place = self.root / "opt/kernelloop"
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir(parents=True)
        subprocess.run(["tar", "-xf", archive, "--strip-components=1", "-C", self.place], check=True)
        self.addCleanup(shutil.rmtree, self.place, True)

    def run_there(self, *words, ok=(0,), text="", environment=()):
        """In namespaces of its own: the root has its own /proc and nothing of this machine's."""
        done = subprocess.run(["unshare", "--mount", "--pid", "--fork", "--net", "sh", "-c",
                               'mount -t proc proc "$0/proc"; mount -t tmpfs tmp "$0/tmp"; exec chroot "$0" "$@"', self.root,
                               "/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "HOME=/tmp", "LC_ALL=C", *environment, *words],
                              input=text, capture_output=True, text=True, timeout=120)
        self.assertIn(done.returncode, ok, f"{self.suite}: {words}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done

    def test_the_recorded_sample_is_profiled(self):
        done = self.run_there("/opt/kernelloop/bin/kloop", "profile", "transpose/naive", "--on", "sample", "--json")
        self.assertEqual(json.loads(done.stdout)["finding"]["class"], "uncoalesced")

    def test_the_worker_answers(self):
        done = self.run_there("/opt/kernelloop/bin/kloop-worker", text='{"id":1,"verb":"probe","body":{}}\n')
        events = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(events[0]["event"], "hello")
        self.assertTrue(events[0]["unavailable"])

    def test_the_environment_is_checked(self):
        answer = json.loads(self.run_there("/opt/kernelloop/bin/kloop", "env", "--json", ok=(5,)).stdout)
        self.assertIn("gpu", [check["id"] for check in answer["checks"]])

    def test_a_program_is_run_with_the_library_inside(self):
        library = "/opt/kernelloop/lib/libkloop-inject.so"
        if not (self.place / "lib/libkloop-inject.so").exists():
            self.skipTest("it was built without the CUDA toolkit")
        done = self.run_there("/bin/echo", "unchanged", environment=(f"LD_PRELOAD={library}",))
        self.assertEqual((done.stdout, done.stderr), ("unchanged\n", ""))

    def test_exceptions_are_caught(self):
        """Of the library that reads the command line, and of the one that reads JSON."""
        self.assertIn("kloop", self.run_there("/opt/kernelloop/bin/kloop", "--version").stdout)
        answer = json.loads(self.run_there("/opt/kernelloop/bin/kloop", "profile", "--no-such-option", "--json", ok=(2,)).stdout)
        self.assertEqual(answer["error"]["code"], "usage")
        done = self.run_there("/opt/kernelloop/bin/kloop-worker", text='{"id":\n{"id":2,"verb":"probe","body":{}}\n')
        self.assertIn(2, [json.loads(line).get("id") for line in done.stdout.splitlines()])

    def test_what_the_readme_names_is_there(self):
        text = (self.place / "README.txt").read_text()
        for name in re.findall(r"\b(?:bin|lib|docs|licenses|plugins|share)/[\w.-]*|\b[\w-]+\.md\b", text):
            self.assertTrue((self.place / name).exists() or (self.place / "docs" / name).exists(), name)
        done = self.run_there("/opt/kernelloop/install", "/tmp/prefix")
        self.assertIn("/tmp/prefix/bin/kloop", done.stdout)

    def test_a_folder_and_a_database_are_used(self):
        done = self.run_there("/bin/sh", "-c", "cd /tmp && /opt/kernelloop/bin/kloop run transpose/tiled --on sample --db x.db >/dev/null && "
                              "/opt/kernelloop/bin/kloop runs list --db x.db --json", ok=(0, 1))
        self.assertEqual(len(json.loads(done.stdout)["runs"]), 1)


for name in SUITES:
    globals()[f"On{name.capitalize()}"] = type(f"On{name.capitalize()}", (InRoot, unittest.TestCase), {"suite": name})


class Needs(unittest.TestCase):
    def test_nothing_but_an_old_libc(self):
        """What the loader would ask for, read from the files themselves."""
        place = ROOTS / "unpacked"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        subprocess.run(["tar", "-xf", archive, "--strip-components=1", "-C", place], check=True)
        files = [file for folder in ("bin", "lib") for file in (place / folder).iterdir() if file.is_file()] if (place / "lib").exists() \
            else list((place / "bin").iterdir())
        check = pathlib.Path(__file__).resolve().parents[2] / "cmake/portable/check.py"
        done = subprocess.run([sys.executable, check, "2.27", *files], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
