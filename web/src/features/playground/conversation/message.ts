import type { CallKind } from '../calls/call-kinds.ts'

/** Of a message: `loading` waits for the first text, `incomplete` is growing, `complete` and `error` never change again. */
export type MessageStatus = 'loading' | 'incomplete' | 'complete' | 'error'

interface Usage {
  readonly input: number
  readonly output: number
}

/** A tool that a model calls. Nothing runs it here. */
export interface ToolCall {
  /** Its place among the calls of an answer. */
  readonly at: number
  readonly name: string
  /** JSON text, as far as it has come. */
  readonly input: string
}

export interface ChatMessage {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: string
  /** Unix milliseconds. */
  readonly createAt: number
  readonly status: MessageStatus
  /** The parent message; null for a first question. */
  readonly parent: string | null
  /** Answers that were requested together, one per model. */
  readonly round?: string
  readonly model?: string
  readonly reasoning?: string
  /** Kind of the call, if it is no conversation. */
  readonly kind?: Exclude<CallKind, 'chat'>
  /** Addresses of pictures, of data or of the web. */
  readonly images?: readonly string[]
  /** Address of spoken sound, as data. */
  readonly sound?: string
  readonly calls?: readonly ToolCall[]
  readonly usage?: Usage
  readonly firstMs?: number
  readonly totalMs?: number
  readonly stopped?: boolean
  /** Position in the content at which the error that ended it begins. */
  readonly errorAt?: number
  readonly requestId?: string
  /** The charge of the answer, once the log has it. */
  readonly quota?: number
}

/** One thing that a streamed answer brings. */
export type AnswerPiece =
  | { readonly kind: 'text' | 'reasoning' | 'image' | 'sound' | 'error'; readonly text: string }
  | ({ readonly kind: 'call' } & ToolCall)
  | { readonly kind: 'usage'; readonly usage: Usage }

export const isSettled = ({ status }: ChatMessage): boolean => status === 'complete' || status === 'error'

/** The calls with one more, or with more of one. */
const withCall = (calls: readonly ToolCall[], { at, name, input }: ToolCall): readonly ToolCall[] => {
  const begun = calls.find((call) => call.at === at)
  if (begun === undefined) return [...calls, { at, name, input }]
  const grown = { at, name: begun.name + name, input: begun.input + input }
  return calls.map((call) => (call === begun ? grown : call))
}

/** A message with a piece of its answer added; a settled one stays as it is. */
export const withPiece = (message: ChatMessage, piece: AnswerPiece, elapsedMs: number): ChatMessage => {
  if (isSettled(message)) return message
  if (piece.kind === 'usage') return { ...message, usage: piece.usage }
  if (piece.kind === 'error') {
    const errorAt = message.content.length
    return { ...message, content: message.content + piece.text, errorAt, status: 'error', totalMs: elapsedMs }
  }
  const timed = { ...message, firstMs: message.firstMs ?? elapsedMs, totalMs: elapsedMs }
  if (piece.kind === 'reasoning') return { ...timed, reasoning: (message.reasoning ?? '') + piece.text }
  if (piece.kind === 'call') return { ...timed, calls: withCall(message.calls ?? [], piece), status: 'incomplete' }
  if (piece.kind === 'sound') return { ...timed, sound: piece.text, status: 'incomplete' }
  if (piece.kind === 'image') return { ...timed, images: [...(message.images ?? []), piece.text], status: 'incomplete' }
  return { ...timed, content: message.content + piece.text, status: 'incomplete' }
}

/** The answer ended: by its marker, by a closed connection or by the person. */
export const completed = (message: ChatMessage, elapsedMs: number, { stopped = false } = {}): ChatMessage =>
  isSettled(message)
    ? message
    : { ...message, status: 'complete', totalMs: elapsedMs, ...(stopped ? { stopped: true } : {}) }

export const newId = (): string => globalThis.crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`

export const newMessage = (
  role: ChatMessage['role'],
  content: string,
  more: Partial<ChatMessage> & Pick<ChatMessage, 'parent'>,
): ChatMessage => ({ id: newId(), role, content, createAt: Date.now(), status: 'complete', ...more })
