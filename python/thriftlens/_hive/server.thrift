/**
 * The calls of HiveServer2 (and of what speaks like it: Spark's Thrift server, Impala, Kyuubi) that tl.hive makes: sessions, statements, rows as columns.
 * What servers send beyond this is passed over.
 */

enum TProtocolVersion { V1 = 0, V2 = 1, V3 = 2, V4 = 3, V5 = 4, V6 = 5, V7 = 6, V8 = 7, V9 = 8, V10 = 9, V11 = 10 }
enum TStatusCode { SUCCESS = 0, SUCCESS_WITH_INFO = 1, STILL_EXECUTING = 2, ERROR = 3, INVALID_HANDLE = 4 }
enum TOperationState { INITIALIZED = 0, RUNNING = 1, FINISHED = 2, CANCELED = 3, CLOSED = 4, ERROR = 5, UNKNOWN = 6, PENDING = 7, TIMEDOUT = 8 }

enum TTypeId {
  BOOLEAN = 0, TINYINT = 1, SMALLINT = 2, INT = 3, BIGINT = 4, FLOAT = 5, DOUBLE = 6, STRING = 7, TIMESTAMP = 8, BINARY = 9, ARRAY = 10, MAP = 11, STRUCT = 12,
  UNION = 13, USER_DEFINED = 14, DECIMAL = 15, NULL = 16, DATE = 17, VARCHAR = 18, CHAR = 19, INTERVAL_YEAR_MONTH = 20, INTERVAL_DAY_TIME = 21,
  TIMESTAMPLOCALTZ = 22
}

struct TStatus { 1: required TStatusCode statusCode, 2: optional list<string> infoMessages, 3: optional string sqlState, 4: optional i32 errorCode, 5: optional string errorMessage }
struct THandleIdentifier { 1: required binary guid, 2: required binary secret }
struct TSessionHandle { 1: required THandleIdentifier sessionId }
struct TOperationHandle { 1: required THandleIdentifier operationId, 2: required i32 operationType, 3: required bool hasResultSet, 4: optional double modifiedRowCount }

struct TOpenSessionReq {
  1: required TProtocolVersion client_protocol
  2: optional string username
  3: optional string password
  4: optional map<string, string> configuration
}
struct TOpenSessionResp {
  1: required TStatus status
  2: required TProtocolVersion serverProtocolVersion
  3: optional TSessionHandle sessionHandle
  4: optional map<string, string> configuration
}

struct TCloseSessionReq { 1: required TSessionHandle sessionHandle }
struct TCloseSessionResp { 1: required TStatus status }

struct TExecuteStatementReq {
  1: required TSessionHandle sessionHandle
  2: required string statement
  3: optional map<string, string> confOverlay
  4: optional bool runAsync
  5: optional i64 queryTimeout
}
struct TExecuteStatementResp { 1: required TStatus status, 2: optional TOperationHandle operationHandle }

struct TGetOperationStatusReq { 1: required TOperationHandle operationHandle }
struct TGetOperationStatusResp {
  1: required TStatus status
  2: optional TOperationState operationState
  3: optional string sqlState
  4: optional i32 errorCode
  5: optional string errorMessage
  9: optional bool hasResultSet
}

struct TCancelOperationReq { 1: required TOperationHandle operationHandle }
struct TCancelOperationResp { 1: required TStatus status }
struct TCloseOperationReq { 1: required TOperationHandle operationHandle }
struct TCloseOperationResp { 1: required TStatus status }

union TTypeQualifierValue { 1: i32 i32Value, 2: string stringValue }
struct TTypeQualifiers { 1: required map<string, TTypeQualifierValue> qualifiers }
struct TPrimitiveTypeEntry { 1: required TTypeId type, 2: optional TTypeQualifiers typeQualifiers }
union TTypeEntry { 1: TPrimitiveTypeEntry primitiveEntry }
struct TTypeDesc { 1: required list<TTypeEntry> types }
struct TColumnDesc { 1: required string columnName, 2: required TTypeDesc typeDesc, 3: required i32 position, 4: optional string comment }
struct TTableSchema { 1: required list<TColumnDesc> columns }
struct TGetResultSetMetadataReq { 1: required TOperationHandle operationHandle }
struct TGetResultSetMetadataResp { 1: required TStatus status, 2: optional TTableSchema schema }

struct TBoolColumn { 1: required list<bool> values, 2: required binary nulls }
struct TByteColumn { 1: required list<i8> values, 2: required binary nulls }
struct TI16Column { 1: required list<i16> values, 2: required binary nulls }
struct TI32Column { 1: required list<i32> values, 2: required binary nulls }
struct TI64Column { 1: required list<i64> values, 2: required binary nulls }
struct TDoubleColumn { 1: required list<double> values, 2: required binary nulls }
struct TStringColumn { 1: required list<string> values, 2: required binary nulls }
struct TBinaryColumn { 1: required list<binary> values, 2: required binary nulls }
union TColumn {
  1: TBoolColumn boolVal
  2: TByteColumn byteVal
  3: TI16Column i16Val
  4: TI32Column i32Val
  5: TI64Column i64Val
  6: TDoubleColumn doubleVal
  7: TStringColumn stringVal
  8: TBinaryColumn binaryVal
}
struct TRowSet { 1: required i64 startRowOffset, 3: optional list<TColumn> columns, 4: optional binary binaryColumns, 5: optional i32 columnCount }
struct TFetchResultsReq { 1: required TOperationHandle operationHandle, 2: required i32 orientation, 3: required i64 maxRows, 4: optional i16 fetchType }
struct TFetchResultsResp { 1: required TStatus status, 2: optional bool hasMoreRows, 3: optional TRowSet results }

service TCLIService {
  TOpenSessionResp OpenSession(1: TOpenSessionReq req)
  TCloseSessionResp CloseSession(1: TCloseSessionReq req)
  TExecuteStatementResp ExecuteStatement(1: TExecuteStatementReq req)
  TGetOperationStatusResp GetOperationStatus(1: TGetOperationStatusReq req)
  TCancelOperationResp CancelOperation(1: TCancelOperationReq req)
  TCloseOperationResp CloseOperation(1: TCloseOperationReq req)
  TGetResultSetMetadataResp GetResultSetMetadata(1: TGetResultSetMetadataReq req)
  TFetchResultsResp FetchResults(1: TFetchResultsReq req)
}
