"""`ropebench replicate`, with every verdict that one machine can reach.

usage: replicate_test.py ROPEBENCH SOURCE_DIR
"""

import hashlib
import json
import pathlib
import shutil
import tempfile
import unittest

from command_line import BinaryTest, main, run


def canonical(value):
    """RFC 8785 for what these documents hold: ASCII keys, and numbers that Python prints alike."""
    if isinstance(value, dict):
        return "{%s}" % ",".join(f"{json.dumps(key)}:{canonical(value[key])}" for key in sorted(value))
    if isinstance(value, list):
        return "[%s]" % ",".join(map(canonical, value))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False)


def sha256(text):
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def digest_of(document):
    return sha256(canonical({key: document[key] for key in ("apiVersion", "kind", "spec")}))


def expected_verdict(published, here, same_hardware):
    """The rule of evidence/attestation.h, from two runs' latencyNs."""
    there, now = published["median"], here["median"]
    sigma = 1.4826 * max(published["mad"], here["mad"])
    low, high = published["confidence95"]
    here_low, here_high = here["confidence95"]
    apart = abs(now - there)
    overlap = low <= here_high and here_low <= high
    if apart <= 0.1 * there and (overlap or apart <= max(3 * sigma, 0.02 * there)):
        return "reproduced"
    if not same_hardware:
        return "environment_note"
    if 1.4826 * here["mad"] > 0.1 * now:
        return "could_not_reproduce"
    return "regression_observed" if now > there else "could_not_reproduce"


class Replicate(BinaryTest):
    @classmethod
    def setUpClass(cls):
        if "vulkan  0" not in run("--list=devices").stdout:
            raise unittest.SkipTest("there is no Vulkan device")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        config = cls.root / "test.yaml"
        config.write_text("sweeps:\n  - {seq: 512, hidden: 1024, q_heads: 16, kv_heads: 4}\n")
        cls.store = cls.root / "store"
        made = run("--config", config, "--backend=vulkan", "--variant=vec16",
                   "--benchmark_min_time=0", f"--out={cls.store}")
        assert made.returncode == 0, made.stderr
        cls.run_file, = (cls.store / "manifests/benchmark-run").iterdir()

    def published(self, name, ns, memory_bytes=None):
        """A store that verifies, whose run took `ns` in every sample, and the run's document."""
        store = self.root / name
        shutil.copytree(self.store, store)
        file = store / self.run_file.relative_to(self.store)
        document = json.loads(file.read_text())
        file.unlink()
        spec = document["spec"]

        def artifact(folder, extension, text):
            digest = sha256(text)
            uri = f"{folder}/{digest[7:]}{extension}"
            (store / uri).write_text(text)
            return {"uri": uri, "digest": digest}

        count = spec["timing"]["samples"]
        samples = artifact("samples", ".json", canonical({"samples": [ns] * count, "unit": "ns"}) + "\n")
        spec["timing"]["rawSamples"] = spec["evidence"]["rawSamples"] = samples
        spec["timing"]["latencyNs"] = {key: ns for key in (
            "median", "mean", "p05", "p95", "minimum", "maximum")} | {"mad": 0, "confidence95": [ns, ns]}
        spec["measurements"] = [m | {"value": ns} for m in spec["measurements"] if m["metric"] == "latency"]
        # Without the timer's tick, which would widen the interval.
        log = (store / spec["evidence"]["logs"]["uri"]).read_text().splitlines(keepends=True)
        spec["evidence"]["logs"] = artifact(
            "logs", ".txt", "".join(line for line in log if not line.startswith("stopped ")))
        entry = json.loads((store / "journal.jsonl").read_text())
        if memory_bytes is not None:
            old, = (store / "manifests/execution-environment").iterdir()
            environment = json.loads(old.read_text())
            old.unlink()
            environment["spec"]["hardware"]["memoryBytes"] = memory_bytes
            spec["environmentDigest"] = digest_of(environment)
            old.with_name(spec["environmentDigest"][7:] + ".json").write_text(json.dumps(environment))
            workload_file, = (store / "manifests/workload-case").iterdir()
            workload = json.loads(workload_file.read_text())["spec"]
            entry["comparison_key"] = sha256(canonical({
                "v": 1, "operation": workload["operationSpecDigest"], "workload": spec["workloadDigest"],
                "protocol": spec["protocolDigest"], "environment": spec["environmentDigest"],
                "correctness": sha256(canonical({"correctness": workload["correctness"]})),
                "metric": "latency:median:ns"}))
        entry["run"] = digest_of(document)
        (store / "journal.jsonl").write_text(canonical(entry) + "\n")
        file = file.with_name(entry["run"][7:] + ".json")
        file.write_text(json.dumps(document))
        verified = run("verify", store)
        self.assertEqual(verified.returncode, 0, verified.stdout)
        return file

    def replicate(self, file, same_hardware=True):
        """The attestation, after checking it against both runs' own documents."""
        folder = self.temporary_folder()
        result = run("replicate", file, "-o", folder / "attestation.json", "--out", folder / "here")
        self.assertIn(result.returncode, (0, 1), result.stderr)
        written = json.loads((folder / "attestation.json").read_text())
        self.assertEqual(written["run"], "sha256:" + file.stem)
        observed = folder / "here/manifests/benchmark-run" / (written["observedRun"][7:] + ".json")
        here = json.loads(observed.read_text())["spec"]["timing"]["latencyNs"]
        there = json.loads(file.read_text())["spec"]["timing"]["latencyNs"]
        self.assertEqual(written["observedNs"], here["median"])
        self.assertEqual(written["type"], expected_verdict(there, here, same_hardware), (there, here))
        self.assertEqual(result.returncode, 0 if written["type"] == "reproduced" else 1)
        self.assertEqual(result.stdout, f"{written['type']}: {written['body']}\n")
        self.assertLessEqual(len(written["body"]), 2000)
        self.assertLessEqual(len(written["environmentSummary"]), 200)
        self.assertEqual(run("verify", folder / "here").returncode, 0)
        if same_hardware:
            pair = run("rank", file.parents[2], folder / "here", "--why", written["run"],
                       written["observedRun"])
            self.assertEqual(pair.stdout, "comparable: one cohort\n")
        return written

    def until(self, verdict, attempt):
        """A busy machine may be too noisy for a verdict at first, but not every time."""
        seen = []
        for _ in range(10):
            seen.append(attempt()["type"])
            if seen[-1] == verdict:
                return
        self.skipTest(f"too noisy for {verdict}: {', '.join(seen)}")

    def test_a_run_of_this_machine_is_reproduced(self):
        # Against the machine of this moment, not of the beginning of the test.
        def attempt():
            folder = self.temporary_folder()
            observed = self.replicate(self.run_file)["observedNs"]
            return self.replicate(self.published(folder.name, observed))

        self.until("reproduced", attempt)

    def test_a_run_that_was_faster_shows_a_regression(self):
        file = self.published("faster", 10)
        self.until("regression_observed", lambda: self.replicate(file))

    def test_a_run_that_was_far_slower_could_not_be_reproduced(self):
        attestation = self.replicate(self.published("slower", 3_600_000_000_000))
        self.assertEqual(attestation["type"], "could_not_reproduce")

    def test_another_time_of_other_hardware_is_a_note_on_the_environment(self):
        file = self.published("elsewhere", 3_600_000_000_000, memory_bytes=1 << 30)
        attestation = self.replicate(file, same_hardware=False)
        self.assertEqual(attestation["type"], "environment_note")
        self.assertIn("hardware.memoryBytes: 1073741824 there", attestation["body"])

    def test_without_a_file_the_attestation_goes_to_standard_output(self):
        result = run("replicate", self.run_file)
        self.assertEqual(json.loads(result.stdout)["run"], "sha256:" + self.run_file.stem)

    def test_what_cannot_be_replicated_is_one_line_and_exit_code_2(self):
        self.assertIn("vulkan device 99 is not here",
                      self.refused("replicate", self.run_file, "--device=99"))
        self.assertIn("No such file", self.refused("replicate", self.root / "none.json"))
        damaged = self.root / "damaged"
        shutil.copytree(self.store, damaged)
        sample, = (damaged / "samples").iterdir()
        sample.write_text(sample.read_text().replace("[", "[1,", 1))
        self.assertIn("does not verify", self.refused(
            "replicate", damaged / self.run_file.relative_to(self.store)))


if __name__ == "__main__":
    main()
