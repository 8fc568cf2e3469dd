#!/usr/bin/env python3
"""Draws medians over the fewest bytes of each workload as an SVG, from a store's manifests alone.

usage: performance_chart.py STORE BACKEND PASS [PEERS.csv] > chart.svg

One line for each variant of BACKEND, as bandwidth over bytes on a logarithmic axis; the fastest copy
of the same bytes is derived from percent_of_copy of the best variant. PEERS.csv is what
time_peers.py printed on the same machine: a line for each peer.
"""

import math
import pathlib
import sys

import performance_table
import results_table

WIDTH, HEIGHT, LEFT, TOP, PLOT_W, PLOT_H = 860, 460, 70, 30, 600, 370
COLOURS = ("#0b6e4f", "#1f77b4", "#b8860b", "#8c564b", "#7f7f7f", "#c0392b", "#6a3d9a", "#e377c2")


def series(store, backend, wanted):
    """{name: {(seq, hidden): GB/s}} of the store's runs, `copy` among them."""
    lines, best = {}, {}
    for row in results_table.rows(store):
        _, hidden, seq, row_backend, _, timed, variant, _, _, _, rate, copy, _ = row
        if (row_backend, timed) != (backend, wanted):
            continue
        lines.setdefault(variant, {})[seq, hidden] = rate
        best[seq, hidden] = max(best.get((seq, hidden), (0, 0)), (rate, rate / copy * 100))
    lines["copy of the same bytes"] = {point: copy for point, (_, copy) in best.items()}
    return lines


def traffic_bytes(point):
    """Of one forward or backward in bf16: 32 q heads and 8 kv heads in place, two compact tables."""
    seq, hidden = point
    return 2 * seq * hidden * 2 * 40 // 32 + 2 * seq * hidden // 32


def main():
    store, backend, wanted = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    lines = series(store, backend, wanted)
    for path in sys.argv[4:]:
        for name, times in performance_table.peers(path, wanted).items():
            lines[name] = {point: traffic_bytes(point) / 1e3 / us for point, us in times.items()}
    points = sorted({p for line in lines.values() for p in line}, key=traffic_bytes)
    low, high = math.log(traffic_bytes(points[0])), math.log(traffic_bytes(points[-1]))
    top = 1000 * math.ceil(max(v for line in lines.values() for v in line.values()) / 1000)

    def x(point):
        return LEFT + PLOT_W * (math.log(traffic_bytes(point)) - low) / (high - low)

    def y(rate):
        return TOP + PLOT_H * (1 - rate / top)

    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
          'font-family="sans-serif" font-size="12">')
    print(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>')
    print(f'<text x="{LEFT}" y="18">{backend}, {wanted}: GB/s of the fewest bytes, by seq, hidden'
          '</text>')
    for rate in range(0, top + 1, 1000):
        print(f'<path d="M{LEFT} {y(rate):.1f}H{LEFT + PLOT_W}" stroke="#ddd"/>'
              f'<text x="{LEFT - 8}" y="{y(rate) + 4:.1f}" text-anchor="end">{rate}</text>')
    for i, point in enumerate(points):
        print(f'<text x="{x(point):.1f}" y="{TOP + PLOT_H + 18 + 15 * (i % 2)}" '
              f'text-anchor="middle">{point[0]}, {point[1]}</text>')
    order = sorted(lines.items(), key=lambda item: -max(item[1].values()))
    for (name, line), colour in zip(order, COLOURS):
        path = " ".join(f"{x(p):.1f},{y(line[p]):.1f}" for p in points if p in line)
        dash = ' stroke-dasharray="6 4"' if name.startswith("copy") else ""
        print(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        row = TOP + 16 + 20 * order.index((name, line))
        print(f'<path d="M{LEFT + PLOT_W + 14} {row - 4}h22" stroke="{colour}" stroke-width="2"'
              f'{dash}/><text x="{LEFT + PLOT_W + 42}" y="{row}">{name}</text>')
    print("</svg>")


if __name__ == "__main__":
    main()
