// An Apache Thrift server of service Full of peers.thrift: server ADDRESS framed|buffered compact|binary|header.
package main

import (
	"context"
	"errors"
	"log"
	"os"

	"github.com/apache/thrift/lib/go/thrift"

	"apachego/gen-go/peers"
)

type full struct{}

func (full) Echo(_ context.Context, value *peers.Value) (*peers.Value, error) { return value, nil }

func (full) Hello(_ context.Context, name string) (string, error) { return "hello " + name, nil }

func (full) Crash(_ context.Context, reason string) (string, error) { return "", errors.New(reason) }

func (full) Note(context.Context, string) error { return nil }

func (full) Nothing(context.Context) error { return nil }

func (full) Add(_ context.Context, a, b int64) (int64, error) { return a + b, nil }

func (full) Refuse(_ context.Context, reason string, code int32) (*peers.Point, error) {
	return nil, &peers.Refused{Reason: reason, Code: code}
}

func main() {
	socket, err := thrift.NewTServerSocket(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	configuration := &thrift.TConfiguration{}
	var transports thrift.TTransportFactory = thrift.NewTBufferedTransportFactory(8192)
	var protocols thrift.TProtocolFactory = thrift.NewTBinaryProtocolFactoryConf(configuration)
	if os.Args[2] == "framed" {
		transports = thrift.NewTFramedTransportFactoryConf(thrift.NewTTransportFactory(), configuration)
	}
	switch os.Args[3] {
	case "compact":
		protocols = thrift.NewTCompactProtocolFactoryConf(configuration)
	case "header":
		transports = thrift.NewTHeaderTransportFactoryConf(thrift.NewTTransportFactory(), configuration)
		protocols = thrift.NewTHeaderProtocolFactoryConf(configuration)
	}
	server := thrift.NewTSimpleServer4(peers.NewFullProcessor(full{}), socket, transports, protocols)
	if err := server.Serve(); err != nil {
		log.Fatal(err)
	}
}
