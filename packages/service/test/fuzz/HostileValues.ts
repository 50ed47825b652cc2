/** Stands for JSON text that no value serialises to. */
export const RAW = "@raw:"

const long = (length: number) => "x".repeat(length)

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Names that every object has, and similar ones. */
export const HOSTILE_NAMES: ReadonlyArray<string> = [
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "__defineGetter__", "valueOf", "then"],
  ...["", " ", "0", "-1", "zzz", "Name", "nаme", "a.b", "$where", "\u0000", "\ud800", "💥", long(1_000)],
]

/** Texts that break unprepared code. */
export const HOSTILE_TEXTS: ReadonlyArray<string> = [
  ...["", " ", "0", "-1", "00", "1e5", "0x10", "NaN", "Infinity", "-0", "1.5", "1e400", "9".repeat(400), "٣"],
  ...["\u0000", "a\u0000b", "\ud800", "\udc00a", "a\ud83d", "\ufffe", "\u202e", "é", "e\u0301", "💥".repeat(50)],
  ...["null", "undefined", "true", "[object Object]", "__proto__", "constructor", "' or 1=1 --", "%", "_", "\\", '"'],
  ...["%00", "%2e%2e%2f", "../../etc/passwd", "javascript:alert(1)", "data:text/html,x", "https://", "http://a:b@c/"],
  ...["18446744073709551615", "18446744073709551616", "-9223372036854775809", "1e-400", "0.0000000000000000000000001"],
  ...["2026-13-01", "0000-00-00", "9999-12-31T23:59:60Z", "-271821-04-20", "+275760-09-13T00:00:00.001Z", "1e20"],
  ...["00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "{00000000}"],
  ...["eyJ9", "W10", "e30", "bnVsbA", "AAAA", "====", "eyJhIjoxfQ", "WzEsMl0", "WyJhIiwiYiIsImMiXQ"],
  ...[long(101), long(256), long(1_025), long(5_000)],
]

/** Addresses that are not wallets: programs, sysvars, derived ones, mints; and near misses. */
const HOSTILE_ADDRESSES: ReadonlyArray<string> = [
  ...["11111111111111111111111111111111", "ComputeBudget111111111111111111111111111111"],
  ...["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"],
  ...["TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "So11111111111111111111111111111111111111112"],
  ...["SysvarC1ock11111111111111111111111111111111", "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN"],
  ...["metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s", "FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM"],
  ...["1".repeat(44), "0".repeat(32), "z".repeat(44), "So1111111111111111111111111111111111111111I"],
]

const HOSTILE_NUMBERS: ReadonlyArray<string> = [
  ...["-1", "0", "1", "2", "9", "10", "11", "255", "256", "1000", "1001", "10001", "65535", "65536", "4294967296"],
  ...["9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616"],
  ...["340282366920938463463374607431768211456", "1.5", "0.1", "1e3", "1e308", "1e-8", "00", "-0", "+1", "1_000"],
]

/** A text similar to a valid one. */
export const nearTo = (text: string): ReadonlyArray<string> => {
  if (/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return HOSTILE_ADDRESSES
  if (/^-?\d+(\.\d+)?$/.test(text)) return HOSTILE_NUMBERS
  return HOSTILE_TEXTS
}

/** Values of another type than declared. */
export const HOSTILE_VALUES: ReadonlyArray<unknown> = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 53, -(2 ** 53), 1e21, 1e-7, Number.MAX_VALUE, Number.MIN_VALUE, {}, []],
  ...["1e400", "-0", "1e-400", `${"9".repeat(400)}`, "18446744073709551615", "1E+5"].map((text) => `${RAW}${text}`),
  ...[[[]], [null], [{}], { length: 1 }, { 0: 1 }, nested(30), nested(200), Array.from({ length: 500 }, () => "x")],
  ...HOSTILE_TEXTS,
]

/** Parts of a path or a query, as sent. */
export const HOSTILE_ENCODED: ReadonlyArray<string> = [
  ...["%00", "%", "%zz", "%2", "%2f", "%2F%2e%2e", "..", ".", "%2e", "%c0%ae", "%ed%a0%80", "%ff", "%u0041", "+"],
  ...[
    "%20",
    ";x=1",
    "a;b",
    "*",
    ":id",
    "{id}",
    "~",
    "@",
    "|",
    "%0d%0aX-Y:1",
    "%25%32%46",
    "%F0%9F%92%A5",
    "a".repeat(3_000),
  ],
]

/** Unexpected values by header; each is legal to send. */
const HEADER_VALUES: Readonly<Record<string, ReadonlyArray<string | ReadonlyArray<string>>>> = {
  "if-none-match": ["*", 'W/"x"', '"', '""', `"${long(2_000)}"`],
  range: ["bytes=0-", "bytes=5-1", "bytes=-1", "bytes=0-0,2-3", "bytes=99999999999999999999-", "lines=1", "bytes="],
  "accept-encoding": ["gzip", "br", "deflate, gzip;q=0", "zstd", "*;q=0", "identity;q=0", ","],
  accept: ["text/html", "application/xml;q=2", "*/*;q=0", "\xff", long(4_000), "application/vnd.ipld.car"],
  "last-event-id": ["18446744073709551616", "-1"],
  ...{ "if-modified-since": ["x"], "if-match": ['"x"'], "if-range": ['"x"'], b3: ["0"], te: ["trailers"] },
  ...{ "x-http-method-override": ["DELETE"], "x-forwarded-for": ["127.0.0.1, x"], forwarded: ["for=;;"] },
  ...{ "x-forwarded-host": ["evil.example"], origin: ["null", "https://evil.example"], cookie: [`a=${long(2_000)}`] },
  ...{ "access-control-request-method": ["X"], authorization: ["Bearer x", ""], host: ["", "a.example:99999"] },
  traceparent: ["00-zz-zz-01", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
  ...{ ["__proto__"]: ["x"], constructor: ["x"], "x-many": [Array.from({ length: 50 }, (_, index) => `v${index}`)] },
}

export const HOSTILE_HEADERS: ReadonlyArray<readonly [name: string, value: string | ReadonlyArray<string>]> = [
  ...Object.entries(HEADER_VALUES).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  ...["", "a", long(65), long(256), "a b", '"quoted"', "é", "\t", long(3_000)].flatMap((value) =>
    ["idempotency-key", "x-request-id", "last-event-id"].map((name) => [name, value] as const),
  ),
]

/** Media types that bodies are not accepted in, and other spellings. */
export const HOSTILE_TYPES: ReadonlyArray<string> = [
  ...["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary="],
  ...["application/json; charset=utf-16", "APPLICATION/JSON", "application/json;;", "application/jsonx", "*/*", "json"],
  ...["application/problem+json", "image/png", "application/json, text/plain", "__proto__", long(2_000)],
]

/** Bodies that are not a JSON object, as bytes. */
export const HOSTILE_BODIES: ReadonlyArray<Buffer> = [
  ...["", " ", "{", "}", "[", "null", "true", "0", '"', '""', "[]", "{}", "{}{}", "{,}", "{a:1}", "{'a':1}", "/**/{}"],
  ...["\ufeff{}", '{"a":1,"a":2}', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}', '{"\\ud800":1}', "NaN"],
  ...[`${"[".repeat(5_000)}${"]".repeat(5_000)}`, '{"a":'.repeat(5_000), " ".repeat(100_000), `{"${long(9_000)}":1}`],
]
  .map((text) => Buffer.from(text))
  .concat(Buffer.from([0xff, 0xfe, 0x7b, 0]), Buffer.from('{"name":"\xff"}', "latin1"), Buffer.from([0, 0, 0]))
