package main

import (
	"github.com/cloudwego/dynamicgo/testdata/kitex_gen/baseline"
	"github.com/cloudwego/frugal"
)

// kitex is what its generated structs can do.
type kitex interface {
	FastRead([]byte) (int, error)
	FastWrite([]byte) int
	BLength() int
}

// structs gives the contestants that decode into, and encode from, Go structs; new ones each time.
func structs(payload string, data []byte) []contestant {
	makeKitex := func() kitex { return new(baseline.Nesting) }
	makeFrugal := func() any { return new(Nesting) }
	if payload == "small" {
		makeKitex = func() kitex { return new(baseline.Simple) }
		makeFrugal = func() any { return new(Simple) }
	}
	kitexValue, frugalValue := makeKitex(), makeFrugal()
	must(kitexValue.FastRead(data))
	must(frugal.DecodeObject(data, frugalValue))

	kitexEncode := func() []byte {
		out := make([]byte, kitexValue.BLength())
		return out[:kitexValue.FastWrite(out)]
	}
	frugalEncode := func() []byte {
		out := make([]byte, frugal.EncodedSize(frugalValue))
		return out[:must(frugal.EncodeObject(out, nil, frugalValue))]
	}
	// Go's maps have no order, so what was written is read again.
	rereadKitex := func(bytes []byte) error {
		again := makeKitex()
		must(again.FastRead(bytes))
		return equal(again, kitexValue)
	}
	size := len(data)
	return []contestant{
		{"decode", payload, "kitex_generated", func() error { return rereadKitex(kitexEncode()) }, func() { must(makeKitex().FastRead(data)) }, size},
		{"encode", payload, "kitex_generated", func() error { return rereadKitex(kitexEncode()) }, func() { kitexEncode() }, size},
		{"decode", payload, "frugal", func() error { return rereadKitex(frugalEncode()) }, func() { must(frugal.DecodeObject(data, makeFrugal())) }, size},
		{"encode", payload, "frugal", func() error { return rereadKitex(frugalEncode()) }, func() { frugalEncode() }, size},
	}
}
