"""Another host on this machine, for tests over ssh: network, host name, home folder and /tmp of its own, with a real sshd.

Needs root, util-linux, iproute2 and openssh-server. `host = OtherHost(worker_command)`, then `host.run([...])` runs a command of the user's
side, in whose ~/.ssh the host is called gpu7, and gpu8 as if it were another one.
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time

OURS, THEIRS, PORT = "10.231.7.1", "10.231.7.2", 2227


class OtherHost:
    def __init__(self, worker, name="farm-7"):
        """worker: shell script of ~/.local/bin/kloop-worker there; None: it is not installed."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="kl-host-", dir="/var/tmp"))
        self.device = f"klv{os.getpid() % 10000}"
        self.lower = threading.Lock()
        for part in ("there/.ssh", "there/.local/bin", "there/tmp", "here/.ssh", "here/config", "here/data", "here/state"):
            (self.folder / part).mkdir(parents=True)
        os.chmod(self.folder / "there", 0o700)
        os.chmod(self.folder / "there/tmp", 0o1777)
        key = self.folder / "here/.ssh/id_ed25519"
        for file in (key, self.folder / "host_key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file], check=True)
        shutil.copy(f"{key}.pub", self.folder / "there/.ssh/authorized_keys")
        host_key = (self.folder / "host_key.pub").read_text().split()[:2]
        (self.folder / "here/.ssh/known_hosts").write_text(f"[{THEIRS}]:{PORT} {' '.join(host_key)}\n")
        (self.folder / "here/.ssh/config").write_text(
            f"Host gpu7 gpu8\n  HostName {THEIRS}\n  Port {PORT}\n  User root\n  StrictHostKeyChecking yes\n")
        # What a login shell's files print reaches every connection.
        (self.folder / "there/.bashrc").write_text("echo 'Welcome to the farm'\n")
        (self.folder / "sshd_config").write_text(
            f"Port {PORT}\nListenAddress {THEIRS}\nHostKey {self.folder}/host_key\nPidFile none\nUsePAM no\nStrictModes no\n"
            "PermitRootLogin prohibit-password\nMaxStartups 100\nLogLevel ERROR\n")
        if worker is not None:
            self.install(worker)
        script = (f"hostname {name}; mount --bind {self.folder}/there /root; mount --bind {self.folder}/there/tmp /tmp; "
                  "mkdir -p /run/sshd; ip link set lo up; echo ready; read -r go; "
                  f"ip addr add {THEIRS}/24 dev {self.device}b; ip link set {self.device}b up; "
                  f"exec /usr/sbin/sshd -D -e -f {self.folder}/sshd_config")
        self.process = subprocess.Popen(["unshare", "--net", "--uts", "--mount", "sh", "-c", script], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=open(self.folder / "sshd.log", "w"), text=True)
        assert self.process.stdout.readline() == "ready\n"
        run = lambda *words: subprocess.run(words, check=True)
        run("ip", "link", "add", f"{self.device}a", "type", "veth", "peer", "name", f"{self.device}b")
        run("ip", "link", "set", f"{self.device}b", "netns", str(self.process.pid))
        run("ip", "addr", "add", f"{OURS}/24", "dev", f"{self.device}a")
        run("ip", "link", "set", f"{self.device}a", "up")
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        for _ in range(200):
            if self.run(["ssh", "gpu7", "true"], check=False).returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError("sshd does not answer: " + (self.folder / "sshd.log").read_text())

    def install(self, worker, serving=None):
        """`serving`: the real worker, where the script stands for what answers requests alone."""
        file = self.folder / "there/.local/bin/kloop-worker"
        roles = f"case \" $* \" in *' --attach '*|*' --supervise '*) export KERNELLOOP_WORKER=$0; exec {serving} \"$@\" ;; esac\n"
        file.write_text(f"#!/bin/sh\n{roles if serving else ''}{worker}\n")
        file.chmod(0o755)

    def prefix(self):
        return ["unshare", "--mount", "sh", "-c", f'mount --bind {self.folder}/here /root; exec "$@"', "sh"]

    def environment(self):
        here = self.folder / "here"
        return {"PATH": "/usr/bin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": f"{here}/config",
                "XDG_DATA_HOME": f"{here}/data", "XDG_STATE_HOME": f"{here}/state", "KERNELLOOP_DB": f"{here}/kernelloop.db"}

    def start(self, command, **options):
        return subprocess.Popen(self.prefix() + command, env=self.environment(), text=True, stdin=options.pop("stdin", subprocess.DEVNULL),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def run(self, command, check=True):
        process = self.start(command)
        out, err = process.communicate(timeout=600)
        if check and process.returncode != 0:
            raise RuntimeError(f"{command} ended with {process.returncode}\n{out}{err}")
        return subprocess.CompletedProcess(command, process.returncode, out, err)

    def processes(self, *words):
        """Of this host, whose command lines have all the words."""
        space = os.readlink(f"/proc/{self.process.pid}/ns/net")
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "ns/net") == space:
                    line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    if all(word in line for word in words):
                        found.append(int(entry.name))
            except OSError:
                pass
        return found

    def cut(self):
        """Kills what carries a connection to a worker, as a broken network does; False without one."""
        carriers = self.processes("kloop-worker", "--attach") + (self.processes("sshd: root@notty") if random.random() < 0.5 else [])
        random.shuffle(carriers)
        for process in carriers[:1]:
            try:
                os.kill(process, signal.SIGKILL)
            except OSError:
                return False
        return bool(carriers)

    def unplug(self, seconds):
        """The network is away: nothing arrives, and nobody hears of it."""
        subprocess.run(["ip", "link", "set", f"{self.device}a", "down"], check=True)
        time.sleep(seconds)
        subprocess.run(["ip", "link", "set", f"{self.device}a", "up"], check=True)

    def close(self):
        for process in self.processes():
            try:
                os.kill(process, signal.SIGKILL)
            except OSError:
                pass
        self.process.wait()
        subprocess.run(["ip", "link", "del", f"{self.device}a"], stderr=subprocess.DEVNULL)
        shutil.rmtree(self.folder, ignore_errors=True)


class Cutter:
    """Cuts the connections of a host at random until it is left; `cuts` says how often."""

    def __init__(self, host):
        self.host, self.cuts, self.done = host, 0, threading.Event()

    def __enter__(self):
        def work():
            while not self.done.is_set():
                time.sleep(random.uniform(0.02, 0.4))
                self.cuts += self.host.cut()
        self.thread = threading.Thread(target=work)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()
