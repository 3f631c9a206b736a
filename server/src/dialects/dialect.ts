import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorCode } from '@tollgate/contract'
import type { PromptReader } from '../billing/counting/prompt.ts'
import type { Gauges } from '../limits/call-limits.ts'
import type { Answer, Conversation, DialectName } from './conversation/conversation.ts'
import type { JsonObject } from './conversation/json.ts'
import type { StreamEvent } from './conversation/stream-event.ts'
import type { AnswerSupport } from './conversation/supported-answer.ts'
import type { UnsupportedFields } from './conversation/unsupported-fields.ts'
import type { CostPlace } from './cost/cost-place.ts'
import type { ErrorFormat } from './errors.ts'
import type { FileRules } from './files/file-rules.ts'
import type { PassthroughDialect } from './passthrough.ts'
import type { DialectPaths } from './paths.ts'
import type { RequestRules } from './request-rules.ts'
import type { StorageRules } from './storage-rules.ts'
import type { RecalledThoughts, ThoughtRules } from './thought-rules.ts'
import type { ToolLists } from './tools/allowed-tools.ts'

/** True if an account cannot read a ciphertext. */
export type Unreadable = (seal: string) => boolean

/**
 * Reasoning that OpenAI encrypts, and thoughts that Claude signs, for the account that made them, in requests of the dialect in which
 * they were made. Other accounts refuse the former with `invalid_encrypted_content` (developers.openai.com/api/docs/guides/reasoning),
 * and do not read the latter (platform.claude.com/docs/en/build-with-claude/preserved-thinking).
 */
export interface SealRules {
  /** Members in JSON without one of which a request holds none. */
  readonly names: readonly Buffer[]
  /** Ciphertexts and signatures of a request, in their order; those of other makers with their marks taken off. */
  in(body: JsonObject): readonly string[]
  /** The members of the request that change where some cannot be read. */
  without(body: JsonObject, isUnreadable: Unreadable): JsonObject
}

/** How a dialect lists models. Clients of several dialects ask for them at OpenAI's address; their headers tell them apart. */
export interface ModelList {
  /** True if the headers of a client at OpenAI's address are this dialect's. */
  isAskedFor(headers: IncomingHttpHeaders): boolean
  entry(name: string): object
  /** The page that the query names; the whole list where it names none. */
  list(names: readonly string[], query: URLSearchParams): object
}

/** Places of the key in requests of a dialect besides `Authorization`, which every dialect may use. */
interface KeyPlaces {
  /** In lower case; read where `Authorization` holds no key. */
  readonly headers: readonly string[]
  /** Part of a path; calls to such paths use `headers` before `Authorization`. */
  readonly firstAt?: string
  /** Name of a query parameter, read last. Upstreams never get it. */
  readonly query?: string
}

/** Model and stream flag of a request: some dialects put them into the URL instead of the body. */
export interface RequestTarget {
  readonly model: string
  readonly stream: boolean
}

/** Writes a stream for a client. It keeps state; one per stream. */
export interface StreamWriter {
  /** The wire text of one event; empty if the client gets nothing for it. */
  write(event: StreamEvent): string
}

/** A wire dialect of clients: reads their requests and writes answers. */
export interface ClientDialect {
  readonly name: DialectName
  /** Contents that its answers can hold. */
  readonly support: AnswerSupport
  /** Throws AppError('invalid_text_request') if the body is invalid. */
  readRequest(body: JsonObject, target: RequestTarget): Conversation
  writeAnswer(answer: Answer, conversation: Conversation): JsonObject
  openStream(conversation: Conversation): StreamWriter
}

/** Reads an upstream's stream. It keeps state; one per stream. */
export interface StreamReader {
  /** One message of the wire: the data of a server-sent event (and its name, where it has one), or a line. */
  read(data: string, event: string): readonly StreamEvent[]
  /** Call when the upstream's stream has ended. Returns the remaining events, `end` last. */
  end(): readonly StreamEvent[]
}

/** A provider's error in OpenAI's shape. */
export interface UpstreamError {
  readonly message: string
  readonly type?: string
  readonly code?: string
  /** HTTP status that the provider reports in the body; 502 when absent. */
  readonly status?: number
}

/** Reads from requests whether the provider stores the response and which stored response a call continues. */
export interface StoredResponseRules {
  /** Id of the stored response that the call continues. */
  continuedFrom(body: JsonObject): string | undefined
  /** Why a call is refused where its user stores nothing of that name; where absent, the provider decides. */
  readonly unknown?: ErrorCode
  /** True if the provider stores the response to this request. */
  isStored(body: JsonObject): boolean
  /** Id of a whole response, under which its provider stores it. */
  idOf(answer: JsonObject): string | undefined
  /** Ids of the items of a whole response, which its provider stores with it; absent where none has one. */
  itemIdsOf?(answer: JsonObject): readonly string[]
  /** Ids of stored items that a request names instead of holding them. */
  namedItems?(body: JsonObject): readonly string[]
}

/**
 * Everything about one client dialect. Each is one folder; `index.ts` lists them. No code outside `dialects` branches on the
 * name of a dialect.
 */
export interface Dialect extends ClientDialect {
  readonly paths: DialectPaths
  /** Reads and writes calls to a path in another form than turns; undefined for turns. */
  formAt?(path: string): ClientDialect | undefined
  /** Reads and writes turns that ask for more than an answer where another dialect's model has to do it; undefined for others. */
  formOf?(body: JsonObject): ClientDialect | undefined
  /** Absent where clients use `Authorization` alone. */
  readonly keys?: KeyPlaces
  readonly errors: ErrorFormat
  /** Headers with the states of limits, names and values alternating; those of OpenAI when absent. */
  readonly limitHeaders?: (gauges: Gauges) => readonly string[]
  readonly requestRules: RequestRules
  /** Estimates and counts the tokens of a prompt. */
  readonly promptReader: PromptReader
  readonly passthrough: PassthroughDialect
  /** Reads which files of the gateway its requests name; absent where they name none. */
  readonly files?: FileRules
  /** Place of usage in its answers, and of the cost if the client requested it. */
  readonly costPlace: CostPlace
  /** Throws AppError if the request needs what only its own provider has, e.g. a response that it stored. */
  checkTranslatable(body: JsonObject): void
  /** The answer of a call that only counts the tokens of its prompt. */
  writeTokenCount(tokens: number): JsonObject
  readonly storedResponses?: StoredResponseRules
  /** Rules for the calls that the gateway itself stores; none when absent. */
  readonly storage?: StorageRules
  /** Set where its own provider encrypts or signs reasoning for one account. */
  readonly seals?: SealRules
  /** Absent where clients return all thoughts that their models need. */
  readonly thoughts?: ThoughtRules
  /** OpenAI's list when absent. */
  readonly modelList?: ModelList
  /** Bytes that keep the connection of a waiting stream open; a comment when absent. */
  readonly keepAlive?: string
  /** True if the path names the model: the body need not be changed where a channel maps it. */
  readonly modelInPath: boolean
  /** True if a final 429 keeps the upstream's text; false if the client reads that all channels are busy. */
  readonly keepsRateLimitText: boolean
}

/** A wire dialect of providers: writes requests and reads answers. */
export interface UpstreamDialect {
  readonly name: string
  /** Names that its tools may have; letters, digits, `_` and `-`, 64 at most, when absent. */
  readonly toolNames?: RegExp
  /** True if JSON schemas with a non-object root are accepted. If not, the root is wrapped in an object. */
  readonly anySchema?: true
  /** True if it refuses combinators at the root of a tool's schema, whatever the model. */
  readonly plainRoots?: true
  /** Types of pictures that its models read; any but drawings when absent. */
  readonly pictures?: ReadonlySet<string>
  /** True if documents may be URLs. */
  readonly documentUrls?: true
  /** True if a text that a schema binds to one of several words comes without quotes. */
  readonly bareEnums?: true
  /** Which lists of allowed tools it takes; without them only the allowed tools are offered. */
  readonly toolLists?: ToolLists
  /** True if client-run tools have item types of their own; elsewhere they become plain functions. */
  readonly clientTools?: true
  writeRequest(conversation: Conversation, unsupported: UnsupportedFields): JsonObject
  /** Marks what its cache should keep, in a request without such marks; absent where caches need none. */
  withCacheMarks?(json: Buffer, ttl: '5m' | '1h'): Buffer
  /** A request in its own language with the thoughts that its client left out; absent where the provider wants none. */
  withThoughts?(body: JsonObject, recalled: RecalledThoughts, model: string): JsonObject
  readAnswer(json: JsonObject): Answer
  openStream(): StreamReader
  /** The error in an answer, for providers that report errors in their own way or with status 200. */
  errorOf?(json: JsonObject): UpstreamError | undefined
}
