//! Apache Thrift's Rust library: peer server|client PORT TRANSPORT PROTOCOL. It has neither header, HTTP nor TLS.
mod peers;

use peers::*;
use std::collections::{BTreeMap, BTreeSet};
use thrift::protocol::*;
use thrift::server::{TMultiplexedProcessor, TServer};
use thrift::transport::*;
use thrift::{ApplicationError, ApplicationErrorKind, OrderedFloat};

struct Handler;

impl SingleSyncHandler for Handler {
    fn handle_echo(&self, value: Value) -> thrift::Result<Value> {
        Ok(value)
    }
    fn handle_hello(&self, name: String) -> thrift::Result<String> {
        Ok(format!("hello {name}"))
    }
    fn handle_crash(&self, reason: String) -> thrift::Result<String> {
        Err(thrift::Error::Application(ApplicationError::new(ApplicationErrorKind::InternalError, reason)))
    }
    fn handle_note(&self, _text: String) -> thrift::Result<()> {
        Ok(())
    }
}

impl FullSyncHandler for Handler {
    fn handle_nothing(&self) -> thrift::Result<()> {
        Ok(())
    }
    fn handle_add(&self, a: i64, b: i64) -> thrift::Result<i64> {
        Ok(a + b)
    }
    fn handle_refuse(&self, reason: String, code: i32) -> thrift::Result<Point> {
        Err(thrift::Error::from(Refused::new(reason, code)))
    }
}

fn input_protocols(protocol: &str) -> Box<dyn TInputProtocolFactory + Send> {
    match protocol {
        "compact" => Box::new(TCompactInputProtocolFactory::new()),
        _ => Box::new(TBinaryInputProtocolFactory::new()),
    }
}

fn output_protocols(protocol: &str) -> Box<dyn TOutputProtocolFactory + Send> {
    match protocol {
        "compact" => Box::new(TCompactOutputProtocolFactory::new()),
        _ => Box::new(TBinaryOutputProtocolFactory::new()),
    }
}

// TServer wants factories of known types.
macro_rules! listen {
    ($address:expr, $processor:expr, $read:expr, $write:expr, $protocol:expr) => {
        if $protocol == "compact" {
            TServer::new($read, TCompactInputProtocolFactory::new(), $write, TCompactOutputProtocolFactory::new(), $processor, 4).listen($address)
        } else {
            TServer::new($read, TBinaryInputProtocolFactory::new(), $write, TBinaryOutputProtocolFactory::new(), $processor, 4).listen($address)
        }
    };
}

fn serve(address: &str, transport: &str, protocol: &str) -> thrift::Result<()> {
    let processor = FullSyncProcessor::new(Handler);
    match transport {
        "framed" => listen!(address, processor, TFramedReadTransportFactory::new(), TFramedWriteTransportFactory::new(), protocol),
        "multiplexed" => {
            let mut several = TMultiplexedProcessor::new();
            several.register("Full", Box::new(processor), false)?;
            listen!(address, several, TBufferedReadTransportFactory::new(), TBufferedWriteTransportFactory::new(), protocol)
        }
        _ => listen!(address, processor, TBufferedReadTransportFactory::new(), TBufferedWriteTransportFactory::new(), protocol),
    }
}

fn call(address: &str, transport: &str, protocol: &str) -> thrift::Result<()> {
    let mut channel = TTcpChannel::new();
    channel.open(address)?;
    let (read, write) = channel.split()?;
    let (read, write): (Box<dyn TReadTransport + Send>, Box<dyn TWriteTransport + Send>) = if transport == "framed" {
        (Box::new(TFramedReadTransport::new(read)), Box::new(TFramedWriteTransport::new(write)))
    } else {
        (Box::new(TBufferedReadTransport::new(read)), Box::new(TBufferedWriteTransport::new(write)))
    };
    let input = input_protocols(protocol).create(read);
    let output = output_protocols(protocol).create(write);
    if transport == "multiplexed" {
        check(&mut FullSyncClient::new(input, TMultiplexedOutputProtocol::new("Full", output)))
    } else {
        check(&mut FullSyncClient::new(input, output))
    }
}

fn check<C: TFullSyncClient + TSingleSyncClient>(client: &mut C) -> thrift::Result<()> {
    let value = Value {
        yes: Some(true),
        tiny: Some(-3),
        small: Some(300),
        number: Some(-70000),
        large: Some(1 << 40),
        real: Some(OrderedFloat::from(1.5)),
        text: Some("größer".into()),
        raw: Some(vec![0, 255]),
        colour: Some(Colour::BLUE),
        points: Some(vec![Point::new(1, 2, None), Point::new(3, 4, "p".to_string())]),
        numbers: Some(BTreeSet::from([1, 2, 3])),
        by_name: Some(BTreeMap::from([("a".to_string(), Point::new(0, 0, None))])),
        absent: None,
    };
    assert_eq!(client.echo(value.clone())?, value);
    assert_eq!(client.hello("Zoe".into())?, "hello Zoe");
    match client.crash("why".into()) {
        Err(thrift::Error::Application(error)) => assert!(error.message.contains("why"), "{error:?}"),
        other => panic!("crash: {other:?}"),
    }
    client.note("a".into())?;
    assert_eq!(client.hello("again".into())?, "hello again");
    client.nothing()?;
    assert_eq!(client.add(2, 40)?, 42);
    match client.refuse("no".into(), 7) {
        Err(thrift::Error::User(error)) => {
            let refused = error.downcast_ref::<Refused>().expect("Refused");
            assert_eq!((refused.reason.as_deref(), refused.code), (Some("no"), Some(7)));
        }
        other => panic!("refuse: {other:?}"),
    }
    Ok(())
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let address = format!("127.0.0.1:{}", words[2]);
    let result = if words[1] == "server" { serve(&address, &words[3], &words[4]) } else { call(&address, &words[3], &words[4]) };
    if let Err(error) = result {
        eprintln!("{error:?}");
        std::process::exit(1);
    }
}
