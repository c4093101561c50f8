"""What two answers of kloop have in common when they were measured in different places."""


def stripped(answer):
    """Without what differs from run to run: ids, times, hosts, what only recordings or only live runs have, and command lines."""
    if isinstance(answer, dict):
        gone = {"id", "run", "runs", "a", "b", "at", "started_at", "host", "source", "warnings", "notes", "worker_seconds", "next", "next_steps",
                "argv", "command", "session", "device", "stored", "seconds", "cost", "database", "secondary", "estimate", "fixes", "events",
                "recommended", "comparison", "minutes", "created_at", "log_file"}
        return {key: stripped(value) for key, value in answer.items() if key not in gone}
    return [stripped(item) for item in answer] if isinstance(answer, list) else answer
