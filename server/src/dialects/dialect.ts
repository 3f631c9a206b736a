import type { Answer, Conversation, DialectName } from './conversation/conversation.ts'
import type { Members } from './conversation/json.ts'
import type { Losses } from './conversation/losses.ts'
import type { StreamEvent } from './conversation/stream-event.ts'

/** What a conversation needs to know beyond its body: some dialects say it in the address. */
export interface Asked {
  readonly model: string
  readonly stream: boolean
}

/** Prints a stream for a client. Remembers what came before; one per stream. */
export interface StreamWriter {
  /** The bytes of one event, as text of the wire; empty when the client hears nothing of it. */
  write(event: StreamEvent): string
}

/** A wire language as clients speak it to us. */
export interface ClientDialect {
  readonly name: DialectName
  /** Throws AppError('invalid_text_request') for what cannot be understood. */
  readRequest(body: Members, asked: Asked): Conversation
  writeAnswer(answer: Answer, conversation: Conversation): Members
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

/** A wire language as we speak it to upstreams. */
export interface UpstreamDialect {
  readonly name: string
  /** Names that its tools may have; letters, digits, `_` and `-`, 64 at most, when absent. */
  readonly toolNames?: RegExp
  /** Whether answers can be bound to schemas of anything, not of objects only. */
  readonly anySchema?: true
  writeRequest(conversation: Conversation, losses: Losses): Members
  readAnswer(json: Members): Answer
  openStream(): StreamReader
  /** What went wrong, where the provider says so in a way of its own, whatever the status. */
  errorOf?(json: Members): UpstreamError | undefined
}
