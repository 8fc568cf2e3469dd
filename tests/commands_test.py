"""The commands as their users meet them: what they print, their exit codes, one line on stderr.

usage: commands_test.py ROPEBENCH SOURCE_DIR
"""

import filecmp
import json
import pathlib
import tempfile

from command_line import BinaryTest, main, run

HEADER = ("kernel_name,kernel_provider,kernel_operation_mode,metric_name,metric_unit,x_name,x_label,"
          "x_value,y_value_50,y_value_20,y_value_80,extra_benchmark_config_str,gpu_name,timestamp,"
          "liger_version\n")
ROW = ('rope,{},forward,speed,ms,H,hidden size,256,{},0.01,0.02,"{{""dtype"": ""torch.bfloat16"", '
       '""seq_len"": 64, ""num_q_heads"": 4, ""num_kv_heads"": 2}}",NVIDIA A100-SXM4-80GB,'
       "2024-09-03 15:39:55,0.2.1\n")


class Commands(BinaryTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        config = cls.root / "test.yaml"
        config.write_text("sweeps:\n  - {seq: 16, hidden: 64, q_heads: 4, kv_heads: 2}\n")
        cls.store, cls.result = cls.root / "store", cls.root / "result.json"
        made = run("--config", config, "--backend=cpu", "--variant=fp32,float64",
                   "--benchmark_min_time=0", f"--out={cls.store}", f"--benchmark_out={cls.result}")
        assert made.returncode == 0, made.stderr
        cls.runs = sorted((cls.store / "manifests/benchmark-run").iterdir())
        cls.is_dirty = "harness" not in json.loads(cls.runs[0].read_text())["spec"]["evidence"]

    def test_bad_usage_is_one_line_and_exit_code_2(self):
        self.assertIn("PATH is required", self.refused("verify"))
        self.assertIn("No such file", self.refused("verify", self.root / "none"))
        self.assertIn("--out is required", self.refused("import", "liger", "x.csv"))
        self.assertIn("SOURCE", self.refused("import", "other", "x.csv", "--out=x"))
        self.assertIn("No such file", self.refused("rank", self.root / "none"))
        self.assertIn("no run 0123", self.refused("rank", self.store, "--retracted", "0123"))
        self.assertIn("not expected", self.refused("cite", self.runs[0], "--brief"))
        self.assertIn("is no run", self.refused(
            "cite", next((self.store / "manifests/workload-case").iterdir())))
        self.assertIn("cannot create", self.refused(
            "import", "gbench", self.result, f"--out={self.result}/x"))

    def test_help_ends_well(self):
        for command in ("verify", "import", "rank", "bundle", "cite", "replicate"):
            result = run(command, "--help")
            self.assertEqual((result.returncode, result.stderr), (0, ""), command)
            self.assertIn("Usage: " + command, result.stdout)

    def test_a_store_as_it_is_written_verifies(self):
        result = run("verify", self.store)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn(" 2 run(s), 0 finding(s)", result.stdout)
        self.assertEqual(run("verify", self.runs[0]).returncode, 0)

    def test_a_run_names_how_the_program_was_built(self):
        record, = (self.store / "builds").iterdir()
        built = json.loads(record.read_text())
        self.assertIn("fmt", built["packages"])
        self.assertIn("-ffp-contract=off", built["compilers"]["cpp"]["options"])
        self.assertRegex(built["kernel_sources"], "^sha256:[0-9a-f]{64}$")
        self.assertNotRegex(record.read_text(), r'(?<!https:/)["= ]/', "an absolute path")
        for log in (self.store / "logs").iterdir():
            self.assertIn(f"record    builds/{record.name} sha256:{record.stem}\n", log.read_text())
        text = record.read_text()
        record.unlink()
        lost = run("verify", self.store)
        record.write_text(text)
        self.assertEqual(lost.returncode, 1)
        self.assertIn(f'evidence.logs: "builds/{record.name}": No such file', lost.stdout)

    def test_a_damaged_document_is_named(self):
        damaged = self.root / self.runs[0].name
        damaged.write_text(self.runs[0].read_text().replace('"status": "passed"',
                                                            '"status": "timeout"'))
        result = run("verify", damaged)
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{damaged}: the document has the digest sha256:", result.stdout)

    def test_variants_share_a_cohort_and_other_sources_do_not(self):
        csv, imported = self.root / "rows.csv", self.root / "imported"
        csv.write_text(HEADER + ROW.format("liger", 0.011) + ROW.format("unknown", 0.012)
                       + ROW.format("huggingface", 0.08))
        result = run("import", "liger", csv, f"--out={imported}")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{csv}:3: kernel_provider: nothing is known", result.stdout)
        self.assertIn("2 run(s), 2 of them new, 1 bad row(s)", result.stdout)
        self.assertIn("0 of them new", run("import", "liger", csv, f"--out={imported}").stdout)
        self.assertEqual(run("verify", imported).returncode, 0)

        ranked = run("rank", self.store, imported)
        self.assertEqual(ranked.returncode, 0, ranked.stderr)
        self.assertEqual(sum(line.startswith("cohort ") for line in ranked.stdout.splitlines()), 2)
        self.assertIn("source-native", ranked.stdout)
        self.assertIn('measurement.timer: "', ranked.stdout)
        public = next((imported / "manifests/benchmark-run").iterdir()).stem
        why = run("rank", self.store, imported, "--why", self.runs[0].stem, public)
        self.assertEqual(why.returncode, 1)
        self.assertIn("not comparable:", why.stdout)
        same = run("rank", self.store, "--why", self.runs[0].stem, self.runs[1].stem)
        self.assertEqual((same.returncode, same.stdout), (0, "comparable: one cohort\n"))
        gone = run("rank", self.store, "--retracted", self.runs[0].stem, "--superseded",
                   self.runs[1].stem)
        self.assertEqual(gone.returncode, 1)
        self.assertIn(": retracted", gone.stdout)
        self.assertIn(": superseded", gone.stdout)

        refused = run("bundle", imported, "-o", self.root / "imported.yaml")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("is imported from liger-kernel-bench", refused.stdout)

    def test_a_result_file_gives_the_same_store_back(self):
        again = self.root / "again"
        result = run("import", "gbench", self.result, f"--out={again}")
        self.assertEqual(result.returncode, 0, result.stderr)
        files = [str(f.relative_to(self.store)) for f in self.store.rglob("*") if f.is_file()]
        equal, different, missing = filecmp.cmpfiles(self.store, again, files, shallow=False)
        self.assertEqual((len(equal), different, missing), (len(files), [], []))
        other = self.root / "other.json"
        other.write_text('{"benchmarks": []}')
        self.assertIn("has no evidence", self.refused("import", "gbench", other, f"--out={again}"))

    def test_a_bundle_is_written_or_every_reason_against_it_is_said(self):
        bundle, publish = self.root / "bundle.yaml", self.root / "publish.yaml"
        publish.write_text("licence: Apache-2.0\nrepository: https://github.com/example/ropebench\n"
                           "artifacts: https://example.com/data\n")
        result = run("bundle", self.store, "-o", bundle, "--publish", publish)
        if self.is_dirty:
            self.assertEqual(result.returncode, 1)
            self.assertIn("dirty or unknown build of the harness", result.stdout)
        else:
            self.assertEqual(result.returncode, 0, result.stdout)
            runs = json.loads(bundle.read_text())["runs"]
            self.assertTrue(runs[0]["run"]["spec"]["timing"]["rawSamples"]["uri"].startswith(
                "https://example.com/data/samples/"))
        unknown = run("bundle", self.store, "-o", bundle, "--licence=Secret-1.0")
        self.assertEqual(unknown.returncode, 1)
        self.assertIn('refused: "Secret-1.0" is no known licence', unknown.stdout)
        publish.write_text("licens: MIT\n")
        self.assertIn("publish.yaml:1: unknown key 'licens'; did you mean licence?", self.refused(
            "bundle", self.store, "-o", bundle, "--publish", publish))

    def test_a_run_is_cited_by_its_digest(self):
        result = run("cite", self.runs[0])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("digest  sha256:" + self.runs[0].stem, result.stdout)
        self.assertIn("@misc{ropebench-" + self.runs[0].stem[:12], result.stdout)


if __name__ == "__main__":
    main()
