import { Worker } from 'node:worker_threads'
import { estimatePrompt, measure, type PromptReader } from './prompt.ts'

export type Encoding = 'cl100k_base' | 'o200k_base'

/** Names may carry an owner (`openai/gpt-4o`) or belong to a fine-tuned model (`ft:gpt-4o:…`). */
const o200k = /^(?:.*\/)?(?:ft:)?(?:gpt-4o|chatgpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|o1|o3|o4)/

/** The vocabulary of a model. Models of other makers are counted with cl100k. */
export const encodingOf = (model: string): Encoding => (o200k.test(model) ? 'o200k_base' : 'cl100k_base')

/** Counts tokens with the model's own tokenizer, off the main thread. */
export interface TokenCounter {
  text(model: string, text: string): Promise<number>
  /** Counts a parsed request. For a `large` one the counter's thread parses the bytes instead of `body`. */
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

/** Texts to count, or the bytes of a whole request with the module of its reader. */
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

/** Bytes. While more is waiting, large texts are estimated: counting them would delay the end of calls by minutes. */
const mostWaitingBytes = 8 * 1024 * 1024
/** Bytes. Texts up to this size are always counted. */
const alwaysCountedBytes = 64 * 1024

const bytesOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)

/**
 * The counter starts its thread with the first text and a new one after a crash. It never rejects: what cannot be counted
 * (a crash, or after `close`) is estimated from its length, so that every answer can be billed.
 */
export const openTokenCounter = ({
  script = ownScript,
  restMs,
}: {
  readonly script?: URL
  /** Milliseconds without a text after which the thread ends, and gives its vocabularies back; absent where it stays. */
  readonly restMs?: number | undefined
} = {}): TokenCounter & {
  /** Stops counting after `ms` milliseconds and estimates the rest, when the process ends. */
  hurry(ms: number): void
  close(): Promise<void>
} => {
  const waiting = new Map<number, Waiting>()
  let waitingBytes = 0
  let worker: Worker | undefined
  let resting: NodeJS.Timeout | undefined
  let isClosed = false
  let lastId = 0

  const abandon = (): void => {
    worker = undefined
    const abandoned = [...waiting.values()]
    waiting.clear()
    waitingBytes = 0
    for (const { settle } of abandoned) settle(undefined)
  }

  /** Has the thread end when no text comes any more. */
  const restLater = (idle: Worker, ms: number): void => {
    clearTimeout(resting)
    resting = setTimeout(() => {
      if (worker !== idle || waiting.size > 0) return
      worker = undefined
      void idle.terminate()
    }, ms).unref()
  }

  const start = (): Worker => {
    const started = new Worker(script)
    const whenGone = (): void => {
      if (worker === started) abandon()
    }
    started.on('message', ({ id, tokens }: CountAnswer) => {
      const request = waiting.get(id)
      waiting.delete(id)
      waitingBytes -= request?.bytes ?? 0
      // An idle counter must not keep the process alive.
      if (waiting.size === 0) {
        started.unref()
        if (restMs !== undefined) restLater(started, restMs)
      }
      request?.settle(tokens)
    })
    started.on('error', whenGone)
    started.on('exit', whenGone)
    return started
  }

  const ask = async (model: string, content: Countable, bytes: number): Promise<number | undefined> => {
    if (isClosed || (bytes > alwaysCountedBytes && waitingBytes > mostWaitingBytes)) return undefined
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
