#!/usr/bin/env python3
"""Prints a Markdown table of every passed run of a store, from its manifests alone.

usage: results_table.py STORE
"""

import json
import pathlib
import sys

PASSES = ("forward", "backward", "full")


def load(store, kind):
    return {path.stem: json.loads(path.read_text())
            for path in (store / "manifests" / kind).glob("*.json")}


def measurement(spec, metric, statistic):
    for entry in spec["measurements"]:
        if (entry["metric"], entry["statistic"]) == (metric, statistic):
            return entry["value"]
    return None


def rows(store):
    workloads = load(store, "workload-case")
    protocols = load(store, "benchmark-protocol")
    for digest, run in load(store, "benchmark-run").items():
        spec, labels = run["spec"], run["metadata"]["labels"]
        if spec["status"] != "passed":
            continue
        axes = workloads[spec["workloadDigest"].split(":")[1]]["spec"]["axes"]
        protocol = protocols[spec["protocolDigest"].split(":")[1]]["metadata"]["name"]
        timed = next(name for name in PASSES if protocol.endswith("-" + name))
        hidden = axes.get("hidden", axes.get("head_dim", 0) * axes["q_heads"])
        copy = measurement(spec, "percent_of_copy", "median")
        yield (PASSES.index(timed), hidden, axes["seq"], labels["backend"],
               spec["timing"]["latencyNs"]["median"], timed, labels["variant"],
               measurement(spec, "latency", "p20"), measurement(spec, "latency", "p80"),
               spec["timing"]["samples"], measurement(spec, "bandwidth", "median"), copy, digest)


def main():
    store = pathlib.Path(sys.argv[1])
    print("| pass | seq, hidden | backend | variant | median us | p20 | p80 | samples | GB/s "
          "| % of copy | run |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for (_, hidden, seq, backend, median, timed, variant, p20, p80, samples, rate, copy,
         digest) in sorted(rows(store)):
        print(f"| {timed} | {seq}, {hidden} | {backend} | {variant} | {median / 1e3:.2f} "
              f"| {p20 / 1e3:.2f} | {p80 / 1e3:.2f} | {samples} | {rate:.0f} "
              f"| {copy:.1f} | {digest[:12]} |")


if __name__ == "__main__":
    main()
