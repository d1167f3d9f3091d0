// Apache Thrift's Node library: peer.js server|client PORT TRANSPORT PROTOCOL CERTIFICATES.
const assert = require("assert");
const fs = require("fs");
const thrift = require("thrift");
const Full = require("./gen-nodejs/Full");
const types = require("./gen-nodejs/peers_types");

const [role, port, transport, protocol, certificates] = process.argv.slice(2);
const wrap = transport === "framed" ? thrift.TFramedTransport : thrift.TBufferedTransport; // header: its protocol frames
const wireProtocol = transport === "header" ? thrift.THeaderProtocol : protocol === "compact" ? thrift.TCompactProtocol : thrift.TBinaryProtocol;
const read = (name) => fs.readFileSync(`${certificates}/${name}`);

const handler = {
  echo: (value, done) => done(null, value),
  hello: (name, done) => done(null, "hello " + name),
  crash: (reason, done) => done(new thrift.Thrift.TApplicationException(thrift.Thrift.TApplicationExceptionType.INTERNAL_ERROR, reason)),
  note: () => {},
  nothing: (done) => done(null),
  add: (a, b, done) => done(null, new thrift.Int64(a.toNumber() + b.toNumber())),
  refuse: (reason, code, done) => done(new types.Refused({ reason, code })),
};

function serve() {
  const options = { transport: wrap, protocol: wireProtocol };
  if (transport === "http") {
    thrift.createWebServer({ services: { "/": { transport: wrap, protocol: wireProtocol, processor: Full, handler } } }).listen(port, "127.0.0.1");
    return;
  }
  if (transport === "ssl") options.tls = { key: read("server.key"), cert: read("server.pem") };
  let server;
  if (transport === "multiplexed") {
    const several = new thrift.MultiplexedProcessor();
    several.registerProcessor("Full", new Full.Processor(handler));
    server = thrift.createMultiplexServer(several, options);
  } else {
    server = thrift.createServer(Full, handler, options);
  }
  server.on("error", (error) => console.error(String(error)));
  server.listen(port, "127.0.0.1");
}

async function call() {
  const options = { transport: wrap, protocol: wireProtocol };
  let connection;
  if (transport === "http") connection = thrift.createHttpConnection("127.0.0.1", port, { ...options, path: "/", headers: {} });
  else if (transport === "ssl") connection = thrift.createSSLConnection("127.0.0.1", port, { ...options, ca: read("ca.pem"), servername: "localhost" });
  else connection = thrift.createConnection("127.0.0.1", port, options);
  connection.on("error", (error) => { console.error(String(error)); process.exit(1); });
  const client = transport === "multiplexed" ? new thrift.Multiplexer().createClient("Full", Full, connection)
    : transport === "http" ? thrift.createHttpClient(Full, connection) : thrift.createClient(Full, connection);
  const point = (x, y, label) => new types.Point({ x, y, label });
  const value = new types.Value({
    yes: true, tiny: -3, small: 300, number: -70000, large: new thrift.Int64("0000010000000000"), real: 1.5, text: "größer", raw: Buffer.from([0, 255]),
    colour: types.Colour.BLUE, points: [point(1, 2), point(3, 4, "p")], numbers: [1, 2, 3], by_name: { a: point(0, 0) },
  });
  const back = await client.echo(value);
  for (const name of ["yes", "tiny", "small", "number", "real", "text", "colour"]) assert.strictEqual(back[name], value[name], name);
  assert.strictEqual(back.large.toString(), value.large.toString());
  assert.deepStrictEqual([...back.raw], [0, 255]);
  assert.deepStrictEqual(back.points.map((each) => [each.x, each.y, each.label || ""]), [[1, 2, ""], [3, 4, "p"]]);
  assert.deepStrictEqual([...back.numbers].sort(), [1, 2, 3]);
  assert.strictEqual(back.by_name.a.x, 0);
  assert.strictEqual(await client.hello("Zoe"), "hello Zoe");
  await assert.rejects(client.crash("why"), (error) => /why/.test(error.message));
  client.note("a");
  assert.strictEqual(await client.hello("again"), "hello again");
  await client.nothing();
  assert.strictEqual((await client.add(2, 40)).toNumber(), 42);
  await assert.rejects(client.refuse("no", 7), (error) => error.reason === "no" && error.code === 7);
  process.exit(0);
}

if (role === "server") serve();
else call().catch((error) => { console.error(error); process.exit(1); });
