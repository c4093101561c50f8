"""A Slurm cluster of one node on this machine, for tests: network, host name, processes and files in namespaces of its own.

Needs root, util-linux, iproute2, munge, slurmctld, slurmd and slurm-client. The node has simulated GPUs: device files that nothing drives.
`with SlurmCluster() as cluster: cluster.run([...])` runs a command of the user's side, where sbatch, squeue and srun work.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

ADDRESS = "10.231.8.1"


class SlurmCluster:
    def __init__(self, gpus=4):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="kl-slurm-", dir="/var/tmp"))
        for part in ("control", "node", "munge", "tmp", "home", "config", "data", "state", "cache", "dev"):
            (self.folder / part).mkdir()
        os.chmod(self.folder, 0o755)
        os.chmod(self.folder / "tmp", 0o1777)
        (self.folder / "munge.key").write_bytes(os.urandom(1024))
        os.chmod(self.folder / "munge.key", 0o600)
        for gpu in range(gpus):
            os.mknod(self.folder / f"dev/nvidia{gpu}", 0o020666, os.makedev(1, 3))
        (self.folder / "hosts").write_text(pathlib.Path("/etc/hosts").read_text() + f"\n{ADDRESS} node1\n")
        (self.folder / "slurm.conf").write_text(f"""ClusterName=kltest
SlurmctldHost=node1({ADDRESS})
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge/socket
CredType=cred/munge
StateSaveLocation={self.folder}/control
SlurmdSpoolDir={self.folder}/node
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=10
KillWait=2
OverTimeLimit=0
MinJobAge=600
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
GresTypes=gpu
NodeName=node1 NodeAddr={ADDRESS} CPUs=16 RealMemory=1000 Gres=gpu:{gpus} State=UNKNOWN
PartitionName=gpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=ALL MaxTime=INFINITE State=UP
PartitionName=urgent Nodes=ALL MaxTime=INFINITE PriorityTier=10 State=UP
""")
        (self.folder / "gres.conf").write_text(f"NodeName=node1 Name=gpu File={self.folder}/dev/nvidia[0-{gpus - 1}]\n")
        (self.folder / "cgroup.conf").write_text("CgroupAutomount=no\n")
        script = (f"hostname node1; mount --bind {self.folder}/hosts /etc/hosts; mount --bind {self.folder}/home /root; "
                  f"mount --bind {self.folder}/tmp /tmp; ip link set lo up; ip link add kl0 type veth peer name kl1; "
                  f"ip addr add {ADDRESS}/24 dev kl0; ip link set kl0 up; ip link set kl1 up; "
                  f"munged --force --socket={self.folder}/munge/socket --key-file={self.folder}/munge.key "
                  f"--log-file={self.folder}/munge/log --pid-file={self.folder}/munge/pid --seed-file={self.folder}/munge/seed; "
                  "slurmctld; slurmd; echo ready; exec sleep infinity")
        self.process = subprocess.Popen(["unshare", "--net", "--uts", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child",
                                         "sh", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=open(self.folder / "start.log", "w"), env=self.environment(), text=True)
        assert self.process.stdout.readline() == "ready\n"
        self.init = int(subprocess.run(["pgrep", "-P", str(self.process.pid)], check=True, capture_output=True, text=True).stdout.split()[0])
        self.wait(lambda: "idle" in self.slurm("sinfo", "--noheader", "--format=%T"), "the node does not come up")

    def environment(self):
        return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "SLURM_CONF": f"{self.folder}/slurm.conf",
                "XDG_CONFIG_HOME": f"{self.folder}/config", "XDG_DATA_HOME": f"{self.folder}/data",
                "XDG_STATE_HOME": f"{self.folder}/state", "XDG_CACHE_HOME": f"{self.folder}/cache",
                "KERNELLOOP_DB": f"{self.folder}/kernelloop.db"}

    def start(self, command, environment=None, out=subprocess.PIPE, err=subprocess.PIPE):
        return subprocess.Popen(["nsenter", f"--target={self.init}", "--net", "--uts", "--mount", "--pid", "--wdns=/", *command],
                                env={**self.environment(), **(environment or {})}, text=True, stdin=subprocess.DEVNULL,
                                stdout=out, stderr=err)

    def run(self, command, environment=None):
        process = self.start(command, environment)
        out, err = process.communicate(timeout=600)
        return subprocess.CompletedProcess(command, process.returncode, out, err)

    def slurm(self, *words):
        """What one of Slurm's programs prints; its errors included."""
        done = self.run(list(words))
        return done.stdout + done.stderr

    def tasks(self, states="all"):
        """{"12_3": "RUNNING"} of all jobs that Slurm knows; the ID of a plain job is "12"."""
        lines = self.slurm("squeue", "--noheader", "--array", f"--states={states}", "--format=%i %T").splitlines()
        return dict(line.split() for line in lines if len(line.split()) == 2)

    def running(self):
        return self.tasks("RUNNING")

    def wait(self, happened, otherwise, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if happened():
                return
            time.sleep(0.1)
        raise RuntimeError(f"{otherwise}\n{self.slurm('sinfo')}{self.slurm('squeue', '--states=all')}{self.logs()}")

    def logs(self):
        return "".join(f"--- {name}\n{(self.folder / name).read_text()[-3000:]}" for name in ("start.log", "slurmctld.log", "slurmd.log")
                       if (self.folder / name).exists())

    def processes(self, *words):
        """Of the cluster, whose command lines have all the words; {id: command line} in our namespace."""
        space = os.readlink(f"/proc/{self.init}/ns/pid")
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "ns/pid") == space:
                    line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    if all(word in line for word in words):
                        found[int(entry.name)] = line
            except OSError:
                pass
        return found

    def kill(self, *words):
        """One process with these words; False without one."""
        for process in self.processes(*words):
            try:
                os.kill(process, signal.SIGKILL)
                return True
            except OSError:
                pass
        return False

    def start_node(self):
        self.slurm("slurmd")

    def close(self):
        self.process.kill()
        self.process.wait()
        for _ in range(50):
            if not pathlib.Path(f"/proc/{self.init}").exists():
                break
            time.sleep(0.1)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
