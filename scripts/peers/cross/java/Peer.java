// Apache Thrift's Java library: Peer server|client PORT TRANSPORT PROTOCOL CERTIFICATES. Header is not part of it.
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TMultiplexedProcessor;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TMultiplexedProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.transport.THttpClient;
import org.apache.thrift.transport.TIOStreamTransport;
import org.apache.thrift.transport.TSSLTransportFactory;
import org.apache.thrift.transport.TServerSocket;
import org.apache.thrift.transport.TServerTransport;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportFactory;
import org.apache.thrift.transport.layered.TFramedTransport;

public class Peer {
  static class Handler implements Full.Iface {
    public Value echo(Value value) { return value; }
    public String hello(String name) { return "hello " + name; }
    public String crash(String reason) throws TApplicationException {
      throw new TApplicationException(TApplicationException.INTERNAL_ERROR, reason);
    }
    public void note(String text) {}
    public void nothing() {}
    public long add(long a, long b) { return a + b; }
    public Point refuse(String reason, int code) throws Refused {
      Refused refused = new Refused();
      refused.reason = reason;
      refused.setCode(code);
      throw refused;
    }
  }

  static void check(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }

  static TProtocolFactory protocols(String protocol) {
    return protocol.equals("compact") ? new TCompactProtocol.Factory() : new TBinaryProtocol.Factory();
  }

  static void serve(int port, String transport, String protocol, String certificates) throws Exception {
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", port);
    TProcessor processor = new Full.Processor<>(new Handler());
    if (transport.equals("http")) {
      HttpServer server = HttpServer.create(address, 0);
      final TProcessor served = processor;
      server.createContext("/", exchange -> {
        java.io.ByteArrayOutputStream body = new java.io.ByteArrayOutputStream();
        try {
          TProtocol wire = protocols(protocol).getProtocol(new TIOStreamTransport(exchange.getRequestBody(), body));
          served.process(wire, wire);
          exchange.getResponseHeaders().set("Content-Type", "application/x-thrift");
          exchange.sendResponseHeaders(200, body.size() == 0 ? -1 : body.size());
          exchange.getResponseBody().write(body.toByteArray());
        } catch (org.apache.thrift.TException error) {
          exchange.sendResponseHeaders(500, -1);
        }
        exchange.close();
      });
      server.start();
      return;
    }
    if (transport.equals("multiplexed")) {
      TMultiplexedProcessor several = new TMultiplexedProcessor();
      several.registerProcessor("Full", processor);
      processor = several;
    }
    TServerTransport socket;
    if (transport.equals("ssl")) {
      TSSLTransportFactory.TSSLTransportParameters parameters = new TSSLTransportFactory.TSSLTransportParameters();
      parameters.setKeyStore(certificates + "/server.p12", "thrift", "SunX509", "PKCS12");
      socket = TSSLTransportFactory.getServerSocket(port, 0, InetAddress.getByName("127.0.0.1"), parameters);
    } else {
      socket = new TServerSocket(address);
    }
    TTransportFactory wrap = transport.equals("framed") ? new TFramedTransport.Factory() : new TTransportFactory();
    new TThreadPoolServer(new TThreadPoolServer.Args(socket).processor(processor).transportFactory(wrap).protocolFactory(protocols(protocol))).serve();
  }

  static TTransport open(int port, String transport, String certificates) throws Exception {
    if (transport.equals("http")) return new THttpClient("http://127.0.0.1:" + port + "/");
    if (transport.equals("ssl")) {
      TSSLTransportFactory.TSSLTransportParameters parameters = new TSSLTransportFactory.TSSLTransportParameters();
      parameters.setTrustStore(certificates + "/ca.p12", "thrift", "PKIX", "PKCS12");
      return TSSLTransportFactory.getClientSocket("127.0.0.1", port, 0, parameters);
    }
    TSocket socket = new TSocket("127.0.0.1", port);
    return transport.equals("framed") ? new TFramedTransport(socket) : socket;
  }

  static Point point(int x, int y) { return new Point(x, y); }

  static void call(int port, String transport, String protocol, String certificates) throws Exception {
    TTransport wire = open(port, transport, certificates);
    if (!wire.isOpen()) wire.open();
    TProtocol spoken = protocols(protocol).getProtocol(wire);
    Full.Client client = new Full.Client(transport.equals("multiplexed") ? new TMultiplexedProtocol(spoken, "Full") : spoken);
    Value value = new Value();
    value.setYes(true);
    value.setTiny((byte) -3);
    value.setSmall((short) 300);
    value.setNumber(-70000);
    value.setLarge(1L << 40);
    value.setReal(1.5);
    value.setText("größer");
    value.setRaw(ByteBuffer.wrap(new byte[] {0, (byte) 0xFF}));
    value.setColour(Colour.BLUE);
    value.setPoints(Arrays.asList(point(1, 2), point(3, 4).setLabel("p")));
    value.setNumbers(new HashSet<>(Arrays.asList(1, 2, 3)));
    value.setBy_name(Collections.singletonMap("a", point(0, 0)));
    check(client.echo(value).equals(value), "echo");
    check(client.hello("Zoe").equals("hello Zoe"), "hello");
    try {
      client.crash("why");
      check(false, "crash answered");
    } catch (TApplicationException error) {
      check(error.getMessage().contains("why"), error.getMessage());
    }
    client.note("a");
    check(client.hello("again").equals("hello again"), "hello after oneway");
    client.nothing();
    check(client.add(2, 40) == 42, "add");
    try {
      client.refuse("no", 7);
      check(false, "refuse answered");
    } catch (Refused refused) {
      check(refused.reason.equals("no") && refused.code == 7, "refuse");
    }
    wire.close();
  }

  public static void main(String[] words) throws Exception {
    int port = Integer.parseInt(words[1]);
    if (words[0].equals("server")) serve(port, words[2], words[3], words[4]);
    else call(port, words[2], words[3], words[4]);
  }
}
