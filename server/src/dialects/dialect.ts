import type { PromptReader } from '../billing/counting/prompt.ts'
import type { Answer, Conversation, DialectName } from './conversation/conversation.ts'
import type { JsonObject } from './conversation/json.ts'
import type { StreamEvent } from './conversation/stream-event.ts'
import type { AnswerSupport } from './conversation/supported-answer.ts'
import type { UnsupportedFields } from './conversation/unsupported-fields.ts'
import type { ErrorFormat } from './errors.ts'
import type { ModelList } from './model-list.ts'
import type { PassthroughDialect } from './passthrough.ts'
import type { DialectPaths } from './paths.ts'
import type { RequestRules } from './request-rules.ts'

/** What a conversation needs to know beyond its body: some dialects say it in the address. */
export interface Asked {
  readonly model: string
  readonly stream: boolean
}

/** Prints a stream for a client. Remembers what came before; one per stream. */
export interface StreamWriter {
  /** The bytes of one event, as text of the wire; empty if the client gets nothing of it. */
  write(event: StreamEvent): string
}

/** A wire language as clients speak it to us. */
export interface ClientDialect {
  readonly name: DialectName
  /** What its answers can hold. */
  readonly support: AnswerSupport
  /** Throws AppError('invalid_text_request') for what cannot be understood. */
  readRequest(body: JsonObject, target: Asked): Conversation
  writeAnswer(answer: Answer, conversation: Conversation): JsonObject
  openStream(conversation: Conversation): StreamWriter
}

/** Reads an upstream's stream. Remembers what came before; one per stream. */
export interface StreamReader {
  /** One message of the wire: the data of a server-sent event (and its name, where it has one), or a line. */
  read(data: string, event: string): readonly StreamEvent[]
  /** The upstream has ended its stream; whatever is still due comes now, `end` last. */
  end(): readonly StreamEvent[]
}

/** A provider's error in OpenAI's words. */
export interface UpstreamError {
  readonly message: string
  readonly type?: string
  readonly code?: string
  /** What HTTP would have said, where the provider says it in the body; 502 when absent. */
  readonly status?: number
}

/** What a dialect says about answers that their provider stores, so that later calls can go on from them. */
export interface StoredAnswers {
  /** Id of the stored answer that the call goes on from. */
  continuedFrom(body: JsonObject): string | undefined
  /** True if the provider stores the answer to this request. */
  isStored(body: JsonObject): boolean
}

/**
 * All that is known of one wire dialect that clients speak. Each is one folder; `index.ts` lists them. Nothing outside
 * `dialects` asks which dialect it holds.
 */
export interface Dialect extends ClientDialect {
  readonly paths: DialectPaths
  readonly errors: ErrorFormat
  readonly requestRules: RequestRules
  /** Estimates and counts the tokens of a prompt. */
  readonly promptReader: PromptReader
  readonly passthrough: PassthroughDialect
  /** Throws AppError if the request needs what only its own provider has, e.g. an answer that it stored. */
  checkTranslatable(body: JsonObject): void
  /** The answer of a call that only counts the tokens of its prompt. */
  writeTokenCount(tokens: number): JsonObject
  readonly storedAnswers?: StoredAnswers
  /** OpenAI's list when absent. */
  readonly modelList?: ModelList
  /** True if the path names the model: the body need not be changed where a channel maps it. */
  readonly modelInPath: boolean
  /** True if a final 429 keeps the upstream's text; false if the client reads that all channels are busy. */
  readonly keepsRateLimitText: boolean
}

/** A wire language as we speak it to upstreams. */
export interface UpstreamDialect {
  readonly name: string
  /** Names that its tools may have; letters, digits, `_` and `-`, 64 at most, when absent. */
  readonly toolNames?: RegExp
  /** Whether JSON schemas with a non-object root are accepted. If not, the root is wrapped in an object. */
  readonly anySchema?: true
  /** True if a text that a schema binds to one of several words comes without quotes. */
  readonly plainWords?: true
  /** True if client-run tools have item types of their own; elsewhere they become plain functions. */
  readonly clientTools?: true
  writeRequest(conversation: Conversation, unsupported: UnsupportedFields): JsonObject
  readAnswer(json: JsonObject): Answer
  openStream(): StreamReader
  /** What went wrong, where the provider says so in a way of its own, whatever the status. */
  errorOf?(json: JsonObject): UpstreamError | undefined
}
