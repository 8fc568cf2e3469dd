foreach(unit nearest_name protocols bench_case suite_config)
  ropebench_test(${unit}_test SOURCES ${unit}_test.cc LINKS ropebench_benchmarks)
endforeach()
