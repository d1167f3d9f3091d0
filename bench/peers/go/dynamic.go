package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"

	"github.com/cloudwego/dynamicgo/conv"
	"github.com/cloudwego/dynamicgo/conv/j2t"
	"github.com/cloudwego/dynamicgo/conv/t2j"
	"github.com/cloudwego/dynamicgo/thrift"
	"github.com/cloudwego/dynamicgo/thrift/generic"
)

const service = `
service Types {
  Simple small(1: Simple v)
  PartialSimple small_partial(1: PartialSimple v)
  Nesting medium(1: Nesting v)
  PartialNesting medium_partial(1: PartialNesting v)
  SparseNesting varied(1: SparseNesting v)
  PartialSparseNesting varied_partial(1: PartialSparseNesting v)
}`

// typeOf finds a type by way of the service: dynamicgo hands out types of arguments only.
func typeOf(services *thrift.ServiceDescriptor, function string) *thrift.TypeDescriptor {
	return must(services.LookupFunctionByMethod(function)).Request().Struct().FieldById(1).Type()
}

func servicesOf(idl string) *thrift.ServiceDescriptor {
	source := string(must(os.ReadFile(idl))) + service
	return must(thrift.NewDescritorFromContent(context.Background(), "bench.thrift", source, map[string]string{"bench.thrift": source}, false))
}

func fields(ids ...thrift.FieldID) []generic.PathNode {
	var nodes []generic.PathNode
	for _, id := range ids {
		nodes = append(nodes, generic.PathNode{Path: generic.NewPathFieldId(id)})
	}
	return nodes
}

func values(text []byte) any {
	var value any
	reader := json.NewDecoder(bytes.NewReader(text))
	reader.UseNumber()
	if err := reader.Decode(&value); err != nil {
		panic(err)
	}
	return exact(value)
}

// exact turns fractions into float64, for which spelling does not matter, and keeps integers as they are written.
func exact(value any) any {
	switch each := value.(type) {
	case map[string]any:
		for key := range each {
			each[key] = exact(each[key])
		}
	case []any:
		for i := range each {
			each[i] = exact(each[i])
		}
	case json.Number:
		if bytes.ContainsAny([]byte(each), ".eE") {
			return must(each.Float64())
		}
	}
	return value
}

func dynamic(idl, payload string, data, text []byte) []contestant {
	ctx := context.Background()
	services := servicesOf(idl)
	whole, partial := typeOf(services, payload), typeOf(services, payload+"_partial")
	root := generic.NewValue(whole, data)

	path := []generic.Path{generic.NewPathFieldId(15), generic.NewPathStrKey("15"), generic.NewPathFieldId(6)}
	many, some := fields(2, 6, 8, 11, 15), fields(2, 8, 15)
	if payload == "small" {
		path, many, some = path[2:], fields(1, 3, 6), fields(1, 3, 6)
	}
	options := &generic.Options{}
	late := root.GetByPath(path...)
	if err := root.Node.GetMany(some, options); err != nil {
		panic(err)
	}
	tree := generic.PathNode{Node: root.Node}
	if err := tree.Load(true, options); err != nil {
		panic(err)
	}
	toJSON, fromJSON := t2j.NewBinaryConv(conv.Options{}), j2t.NewBinaryConv(conv.Options{})

	setOne := func() []byte {
		value := root
		must(value.SetByPath(late, path...))
		return value.Raw()
	}
	setMany := func() []byte {
		value := root.Node
		if err := value.SetMany(some, options); err != nil {
			panic(err)
		}
		return value.Raw()
	}
	load := func(into *generic.PathNode) {
		into.ResetValue()
		into.Node = root.Node
		if err := into.Load(true, options); err != nil {
			panic(err)
		}
	}
	trim := func() []byte { return must(root.MarshalTo(partial, options)) }
	same := func(found []byte) error { return equal(values(must(toJSON.Do(ctx, whole, found))), values(text)) }
	trimmed := func() error {
		kept := values(must(toJSON.Do(ctx, partial, trim())))
		for key := range kept.(map[string]any) {
			if _, known := values(text).(map[string]any)[key]; !known {
				return equal(key, "a field of the message")
			}
		}
		return nil
	}
	got := func() error {
		if err := root.Node.GetMany(many, options); err != nil {
			return err
		}
		for _, each := range many {
			if err := equal(each.Node.Raw(), root.GetByPath(each.Path).Raw()); err != nil {
				return err
			}
		}
		return nil
	}
	loaded := func() error { return same(must(tree.Marshal(options))) }

	size := len(data)
	return []contestant{
		{"get_one", payload, "dynamicgo", func() error { return equal(len(must(root.GetByPath(path...).Binary())), 32) }, func() { must(root.GetByPath(path...).Binary()) }, size},
		{"get_many", payload, "dynamicgo", got, func() { _ = root.Node.GetMany(many, options) }, size},
		{"set_one", payload, "dynamicgo", func() error { return same(setOne()) }, func() { setOne() }, size},
		{"set_many", payload, "dynamicgo", func() error { return same(setMany()) }, func() { setMany() }, size},
		{"trim", payload, "dynamicgo", trimmed, func() { trim() }, size},
		{"load", payload, "dynamicgo", loaded, func() { load(&generic.PathNode{}) }, size},
		{"load_reuse", payload, "dynamicgo", loaded, func() { load(&tree) }, size},
		{"write", payload, "dynamicgo", loaded, func() { must(tree.Marshal(options)) }, size},
		{"thrift_to_json", payload, "dynamicgo", func() error { return same(data) }, func() { must(toJSON.Do(ctx, whole, data)) }, size},
		{"json_to_thrift", payload, "dynamicgo", func() error { return same(must(fromJSON.Do(ctx, whole, text))) }, func() { must(fromJSON.Do(ctx, whole, text)) }, len(text)},
	}
}
