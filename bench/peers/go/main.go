// The tasks of the benchmark by dynamicgo, Frugal and Kitex's generated codec (as dynamicgo's own samples have it), CPU time.
//
// usage: peers IDL PAYLOADS OUT [--quick]
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"sort"
	"syscall"
	"time"
)

type contestant struct {
	task, payload, name string
	check               func() error // whether the answer is right; called before anything is timed
	run                 func()
	bytes               int
}

type measured struct {
	Name   string  `json:"name"`
	CPU    float64 `json:"cpu_time"`
	Real   float64 `json:"real_time"`
	Unit   string  `json:"time_unit"`
	Allocs float64 `json:"allocs"`
	Speed  float64 `json:"bytes_per_second"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func cpu() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func times(run func(), count int) time.Duration {
	begin := cpu()
	for i := 0; i < count; i++ {
		run()
	}
	return cpu() - begin
}

// measure returns the median of nanoseconds and the allocations of one run; the collector's time counts.
func measure(run func(), repetitions int, least time.Duration) (float64, float64) {
	count := 1
	for times(run, count) < least {
		count *= 2
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var all []float64
	for i := 0; i < repetitions; i++ {
		all = append(all, float64(times(run, count))/float64(count))
	}
	runtime.ReadMemStats(&after)
	sort.Float64s(all)
	return all[len(all)/2], float64(after.Mallocs-before.Mallocs) / float64(repetitions*count)
}

func equal(found, wanted any) error {
	if reflect.DeepEqual(found, wanted) {
		return nil
	}
	return fmt.Errorf("its answer differs")
}

func main() {
	idl, payloads, out := os.Args[1], os.Args[2], os.Args[3]
	repetitions, least := 9, 50*time.Millisecond
	if len(os.Args) > 4 && os.Args[4] == "--quick" {
		repetitions, least = 3, 10*time.Millisecond
	}
	var all []contestant
	for _, payload := range []string{"small", "medium"} {
		data, text := must(os.ReadFile(payloads+"/"+payload+".bin")), must(os.ReadFile(payloads+"/"+payload+".json"))
		all = append(append(all, dynamic(idl, payload, data, text)...), structs(payload, data)...)
	}
	for _, payload := range []string{"varied_0", "varied_10", "medium_varied", "varied_50"} {
		all = append(all, newVaried(idl, payloads, payload).contestants(payload)...)
	}
	var results []measured
	for _, each := range all {
		name := each.task + "/" + each.payload + "/" + each.name
		if err := each.check(); err != nil {
			fmt.Fprintf(os.Stderr, "NOT TIMED %s: %v\n", name, err)
			continue
		}
		ns, allocs := measure(each.run, repetitions, least)
		results = append(results, measured{name, ns, ns, "ns", allocs, float64(each.bytes) / ns * 1e9})
		fmt.Printf("%s: %.0f ns, %.0f allocations\n", name, ns, allocs)
	}
	made := must(json.MarshalIndent(map[string]any{"benchmarks": results}, "", " "))
	if err := os.WriteFile(out, made, 0o644); err != nil {
		panic(err)
	}
}
