"""The IDL of Hive in the package."""

from thriftlens._hive.idl import metastore_idl, server_idl


def test_the_functions_that_sessions_and_results_call():
    functions = server_idl().service("TCLIService").functions
    assert {
        "OpenSession",
        "CloseSession",
        "ExecuteStatement",
        "GetOperationStatus",
        "GetResultSetMetadata",
        "FetchResults",
        "CancelOperation",
        "CloseOperation",
    } <= set(functions)
    assert server_idl() is server_idl()


def test_the_service_of_the_metastore():
    returns = metastore_idl().service("ThriftHiveMetastore").functions["get_partitions"].returns
    assert returns.name == "list<Partition>"
