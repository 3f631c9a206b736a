/** Of a message: `loading` waits for the first text, `incomplete` is growing, `complete` and `error` never change again. */
export type MessageStatus = 'loading' | 'incomplete' | 'complete' | 'error'

export interface Usage {
  readonly input: number
  readonly output: number
}

export interface Message {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly content: string
  /** Unix milliseconds. */
  readonly createAt: number
  readonly status: MessageStatus
  readonly reasoning?: string
  /** Data addresses of images; kept in memory only. */
  readonly images?: readonly string[]
  readonly usage?: Usage
  readonly firstMs?: number
  readonly totalMs?: number
  readonly stopped?: boolean
}

export interface Settings {
  readonly model: string
  readonly group: string
  readonly temperature: number
  readonly max_tokens: number
  readonly system: string
}

/** Mission document 1 §3 "Playground settings". */
export const defaultSettings: Settings = {
  model: 'gpt-4o-mini',
  group: '',
  temperature: 0,
  max_tokens: 0,
  system: 'You are a helpful assistant. You can help me by answering my questions. You can also ask me questions.',
}

/** One thing that a streamed answer brings. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  | { kind: 'usage'; usage: Usage }
  | { kind: 'error'; text: string }

const isSettled = (message: Message): boolean => message.status === 'complete' || message.status === 'error'

/** A message with a piece of its answer added; a settled one stays as it is (mission document 1 §4). */
export const withPiece = (message: Message, piece: Piece, elapsedMs: number): Message => {
  if (isSettled(message)) return message
  const timed = { ...message, firstMs: message.firstMs ?? elapsedMs, totalMs: elapsedMs }
  switch (piece.kind) {
    case 'text':
      return { ...timed, content: message.content + piece.text, status: 'incomplete' }
    case 'reasoning':
      return { ...timed, reasoning: (message.reasoning ?? '') + piece.text }
    case 'usage':
      return { ...message, usage: piece.usage }
    case 'error':
      return { ...message, content: message.content + piece.text, status: 'error', totalMs: elapsedMs }
  }
}

/** The answer ended: by its marker, by a closed connection or by the person. */
export const completed = (message: Message, elapsedMs: number, { stopped = false } = {}): Message =>
  isSettled(message)
    ? message
    : { ...message, status: 'complete', totalMs: elapsedMs, ...(stopped ? { stopped: true } : {}) }

type WireContent =
  | string
  | readonly ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[]

const wireContent = (message: Message): WireContent =>
  message.images?.length
    ? [
        { type: 'text', text: message.content },
        ...message.images.map((url) => ({ type: 'image_url' as const, image_url: { url } })),
      ]
    : message.content

/** What is sent: the system prompt unless empty, then the conversation without failed and empty answers. */
export const chatRequest = (settings: Settings, messages: readonly Message[]): Record<string, unknown> => ({
  model: settings.model,
  group: settings.group,
  messages: [
    ...(settings.system.trim() === '' ? [] : [{ role: 'system', content: settings.system }]),
    ...messages
      .filter((message) => message.status !== 'error' && (message.content !== '' || message.images?.length))
      .map((message) => ({ role: message.role, content: wireContent(message) })),
  ],
  stream: true,
  stream_options: { include_usage: true },
  temperature: settings.temperature,
  // 0 stands for "no limit", which upstreams say by leaving it out.
  ...(settings.max_tokens > 0 ? { max_tokens: Math.trunc(settings.max_tokens) } : {}),
})
