// How samples are taken. A Sampler is the vocabulary of timed operations that a backend and timer
// offer; Sample() alone decides their order, so every backend is timed the same way and the order
// can be tested with a fake.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/protocol.h"

namespace ropebench {

// Operations are enqueued in call order on one queue, except where a comment says that they wait.
// A backend may record them and submit at the next Synchronize, if that keeps their order.
class Sampler {
 public:
  virtual ~Sampler() = default;

  // Makes room for so many Start/Stop pairs before the next Collect, so that none of them has to.
  virtual void Reserve(std::size_t pairs) = 0;

  // Overwrites the flush buffer, so that it replaces the cache's contents and leaves them dirty.
  virtual void Flush() = 0;

  // Between Block and Release the device does not begin what is enqueued, so the host's launch cost
  // cannot fall between Start and Stop. No-ops where a queue is submitted as a whole. A block is
  // bounded in time: a lost Release cannot hang the device.
  virtual void Block() = 0;
  virtual void Release() = 0;

  virtual void Start() = 0;
  virtual void Launch(PreparedCase& prepared) = 0;  // every step of the case, in order
  virtual void Stop() = 0;

  // Waits until everything enqueued so far is done.
  virtual void Synchronize() = 0;

  // Waits, and returns the nanoseconds of each Start/Stop pair since the last Collect, in order.
  // Throws DeviceError if one is missing or ends before it starts.
  virtual std::vector<double> Collect() = 0;

  // The finest difference that this timer can show, in nanoseconds.
  virtual double tick_ns() const = 0;
};

// When a case has enough samples. Three calls: one object serves one call of Sample().
class StopRule {
 public:
  virtual ~StopRule() = default;
  virtual void Add(std::size_t case_index, double sample_ns) = 0;
  virtual bool Finished() const = 0;       // asked after each round over all cases
  virtual std::string reason() const = 0;  // why it finished, for the result
};

// At least min_samples of every case that together took min_time_ns of device time, at most
// max_samples.
class EnoughSamples final : public StopRule {
 public:
  EnoughSamples(const Protocol& protocol, std::size_t cases);
  void Add(std::size_t case_index, double sample_ns) override;
  bool Finished() const override;
  std::string reason() const override;

 private:
  struct Progress {
    std::int64_t samples = 0;
    double time_ns = 0.0;
  };
  bool Enough(const Progress& progress) const;

  std::int64_t min_samples_;
  std::int64_t max_samples_;
  double min_time_ns_;
  std::vector<Progress> cases_;
};

// What the flush of a protocol amounts to on a device: the protocol's own bytes; else 16 MiB on a
// software device, whose cold times mean nothing; else twice the last-level cache; else 256 MiB.
std::uint64_t FlushBytes(const Protocol& protocol, const DeviceInfo& device);

// Fixed parts of the procedures. ProtocolNotes publishes them.
inline constexpr std::int64_t kRoundsPerGroup = 10;  // kCold: rounds between looks at the stop rule
inline constexpr std::int64_t kLeastRounds = 2;      // kCold: taken whatever the wall limit says
inline constexpr double kDoBenchWarmupNs = 25e6;     // these three are triton's defaults
inline constexpr double kDoBenchRepeatNs = 100e6;
inline constexpr int kDoBenchEstimateRuns = 5;

struct SampleSet {
  std::vector<std::vector<double>> samples_ns;  // one list per case, in the order taken
  std::string stop_reason;                      // why sampling ended
};

// A monotonic clock in nanoseconds, for the wall limit.
using WallClock = std::int64_t (*)();
std::int64_t SteadyNow();

// Runs the protocol's procedure over the cases, interleaved: one sample of each case per round.
//
// kCold, per round and case: Flush, Synchronize, Block, Start, Launch, Stop, Release, Synchronize.
// Samples are collected in small groups so that reading a timer never falls between two launches
// of a pair. `stop` ends it, or the protocol's wall limit does ("wall_limit"), but never before
// two samples of each case.
//
// kDoBench takes exactly one case and follows triton.testing.do_bench; `stop` is not asked, since
// the procedure fixes the count from its estimate.
SampleSet Sample(Sampler& sampler, std::span<PreparedCase* const> cases, const Protocol& protocol,
                 StopRule& stop, WallClock now = SteadyNow);

}  // namespace ropebench
