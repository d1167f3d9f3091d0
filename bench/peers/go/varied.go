package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"

	"github.com/cloudwego/dynamicgo/conv"
	"github.com/cloudwego/dynamicgo/conv/j2t"
	"github.com/cloudwego/dynamicgo/conv/t2j"
	"github.com/cloudwego/dynamicgo/thrift"
	"github.com/cloudwego/dynamicgo/thrift/generic"
)

// frames splits what thriftlens_bench --dump wrote.
func frames(file string) [][]byte {
	var messages [][]byte
	for rest := must(os.ReadFile(file)); len(rest) > 0; {
		size := binary.BigEndian.Uint32(rest)
		messages, rest = append(messages, rest[4:4+size]), rest[4+size:]
	}
	return messages
}

// varied is dynamicgo on messages in turn, in which fields come and go; the first message has all of them.
type varied struct {
	ctx            context.Context
	whole, partial *thrift.TypeDescriptor
	roots          []generic.Value
	texts          [][]byte
	at, size       int
	options        *generic.Options
	path           []generic.Path
	many, donated  []generic.PathNode
	late           generic.Value
	toJSON         t2j.BinaryConv
	fromJSON       j2t.BinaryConv
}

func newVaried(idl, folder, payload string) *varied {
	services := servicesOf(idl)
	work := &varied{
		ctx:      context.Background(),
		whole:    typeOf(services, "varied"),
		partial:  typeOf(services, "varied_partial"),
		texts:    bytes.Split(bytes.TrimSuffix(must(os.ReadFile(folder+"/"+payload+".jsonl")), []byte("\n")), []byte("\n")),
		options:  &generic.Options{ClearDirtyValues: true},
		path:     []generic.Path{generic.NewPathFieldId(15), generic.NewPathStrKey("15"), generic.NewPathFieldId(6)},
		many:     fields(2, 6, 8, 11, 15),
		donated:  fields(2, 8, 15),
		toJSON:   t2j.NewBinaryConv(conv.Options{}),
		fromJSON: j2t.NewBinaryConv(conv.Options{}),
	}
	for _, data := range frames(folder + "/" + payload + ".frames") {
		work.roots = append(work.roots, generic.NewValue(work.whole, data))
		work.size += len(data)
	}
	work.size /= len(work.roots)
	if err := work.roots[0].Node.GetMany(work.donated, work.options); err != nil {
		panic(err)
	}
	work.late = generic.Value{Node: generic.NewNodeBinary(make([]byte, 32)), Desc: work.whole.Struct().FieldById(11).Type()}
	return work
}

func (work *varied) next() int {
	work.at = (work.at + 1) % len(work.roots)
	return work.at
}

func (work *varied) setOne(i int) []byte {
	value := work.roots[i]
	if _, err := value.SetByPath(work.late, work.path...); err != nil {
		return append([]byte(nil), value.Raw()...) // no entry to change
	}
	return value.Raw()
}

func (work *varied) setMany(i int) []byte {
	value := work.roots[i].Node
	if err := value.SetMany(work.donated, work.options); err != nil {
		panic(err)
	}
	return value.Raw()
}

func (work *varied) getMany(i int) []generic.PathNode {
	if err := work.roots[i].Node.GetMany(work.many, work.options); err != nil {
		panic(err)
	}
	return work.many
}

func (work *varied) checkGetMany(i int) error {
	for _, each := range work.getMany(i) {
		var found []byte
		if !each.Node.IsEmpty() {
			found = each.Node.Raw()
		}
		if err := equal(found, work.roots[i].GetByPath(each.Path).Raw()); err != nil {
			return err
		}
	}
	return nil
}

func (work *varied) checkSetOne(i int) error {
	after := generic.NewValue(work.whole, work.setOne(i)).GetByPath(work.path...)
	if work.roots[i].GetByPath(work.path[:2]...).IsError() {
		return equal(after.IsError(), true)
	}
	written, err := after.Binary()
	if err != nil {
		return err // an absent field was not added
	}
	return equal(written, make([]byte, 32))
}

func (work *varied) checkSetMany(i int) error {
	after := generic.NewValue(work.whole, work.setMany(i))
	for _, each := range work.donated {
		if err := equal(after.GetByPath(each.Path).Raw(), each.Node.Raw()); err != nil {
			return err
		}
	}
	return nil
}

func (work *varied) checkTrim(i int) error {
	kept := values(must(work.toJSON.Do(work.ctx, work.partial, must(work.roots[i].MarshalTo(work.partial, work.options)))))
	all := values(work.texts[i]).(map[string]any)
	for key := range kept.(map[string]any) {
		if _, known := all[key]; !known {
			return errors.New("a field is not of the message")
		}
	}
	return nil
}

func (work *varied) checkToJSON(i int) error {
	return equal(values(must(work.toJSON.Do(work.ctx, work.whole, work.roots[i].Raw()))), values(work.texts[i]))
}

func (work *varied) checkFromJSON(i int) error {
	written := must(work.fromJSON.Do(work.ctx, work.whole, work.texts[i]))
	return equal(values(must(work.toJSON.Do(work.ctx, work.whole, written))), values(work.texts[i]))
}

func (work *varied) contestants(payload string) []contestant {
	enter := func(task string, check func(int) error, run func(int)) contestant {
		all := func() error {
			for i := range work.roots {
				if err := check(i); err != nil {
					return err
				}
			}
			return nil
		}
		return contestant{task, payload, "dynamicgo", all, func() { run(work.next()) }, work.size}
	}
	got := func(i int) error {
		value := work.roots[i].GetByPath(work.path...)
		return equal(value.IsError() || len(must(value.Binary())) >= 0, true)
	}
	return []contestant{
		enter("get_one", got, func(i int) { work.roots[i].GetByPath(work.path...) }),
		enter("get_many", work.checkGetMany, func(i int) { work.getMany(i) }),
		enter("set_one", work.checkSetOne, func(i int) { work.setOne(i) }),
		enter("set_many", work.checkSetMany, func(i int) { work.setMany(i) }),
		enter("trim", work.checkTrim, func(i int) { must(work.roots[i].MarshalTo(work.partial, work.options)) }),
		enter("thrift_to_json", work.checkToJSON, func(i int) { must(work.toJSON.Do(work.ctx, work.whole, work.roots[i].Raw())) }),
		enter("json_to_thrift", work.checkFromJSON, func(i int) { must(work.fromJSON.Do(work.ctx, work.whole, work.texts[i])) }),
	}
}
