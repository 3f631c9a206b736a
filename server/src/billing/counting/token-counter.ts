import { Worker } from 'node:worker_threads'
import { type Encoding, encodingOf } from './encodings.ts'
import { estimatePrompt, measure, type PromptReader } from './prompt.ts'

/** Counts tokens with the model's own tokenizer, off the main thread. */
export interface TokenCounter {
  text(model: string, text: string): Promise<number>
  /** A parsed request. Of a `large` one the counter's thread reads the bytes instead. */
  prompt(
    model: string,
    reader: PromptReader,
    body: Readonly<Record<string, unknown>>,
    large?: LargePrompt | undefined,
  ): Promise<number>
}

/** A prompt whose texts take megabytes. */
export interface LargePrompt {
  /** The body as JSON. */
  readonly raw: Uint8Array
  /** Tokens that are known without a tokenizer. */
  readonly tokens: number
  /** Bytes of its texts. */
  readonly textBytes: number
}

/** What is counted: texts, or all of a prompt as it came, with the module of its reader. */
export type Countable =
  | { readonly texts: readonly string[] }
  | { readonly raw: Uint8Array; readonly model: string; readonly reader: string }

export interface CountRequest {
  readonly id: number
  readonly encoding: Encoding
  readonly content: Countable
}

/** `tokens` is undefined when the texts could not be counted. */
export interface CountAnswer {
  readonly id: number
  readonly tokens: number | undefined
}

const ownScript = new URL('./worker.ts', import.meta.url)

interface Waiting {
  readonly bytes: number
  readonly settle: (tokens: number | undefined) => void
}

/** Bytes that may wait to be counted. More would take minutes, in which calls cannot end. */
const mostWaiting = 8 * 1024 * 1024
/** Bytes. Texts up to this size are counted however much is waiting. */
const alwaysCounted = 64 * 1024

const bytesOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)

/**
 * The counter starts its thread with the first text and a new one after a crash. It never rejects: what cannot be counted
 * (a crash, or after `close`) is estimated from its length, so that every answer can be billed.
 */
export const openTokenCounter = ({
  script = ownScript,
} = {}): TokenCounter & {
  /** For the end of the process: what is not counted in so many milliseconds is estimated. */
  hurry(ms: number): void
  close(): Promise<void>
} => {
  const waiting = new Map<number, Waiting>()
  let waitingBytes = 0
  let worker: Worker | undefined
  let isClosed = false
  let lastId = 0

  const abandon = (): void => {
    worker = undefined
    const abandoned = [...waiting.values()]
    waiting.clear()
    waitingBytes = 0
    for (const { settle } of abandoned) settle(undefined)
  }

  const start = (): Worker => {
    const fresh = new Worker(script)
    const whenGone = (): void => {
      if (worker === fresh) abandon()
    }
    fresh.on('message', ({ id, tokens }: CountAnswer) => {
      const counted = waiting.get(id)
      waiting.delete(id)
      waitingBytes -= counted?.bytes ?? 0
      // An idle counter must not keep the process alive.
      if (waiting.size === 0) fresh.unref()
      counted?.settle(tokens)
    })
    fresh.on('error', whenGone)
    fresh.on('exit', whenGone)
    return fresh
  }

  const ask = async (model: string, content: Countable, bytes: number): Promise<number | undefined> => {
    if (isClosed || (bytes > alwaysCounted && waitingBytes > mostWaiting)) return undefined
    return new Promise((settle) => {
      lastId += 1
      waiting.set(lastId, { bytes, settle })
      waitingBytes += bytes
      worker ??= start()
      worker.ref()
      worker.postMessage({ id: lastId, encoding: encodingOf(model), content } satisfies CountRequest)
    })
  }

  const count = async (model: string, texts: readonly string[]): Promise<number> => {
    if (texts.every((text) => text === '')) return 0
    const bytes = bytesOf(texts)
    return (await ask(model, { texts }, bytes)) ?? estimatePrompt(bytes)
  }

  const end = async (): Promise<void> => {
    isClosed = true
    const running = worker
    abandon()
    await running?.terminate()
  }

  return {
    text: (model, text) => count(model, [text]),
    prompt: async (model, reader, body, large) => {
      if (large !== undefined) {
        const { raw, tokens, textBytes } = large
        return (
          (await ask(model, { raw, model, reader: reader.module }, textBytes)) ?? tokens + estimatePrompt(textBytes)
        )
      }
      const { texts, tokens } = measure(reader, model, body)
      return tokens + (await count(model, texts))
    },
    hurry: (ms) => {
      setTimeout(() => void end(), ms).unref()
    },
    close: end,
  }
}
