"""The binary as its users meet it: exit codes, one line on stderr, strict JSON, stored digests.

usage: cli_test.py ROPEBENCH SOURCE_DIR
"""

import json
import os
import pathlib
import subprocess
import unittest

from command_line import BINARY, SOURCE, BinaryTest, main, run, strict_json

TINY = ["--backend=cpu", "--benchmark_min_time=0", "--variant=fp32"]
OPERATION = "e655a95629867bb20ea2d0e6b41bbde013db93f7fca6deb9a49b6ee8b4bc31a5"
WORKLOAD = "1415fc0b1b53aa8f16a41dfe92a66a1584b2d0b9523b0058543ea3a8ac7b5314"


class CommandLine(BinaryTest):
    def setUp(self):
        self.folder = self.temporary_folder()

    def config(self, text):
        path = self.folder / "test.yaml"
        path.write_text(text)
        return path

    def test_bad_usage_is_one_line_and_exit_code_2(self):
        self.assertIn("did you mean --backend?", self.refused("--backnd"))
        self.assertIn("refused", self.refused("--benchmark_perf_counters=x"))
        self.assertIn("regular expression", self.refused("--benchmark_filter=("))
        self.assertIn("cannot write", self.refused(*TINY, "--benchmark_out=/no/such/folder/x.json"))
        self.assertIn("cannot write", self.refused(*TINY, f"--benchmark_out={self.folder}"))

    def test_a_bad_config_names_its_place(self):
        path = self.config("sweeps:\n  - seqq: 4\n")
        self.assertEqual(self.refused("--config", path),
                         f"{path}:2:5: unknown key 'seqq' in a sweep; did you mean seq?\n")
        self.assertIn("none.yaml:1:1:", self.refused("--config", self.folder / "none.yaml"))

    # The table of some 230 is in tests/benchmarks/config_documents.cc.
    def test_bad_documents_are_exit_code_2(self):
        sweep = "sweeps:\n  - seq: 1\n"
        for place, message, document in (
                ("1:1", "UTF-16", sweep.encode("utf-16")),
                ("1:1", "UTF-16", sweep.encode("utf-16-be")),
                ("2:14", "not UTF-8", b"sweeps:\n  - name: caf\xe9\n"),
                ("2:5", "'sqe'", b"\xef\xbb\xbfsweeps:\r\n  - sqe: 1\r\n"),
                ("1:8", "carriage return", b"sweeps:\r  - seq: 1\r"),
                ("2:1", "a tab", b"sweeps:\n\t- seq: 1\n"),
                ("1:1", "is empty", b""),
                ("1:4", "anchors and aliases", b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"),
                ("1:40", "more than 32", b"sweeps: " + b"[" * 100000 + b"]" * 100000),
                ("1:133", "more than 32", b"sweeps: " + b"{a: " * 100000),
                ("3:5", "stands twice", b"sweeps:\n  - seq: 1\n    seq: 1\n"),
                ("2:10", "expected an integer", b"sweeps:\n  - seq: 0x800\n"),
                ("2:10", "is outside", b"sweeps:\n  - seq: 9223372036854775808\n"),
                ("2:5", "more than 100000 cases",
                 b"sweeps:\n  - seq: {from: 1, to: 60000, step: 1}\n    batch: [1, 2]\n"),
                ("2:12", "cannot be read", b"sweeps:\n  - model: none.json\n")):
            path = self.folder / "bad.yaml"
            path.write_bytes(document)
            error = self.refused("--config", path)
            self.assertTrue(error.startswith(f"{path}:{place}: "), error)
            self.assertIn(message, error)
        self.assertIn(f"{self.folder}:1:1: cannot be read: it is a directory",
                      self.refused("--config", self.folder))

    def test_a_byte_order_mark_and_crlf_are_fine(self):
        path = self.folder / "fine.yaml"
        path.write_bytes(b"\xef\xbb\xbfsweeps:\r\n  - seq: 7\r\n")
        self.assertIn("/seq:7/", run("--config", path, *TINY, "--list=cases").stdout)

    def test_a_model_is_one_line(self):
        model = SOURCE / "tests/benchmarks/models/llama3_1.json"
        path = self.config(f"sweeps:\n  - model: {model}\n")
        cases = run("--config", path, *TINY, "--list=cases").stdout
        self.assertIn("hidden:4096/q_heads:32/kv_heads:8/dtype:bf16/protocol:cold/theta:500000/"
                      "scaling:llama3~8~8192~1~4\t", cases)
        (self.folder / "bad.json").write_text('{"model_type":\n "bert"}')
        path = self.config("sweeps:\n  - model: bad.json\n")
        self.assertIn("bad.json:2:2: model_type: 'bert' is not known",
                      self.refused("--config", path))

    def test_ten_thousand_cases_list_in_a_second_and_200_megabytes(self):
        path = self.config("sweeps:\n  - seq: {from: 1, to: 100, step: 1}\n"
                           "    hidden: {from: 64, to: 6400, step: 64}\n")
        process = subprocess.Popen([BINARY, "--config", path, *TINY, "--list=cases"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        with process.stdout as output:
            lines = output.read().splitlines()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(len(lines), 10000)
        if b"__asan_init" in pathlib.Path(BINARY).read_bytes():
            return  # a sanitizer's own time and memory
        # Of the processor, not of the wall: a loaded machine is no fault of the listing.
        self.assertLess(usage.ru_utime + usage.ru_stime, 1.0)
        self.assertLess(usage.ru_maxrss * 1024, 200e6)

    def test_names_that_match_nothing_bring_the_nearest(self):
        self.assertIn("did you mean forward?", self.refused(*TINY, "--benchmark_filter=forwrad"))
        path = self.config("sweeps: [{seq: [4, 8]}]\n")
        both = ["--config", path, "--select=seq=4", "--benchmark_filter"]
        self.assertIn("the filter matches 1 case(s), --select none of them",
                      self.refused(*TINY, *both, "seq:8"))
        self.assertIn("/seq:4/", run(*TINY, *both, "seq:", "--list=cases").stdout)

    def test_nothing_selected_is_exit_code_2(self):
        self.assertIn("nothing is selected", self.refused(*TINY, "--select=seq=3"))

    def test_everything_skipped_is_exit_code_2(self):
        result = run(*TINY, "--protocol=do_bench")
        self.assertEqual(result.returncode, 2)
        self.assertIn("skipped", result.stderr)

    def test_lists(self):
        self.assertIn("cpu     0", run("--list=devices").stdout)
        self.assertIn("fp32", run("--list=variants").stdout)
        cases = run("--config", SOURCE / "configs/liger.yaml", *TINY, "--list=cases")
        rows = [line.split("\t") for line in cases.stdout.splitlines()]
        self.assertEqual(len(rows), 21)
        self.assertIn("21 case(s), 0 skipped", cases.stderr)
        self.assertEqual(rows[0][1], "bytes=5308416")
        self.assertTrue(rows[0][2].startswith("expected_us="))
        ids = run("--config", SOURCE / "configs/liger.yaml", *TINY, "--benchmark_list_tests").stdout
        self.assertEqual([row[0] for row in rows], ids.splitlines())

    def test_a_dry_run_prints_the_plan_and_runs_nothing(self):
        out = self.folder / "out"
        path = self.config("sweeps:\n  - {seq: [4, 8]}\n  - {backends: cuda}\n")
        result = run("--config", path, *TINY, "--dry-run", f"--out={out}")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for part in ("device    cpu:0", "protocol  cold", "/fp32/seq:4/", "/fp32/seq:8/",
                     f"skipped {path}:3:5: sweep2: is for cuda only", "2 case(s), 1 skipped"):
            self.assertIn(part, result.stdout)
        self.assertFalse(out.exists())
        self.assertEqual(run(*TINY, "--protocol=do_bench", "--dry-run").returncode, 2)

    def test_the_default_is_the_reference_config(self):
        default = run(*TINY, "--list=cases").stdout
        self.assertEqual(default, run("--config", SOURCE / "configs/reference.yaml", *TINY,
                                      "--list=cases").stdout)
        self.assertIn("seq:2048/hidden:512/q_heads:32/kv_heads:8/dtype:bf16", default)

    def test_variables_of_the_environment_bring_back_no_flag(self):
        path = self.config("sweeps:\n  - {seq: 4, hidden: 64}\n")
        out = self.folder / "stray.json"
        environment = dict(os.environ, BENCHMARK_LIST_TESTS="true", BENCHMARK_OUT=str(out))
        result = run("--config", path, *TINY, env=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("us", result.stdout)
        self.assertFalse(out.exists())

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_results_that_cannot_be_printed_are_an_error(self):
        path = self.config("sweeps:\n  - {seq: 4, hidden: 64}\n")
        with open("/dev/full", "w") as full:
            result = run("--config", path, *TINY, "--benchmark_format=json", stdout=full)
        self.assertEqual(result.returncode, 2)
        self.assertIn("standard output", result.stderr)

    def test_help_and_version(self):
        self.assertIn("--benchmark_filter", run("--help").stdout)
        self.assertTrue(run("--version").stdout.startswith("ropebench "))

    def test_the_reference_workload_is_stored_under_its_published_digests(self):
        out, result_file = self.folder / "out", self.folder / "result.json"
        result = run(*TINY, f"--out={out}", f"--benchmark_out={result_file}")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("device    cpu:0", result.stderr)
        self.assertTrue((out / f"manifests/operation-spec/{OPERATION}.json").exists())
        self.assertTrue((out / f"manifests/workload-case/{WORKLOAD}.json").exists())

        entry = strict_json(result_file.read_text())["benchmarks"][0]
        run_file = out / f"manifests/benchmark-run/{entry['run_digest'].split(':')[1]}.json"
        spec = strict_json(run_file.read_text())["spec"]
        self.assertEqual(spec["status"], "passed")
        self.assertEqual(spec["timing"]["samples"], entry["samples"])
        self.assertEqual(spec["timing"]["latencyNs"]["median"], int(entry["p50_ns"] + 0.5))
        samples = strict_json((out / spec["timing"]["rawSamples"]["uri"]).read_text())
        self.assertEqual(len(samples["samples"]), entry["samples"])
        for kind in ("implementation-revision", "benchmark-protocol", "execution-environment"):
            self.assertEqual(len(list((out / "manifests" / kind).iterdir())), 1, kind)
        journal = [json.loads(line) for line in (out / "journal.jsonl").read_text().splitlines()]
        self.assertEqual([line["status"] for line in journal], ["passed"])
        self.assertEqual(journal[0]["run"], entry["run_digest"])

    def test_min_time_changes_the_protocol_and_nothing_else(self):
        digests = []
        for index, min_time in enumerate(("0", "0.001", "0.002")):
            out = self.folder / str(index)
            path = self.config("sweeps:\n  - {seq: 4, hidden: 64}\n")
            result = run("--config", path, "--backend=cpu", "--variant=fp32", f"--out={out}",
                         f"--benchmark_min_time={min_time}")
            self.assertEqual(result.returncode, 0, result.stderr)
            digests.append({kind.name: sorted(f.name for f in kind.iterdir())
                            for kind in (out / "manifests").iterdir()})
        for kind in ("operation-spec", "workload-case", "implementation-revision",
                     "execution-environment"):
            self.assertEqual(digests[0][kind], digests[1][kind], kind)
        self.assertNotEqual(digests[0]["benchmark-protocol"], digests[2]["benchmark-protocol"])

    def test_repetitions_and_aggregates(self):
        path = self.config("sweeps:\n  - {seq: 4, hidden: 64}\n")
        result = run("--config", path, *TINY, "--benchmark_repetitions=3",
                     "--benchmark_report_aggregates_only", "--benchmark_format=json")
        names = [entry["name"] for entry in strict_json(result.stdout)["benchmarks"]]
        self.assertEqual(len(names), 4, names)  # mean, median, stddev, cv
        self.assertTrue(names[0].endswith("_mean"))
        variation = strict_json(result.stdout)["benchmarks"][3]
        self.assertEqual(variation["aggregate_unit"], "percentage")
        self.assertLess(variation["real_time"], 10.0)

    def test_formats(self):
        path = self.config("sweeps:\n  - {seq: 4, hidden: 64}\n")
        csv = run("--config", path, *TINY, "--benchmark_format=csv").stdout.splitlines()
        self.assertEqual(len(csv), 2)
        self.assertEqual(csv[0].count(","), csv[1].count(","))
        plain = run("--config", path, *TINY, "--benchmark_color=false").stdout
        self.assertNotIn("\033", plain)
        self.assertIn("\033", run("--config", path, *TINY, "--benchmark_color=true").stdout)
        context = run("--config", path, *TINY, "--benchmark_format=json",
                      "--benchmark_context=ticket=7").stdout
        self.assertEqual(strict_json(context)["context"]["ticket"], "7")

    def test_a_store_that_cannot_be_written_is_met_before_any_case(self):
        blocked = self.folder / "file"
        blocked.write_text("")
        self.assertIn("cannot create", self.refused(*TINY, f"--out={blocked}/out"))


if __name__ == "__main__":
    os.environ.setdefault("NO_COLOR", "1")
    main()
