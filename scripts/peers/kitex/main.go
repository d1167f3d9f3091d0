// A Kitex server of service Single of peers.thrift, by its generic call with JSON: server ADDRESS IDL.
// It tells buffered, framed and TTHeader apart by itself.
package main

import (
	"context"
	"errors"
	"log"
	"net"
	"os"

	_ "github.com/bytedance/sonic" // these two for their versions alone: the older ones do not link with new Go
	_ "github.com/cloudwego/dynamicgo/meta"
	"github.com/cloudwego/kitex/pkg/generic"
	"github.com/cloudwego/kitex/pkg/klog"
	"github.com/cloudwego/kitex/server"
	"github.com/cloudwego/kitex/server/genericserver"
)

type single struct{}

// GenericCall gets the argument of a call as JSON, a string as it is, and answers likewise.
func (*single) GenericCall(_ context.Context, method string, request interface{}) (interface{}, error) {
	argument, _ := request.(string)
	switch method {
	case "echo":
		return argument, nil
	case "hello":
		return "hello " + argument, nil
	case "note":
		return nil, nil
	}
	return nil, errors.New(argument)
}

func main() {
	klog.SetLevel(klog.LevelWarn)
	address, err := net.ResolveTCPAddr("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	option := generic.WithIDLServiceName("Single")
	provider, err := generic.NewThriftFileProviderWithOption(os.Args[2], []generic.ThriftIDLProviderOption{option})
	if err != nil {
		log.Fatal(err)
	}
	service, err := generic.JSONThriftGeneric(provider)
	if err != nil {
		log.Fatal(err)
	}
	if err := genericserver.NewServer(&single{}, service, server.WithServiceAddr(address)).Run(); err != nil {
		log.Fatal(err)
	}
}
