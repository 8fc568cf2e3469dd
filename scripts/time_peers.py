#!/usr/bin/env python3
"""Times the kernels of other projects as `cold` times ours: CUPTI's own durations, after a dirty flush.

usage: time_peers.py [--liger rope.py] [--flash-attention rotary.py] [--samples N] > peers.csv

  --liger            src/liger_kernel/ops/rope.py of a checkout of Liger-Kernel
  --flash-attention  flash_attn/ops/triton/rotary.py of a checkout of flash-attention

torch.compile and eager PyTorch are timed always. Needs PyTorch with CUDA, and triton for the two
files. One line per peer, pass and point of Liger's published sweeps (bf16, 32 q heads, 8 kv heads,
batch 1); the durations of a call that launches several kernels are added up. Each peer's output is
compared with a float64 rotation of the same inputs first: a peer that computes something else is an
error, not a row.
"""

import argparse
import csv
import importlib.util
import statistics
import sys

import torch
from torch.profiler import ProfilerActivity, profile

POINTS = [(2048, 512), (2048, 2048), (1024, 8192), (2048, 8192), (4096, 8192), (8192, 8192),
          (16384, 8192)]
Q_HEADS, KV_HEADS = 32, 8
FLUSH_KERNEL = "FillFunctor"  # of Tensor.fill_


def load(path):
    spec = importlib.util.spec_from_file_location(path.replace("/", "_").removesuffix(".py"), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rotate_half(x, cos, sin):
    """x [batch, heads, seq, head_dim]; cos, sin [1, seq, head_dim], the right half repeats the left."""
    left, right = x.chunk(2, dim=-1)
    return x * cos.unsqueeze(1) + torch.cat((-right, left), dim=-1) * sin.unsqueeze(1)


def rotate_both(q, k, cos, sin):
    return rotate_half(q, cos, sin), rotate_half(k, cos, sin)


class Inputs:
    """q and k stored as [batch, seq, heads, head_dim], seen as [batch, heads, seq, head_dim]."""

    def __init__(self, seq, hidden):
        head_dim = hidden // Q_HEADS
        generator = torch.Generator("cuda").manual_seed(0)
        self.q, self.k = (torch.randn(1, seq, heads, head_dim, device="cuda",
                                      dtype=torch.bfloat16, generator=generator).transpose(1, 2)
                          for heads in (Q_HEADS, KV_HEADS))
        exponent = torch.arange(0, head_dim, 2, device="cuda", dtype=torch.float64) / head_dim
        angle = torch.outer(torch.arange(seq, device="cuda", dtype=torch.float64), 10000.0**-exponent)
        angle = torch.cat((angle, angle), dim=-1)[None]
        self.cos, self.sin = angle.cos().bfloat16(), angle.sin().bfloat16()
        self.minus_sin = -self.sin
        self.compact = [table[0, :, :head_dim // 2].contiguous() for table in (self.cos, self.sin)]


def peers(args):
    """{name: {pass: function(inputs) -> (q, k) rotated, both seen as [batch, heads, seq, head_dim]}}"""
    found = {}
    if args.liger:
        liger = load(args.liger)
        found["liger"] = {
            "forward": lambda i: liger.rope_forward(i.q, i.k, i.cos, i.sin)[:2],
            "backward": lambda i: liger.rope_backward(i.q, i.k, i.cos, i.sin),
        }
    if args.flash_attention:
        flash = load(args.flash_attention)

        def call(i, conjugate):
            return [flash.apply_rotary(x.transpose(1, 2), *i.compact, inplace=True,
                                       conjugate=conjugate).transpose(1, 2) for x in (i.q, i.k)]

        found["flash-attention"] = {"forward": lambda i: call(i, False),
                                    "backward": lambda i: call(i, True)}
    # dynamic=False: one kernel per shape, where a shape that changes would else be a symbol in it.
    compiled = torch.compile(rotate_both, dynamic=False)
    for name, function in (("torch.compile", compiled), ("eager", rotate_both)):
        found[name] = {
            "forward": lambda i, f=function: f(i.q, i.k, i.cos, i.sin),
            "backward": lambda i, f=function: f(i.q, i.k, i.cos, i.minus_sin),
        }
    return found


def check(name, function, seq, hidden, sign):
    """In place or not, the result must be the rotation within bf16 arithmetic's error."""
    inputs = Inputs(seq, hidden)
    want = [rotate_half(x.double(), inputs.cos.double(), sign * inputs.sin.double())
            for x in (inputs.q, inputs.k)]
    for got, expected in zip(function(inputs), want):
        error = (got.double() - expected).abs().max().item()
        if error > 0.1:
            sys.exit(f"time_peers: {name} is off by {error} at seq {seq}, hidden {hidden}")


def sample_us(function, inputs, flush, samples):
    """Microseconds of each call's kernels, by CUPTI; the flush before each call leaves L2 dirty."""
    for _ in range(3):
        function(inputs)
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA]) as profiler:
        for value in range(samples):
            flush.fill_(value)
            function(inputs)
        torch.cuda.synchronize()
    kernels = sorted((event.start_ns(), event.duration_ns(), event.name())
                     for event in profiler.profiler.kineto_results.events()
                     if event.device_type() == torch.autograd.DeviceType.CUDA)
    calls = []
    for _, duration, name in kernels:
        if FLUSH_KERNEL in name:
            calls.append([])
        elif calls:
            calls[-1].append(duration)
    calls = [call for call in calls if call]
    if len(calls) != samples or len({len(call) for call in calls}) != 1:
        sys.exit("time_peers: the profile does not show one group of kernels per call")
    return [sum(call) / 1e3 for call in calls], len(calls[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--liger")
    parser.add_argument("--flash-attention")
    parser.add_argument("--samples", type=int, default=60)
    args = parser.parse_args()
    flush = torch.empty(2 * torch.cuda.get_device_properties(0).L2_cache_size // 4,
                        device="cuda", dtype=torch.int32)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["peer", "pass", "seq", "hidden", "us", "p20_us", "p80_us", "samples", "kernels"])
    with torch.no_grad():
        for name, passes in peers(args).items():
            for timed, function in passes.items():
                for seq, hidden in POINTS:
                    check(name, function, seq, hidden, -1 if timed == "backward" else 1)
                    inputs = Inputs(seq, hidden)
                    times, kernels = sample_us(function, inputs, flush, args.samples)
                    p20, *_, p80 = statistics.quantiles(times, n=5)
                    out.writerow([name, timed, seq, hidden, f"{statistics.median(times):.3f}",
                                  f"{p20:.3f}", f"{p80:.3f}", len(times), kernels])
                    sys.stdout.flush()


if __name__ == "__main__":
    main()
