// The same by Hertz and dynamicgo: gateway IDL UPSTREAM ADDRESS. Connections to the upstream are kept; messages are framed.
package main

import (
	"context"
	"encoding/binary"
	"io"
	"log"
	"net"
	"os"

	"github.com/cloudwego/dynamicgo/conv"
	"github.com/cloudwego/dynamicgo/conv/j2t"
	"github.com/cloudwego/dynamicgo/conv/t2j"
	dynamic "github.com/cloudwego/dynamicgo/http"
	"github.com/cloudwego/dynamicgo/meta"
	"github.com/cloudwego/dynamicgo/thrift"
	_ "github.com/cloudwego/dynamicgo/thrift/annotation"
	"github.com/cloudwego/hertz/pkg/app"
	"github.com/cloudwego/hertz/pkg/app/server"
	"github.com/cloudwego/hertz/pkg/common/hlog"
)

// request is what dynamicgo asks of a request, and of an answer.
type request struct{ *app.RequestContext }

func (r request) GetMethod() string             { return string(r.Method()) }
func (r request) GetHost() string               { return string(r.Host()) }
func (r request) GetUri() string                { return string(r.URI().FullURI()) }
func (r request) GetQuery(key string) string    { return r.Query(key) }
func (r request) GetHeader(key string) string   { return string(r.Request.Header.Peek(key)) }
func (r request) GetCookie(key string) string   { return string(r.Cookie(key)) }
func (r request) GetBody() []byte               { return r.Request.Body() }
func (r request) GetPath() string               { return string(r.Path()) }
func (r request) GetParam(key string) string    { return r.Param(key) }
func (r request) GetMapBody(key string) string  { return "" }
func (r request) GetPostForm(key string) string { return "" }

func (r request) SetStatusCode(code int) error      { r.RequestContext.SetStatusCode(code); return nil }
func (r request) SetHeader(key, value string) error { r.Header(key, value); return nil }
func (r request) SetCookie(key, value string) error { return nil }
func (r request) SetRawBody(body []byte) error {
	r.Response.Header.SetContentType("application/json")
	r.Response.SetBody(body)
	return nil
}

var idle = make(chan net.Conn, 64)

func exchange(upstream string, message []byte) ([]byte, error) {
	var connection net.Conn
	select {
	case connection = <-idle:
	default:
		made, err := net.Dial("tcp", upstream)
		if err != nil {
			return nil, err
		}
		connection = made
	}
	framed := binary.BigEndian.AppendUint32(make([]byte, 0, len(message)+4), uint32(len(message)))
	if _, err := connection.Write(append(framed, message...)); err != nil {
		return nil, err
	}
	var size [4]byte
	if _, err := io.ReadFull(connection, size[:]); err != nil {
		return nil, err
	}
	reply := make([]byte, binary.BigEndian.Uint32(size[:]))
	if _, err := io.ReadFull(connection, reply); err != nil {
		return nil, err
	}
	idle <- connection
	return reply, nil
}

func handler(function *thrift.FunctionDescriptor, upstream string) app.HandlerFunc {
	in := j2t.NewHTTPConv(meta.EncodingThriftBinary, function)
	out := t2j.NewHTTPConv(meta.EncodingThriftBinary, function)
	options := conv.Options{EnableHttpMapping: true}
	return func(ctx context.Context, c *app.RequestContext) {
		message, err := in.Do(ctx, request{c}, options)
		if err == nil {
			message, err = exchange(upstream, message)
		}
		if err == nil {
			err = out.Do(ctx, request{c}, message, options)
		}
		if err != nil {
			c.String(500, err.Error())
		}
	}
}

var _ dynamic.RequestGetter = request{}

func main() {
	hlog.SetLevel(hlog.LevelFatal)
	service, err := thrift.NewDescritorFromPath(context.Background(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	find, _ := service.LookupFunctionByMethod("find")
	place, _ := service.LookupFunctionByMethod("place")
	h := server.New(server.WithHostPorts(os.Args[3]))
	h.GET("/orders/:id", handler(find, os.Args[2]))
	h.POST("/orders", handler(place, os.Args[2]))
	h.Spin()
}
