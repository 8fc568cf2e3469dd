#!/usr/bin/env python3
"""Prints a Markdown table of the best CUDA run of each workload beside the peers.

usage: performance_table.py STORE PEERS.csv

STORE is a store of `ropebench --out`, PEERS.csv what scripts/time_peers.py printed on the same
machine. Medians in microseconds; the copy is the fastest of the same bytes, from percent_of_copy.
"""

import csv
import pathlib
import sys

import results_table


def peers(path, wanted):
    """{peer: {(seq, hidden): us}} of one pass, in the file's order."""
    found = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row["pass"] == wanted:
                found.setdefault(row["peer"], {})[int(row["seq"]), int(row["hidden"])] = float(row["us"])
    return found


def best(store, backend, wanted):
    """{(seq, hidden): (us, p20, p80, variant, copy us)} of the fastest variant."""
    found = {}
    for row in results_table.rows(store):
        _, hidden, seq, row_backend, median, timed, variant, p20, p80, _, _, copy, _ = row
        if (row_backend, timed) != (backend, wanted):
            continue
        entry = (median / 1e3, p20 / 1e3, p80 / 1e3, variant, median / 1e3 * copy / 100)
        found[seq, hidden] = min(found.get((seq, hidden), entry), entry)
    return found


def main():
    store, csv_file = pathlib.Path(sys.argv[1]), sys.argv[2]
    names = list(peers(csv_file, "forward"))
    print("| pass | seq, hidden | ours (p20 to p80) | variant | copy | ours / copy | "
          + " | ".join(names) + " | ours / fastest peer |")
    print("|---" * (7 + len(names)) + "|")
    for wanted in ("forward", "backward"):
        others = peers(csv_file, wanted)
        for point, (us, p20, p80, variant, copy) in sorted(
                best(store, "cuda", wanted).items(), key=lambda item: item[1]):
            times = [others[name][point] for name in names]
            print(f"| {wanted} | {point[0]}, {point[1]} | {us:.2f} ({p20:.2f} to {p80:.2f}) "
                  f"| {variant} | {copy:.2f} | {us / copy:.3f} | "
                  + " | ".join(f"{time:.2f}" for time in times)
                  + f" | {us / min(times):.3f} |")


if __name__ == "__main__":
    main()
