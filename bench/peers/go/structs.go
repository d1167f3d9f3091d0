package main

// What Frugal works on: the structs of idl/bench.thrift with its tags.

type Simple struct {
	ByteField   int8    `frugal:"1,default,i8"`
	I64Field    int64   `frugal:"2,default,i64"`
	DoubleField float64 `frugal:"3,default,double"`
	I32Field    int32   `frugal:"4,default,i32"`
	StringField string  `frugal:"5,default,string"`
	BinaryField []byte  `frugal:"6,default,binary"`
}

type Nesting struct {
	String          string             `frugal:"1,default,string"`
	ListSimple      []*Simple          `frugal:"2,default,list<Simple>"`
	Double          float64            `frugal:"3,default,double"`
	I32             int32              `frugal:"4,default,i32"`
	ListI32         []int32            `frugal:"5,default,list<i32>"`
	I64             int64              `frugal:"6,default,i64"`
	MapStringString map[string]string  `frugal:"7,default,map<string:string>"`
	SimpleStruct    *Simple            `frugal:"8,default,Simple"`
	MapI32I64       map[int32]int64    `frugal:"9,default,map<i32:i64>"`
	ListString      []string           `frugal:"10,default,list<string>"`
	Binary          []byte             `frugal:"11,default,binary"`
	MapI64String    map[int64]string   `frugal:"12,default,map<i64:string>"`
	ListI64         []int64            `frugal:"13,default,list<i64>"`
	Byte            int8               `frugal:"14,default,i8"`
	MapStringSimple map[string]*Simple `frugal:"15,default,map<string:Simple>"`
}
