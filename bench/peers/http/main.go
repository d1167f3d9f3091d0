// Requests to Thrift bytes by dynamicgo: lines of name, hex of the struct, nanoseconds of CPU time (median).
//
// usage: peers IDL REQUESTS OUT
package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	stdhttp "net/http"
	"os"
	"sort"
	"strings"
	"syscall"

	"github.com/cloudwego/dynamicgo/conv"
	"github.com/cloudwego/dynamicgo/conv/j2t"
	"github.com/cloudwego/dynamicgo/http"
	"github.com/cloudwego/dynamicgo/meta"
	"github.com/cloudwego/dynamicgo/thrift"
	_ "github.com/cloudwego/dynamicgo/thrift/annotation"
)

type request struct {
	Name, Method, Url, Body string
	Headers                 map[string]string
	PathParams              map[string]string `json:"path_params"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func cpu() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return float64(used.Utime.Nano() + used.Stime.Nano())
}

func measure(run func()) float64 {
	count := 1
	times := func() float64 {
		begin := cpu()
		for i := 0; i < count; i++ {
			run()
		}
		return cpu() - begin
	}
	for times() < 20e6 {
		count *= 2
	}
	var all []float64
	for i := 0; i < 15; i++ {
		all = append(all, times()/float64(count))
	}
	sort.Float64s(all)
	return all[len(all)/2]
}

// perform is what a server does with a request that net/http has parsed; the struct is between head and stop of the message.
func perform(of request, function *thrift.FunctionDescriptor) (func() []byte, int) {
	made := must(stdhttp.NewRequest(of.Method, of.Url, strings.NewReader(of.Body)))
	for name, value := range of.Headers {
		made.Header.Set(name, value)
	}
	var params []http.Param
	for name, value := range of.PathParams {
		params = append(params, http.Param{Key: name, Value: value})
	}
	converter := j2t.NewHTTPConv(meta.EncodingThriftBinary, function)
	body := []byte(of.Body)
	ctx := context.Background()
	return func() []byte {
		made.Body = io.NopCloser(bytes.NewReader(body))
		made.Form, made.PostForm = nil, nil
		wrapped := must(http.NewHTTPRequestFromStdReq(made, params...))
		return must(converter.Do(ctx, wrapped, conv.Options{}))
	}, 4 + 4 + len(function.Name()) + 4 + 3
}

func main() {
	var given struct{ Cases []request }
	if err := json.Unmarshal(must(os.ReadFile(os.Args[2])), &given); err != nil {
		panic(err)
	}
	service := must(thrift.NewDescritorFromPath(context.Background(), os.Args[1]))
	function := must(service.LookupFunctionByMethod("place"))
	out := must(os.Create(os.Args[3]))
	defer out.Close()
	for _, each := range given.Cases {
		run, head := perform(each, function)
		answer := run()
		fmt.Fprintf(out, "%s %s %.1f\n", each.Name, hex.EncodeToString(answer[head:len(answer)-1]), measure(func() { run() }))
	}
}
