// Apache Thrift's Go library: server|client PORT TRANSPORT PROTOCOL [CERTIFICATES], service Full of peers.thrift.
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log"
	"net/http"
	"os"
	"reflect"
	"strings"

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

type options struct{ address, transport, protocol, certificates string }

func (of options) configuration() *thrift.TConfiguration {
	id := thrift.THeaderProtocolBinary
	if of.protocol == "compact" {
		id = thrift.THeaderProtocolCompact
	}
	configuration := &thrift.TConfiguration{THeaderProtocolID: &id}
	if of.transport == "ssl" {
		configuration.TLSConfig = of.tls()
	}
	return configuration
}

func (of options) tls() *tls.Config {
	authority, err := os.ReadFile(of.certificates + "/ca.pem")
	fail(err)
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(authority)
	pair, err := tls.LoadX509KeyPair(of.certificates+"/server.pem", of.certificates+"/server.key")
	fail(err)
	return &tls.Config{RootCAs: trusted, Certificates: []tls.Certificate{pair}, ServerName: "localhost"}
}

func (of options) protocols() thrift.TProtocolFactory {
	if of.transport == "header" {
		return thrift.NewTHeaderProtocolFactoryConf(of.configuration())
	}
	if of.protocol == "compact" {
		return thrift.NewTCompactProtocolFactoryConf(of.configuration())
	}
	return thrift.NewTBinaryProtocolFactoryConf(of.configuration())
}

func (of options) transports() thrift.TTransportFactory {
	switch of.transport {
	case "framed":
		return thrift.NewTFramedTransportFactoryConf(thrift.NewTTransportFactory(), of.configuration())
	case "header":
		return thrift.NewTHeaderTransportFactoryConf(thrift.NewTTransportFactory(), of.configuration())
	}
	return thrift.NewTBufferedTransportFactory(8192)
}

func fail(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func serve(of options) {
	var processor thrift.TProcessor = peers.NewFullProcessor(full{})
	if of.transport == "http" {
		http.HandleFunc("/", thrift.NewThriftHandlerFunc(processor, of.protocols(), of.protocols()))
		fail(http.ListenAndServe(of.address, nil))
	}
	if of.transport == "multiplexed" {
		several := thrift.NewTMultiplexedProcessor()
		several.RegisterProcessor("Full", processor)
		processor = several
	}
	var socket thrift.TServerTransport
	var err error
	if of.transport == "ssl" {
		socket, err = thrift.NewTSSLServerSocket(of.address, of.tls())
	} else {
		socket, err = thrift.NewTServerSocket(of.address)
	}
	fail(err)
	fail(thrift.NewTSimpleServer4(processor, socket, of.transports(), of.protocols()).Serve())
}

func (of options) client() *peers.FullClient {
	var wire thrift.TTransport
	var err error
	switch of.transport {
	case "http":
		wire, err = thrift.NewTHttpClient("http://" + of.address + "/")
	case "ssl":
		wire, err = of.transports().GetTransport(thrift.NewTSSLSocketConf(of.address, of.configuration()))
	default:
		wire, err = of.transports().GetTransport(thrift.NewTSocketConf(of.address, of.configuration()))
	}
	fail(err)
	fail(wire.Open())
	in, out := of.protocols().GetProtocol(wire), of.protocols().GetProtocol(wire)
	if of.transport == "header" {
		out = in
	}
	if of.transport == "multiplexed" {
		out = thrift.NewTMultiplexedProtocol(out, "Full")
	}
	return peers.NewFullClient(thrift.NewTStandardClient(in, out))
}

func check(holds bool, what string) {
	if !holds {
		log.Fatal("wrong: " + what)
	}
}

func call(of options) {
	client, ctx, label := of.client(), context.Background(), "p"
	value := &peers.Value{Yes: true, Tiny: -3, Small: 300, Number: -70000, Large: 1 << 40, Real: 1.5, Text: "größer", Raw: []byte{0, 255}, Colour: peers.Colour_BLUE,
		Points: []*peers.Point{{X: 1, Y: 2}, {X: 3, Y: 4, Label: &label}}, Numbers: []int32{1, 2, 3}, ByName: map[string]*peers.Point{"a": {}}}
	back, err := client.Echo(ctx, value)
	fail(err)
	check(bytes.Equal(back.Raw, value.Raw) && len(back.Numbers) == 3, "echo of a set and binary")
	back.Numbers = value.Numbers // a server may write a set in another order
	check(reflect.DeepEqual(back, value), "echo")
	text, err := client.Hello(ctx, "Zoe")
	fail(err)
	check(text == "hello Zoe", "hello")
	_, err = client.Crash(ctx, "why")
	check(err != nil && strings.Contains(err.Error(), "why"), "crash")
	fail(client.Note(ctx, "a"))
	text, err = client.Hello(ctx, "again")
	fail(err)
	check(text == "hello again", "hello after oneway")
	fail(client.Nothing(ctx))
	sum, err := client.Add(ctx, 2, 40)
	fail(err)
	check(sum == 42, "add")
	_, err = client.Refuse(ctx, "no", 7)
	var refused *peers.Refused
	check(errors.As(err, &refused) && refused.Reason == "no" && refused.Code == 7, "refuse")
}

func main() {
	of := options{address: "127.0.0.1:" + os.Args[2], transport: os.Args[3], protocol: os.Args[4]}
	if len(os.Args) > 5 {
		of.certificates = os.Args[5]
	}
	if os.Args[1] == "server" {
		serve(of)
	} else {
		call(of)
	}
}
