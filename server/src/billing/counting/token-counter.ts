import { Worker } from 'node:worker_threads'
import { type Encoding, encodingOf } from './encodings.ts'
import { estimatePrompt, measure } from './prompt.ts'

/** Counts tokens with the model's own tokenizer, off the main thread. */
export interface TokenCounter {
  text(model: string, text: string): Promise<number>
  /** A parsed chat, completion, embedding or moderation request (relay reference §9). */
  prompt(model: string, path: string, body: Readonly<Record<string, unknown>>): Promise<number>
}

export interface CountRequest {
  readonly id: number
  readonly encoding: Encoding
  readonly texts: readonly string[]
}

/** `tokens` is undefined when the texts could not be counted. */
export interface CountAnswer {
  readonly id: number
  readonly tokens: number | undefined
}

const ownScript = new URL('./worker.ts', import.meta.url)

type Settle = (tokens: number | undefined) => void

const bytesOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)

/**
 * The counter starts its thread with the first text and a new one after a crash. It never rejects: what cannot be counted
 * (a crash, or after `close`) is estimated from its length, so that every answer can be billed.
 */
export const openTokenCounter = ({ script = ownScript } = {}): TokenCounter & { close(): Promise<void> } => {
  const waiting = new Map<number, Settle>()
  let worker: Worker | undefined
  let isClosed = false
  let lastId = 0

  const abandon = (): void => {
    worker = undefined
    const settles = [...waiting.values()]
    waiting.clear()
    for (const settle of settles) settle(undefined)
  }

  const start = (): Worker => {
    const fresh = new Worker(script)
    const whenGone = (): void => {
      if (worker === fresh) abandon()
    }
    fresh.on('message', ({ id, tokens }: CountAnswer) => {
      const settle = waiting.get(id)
      waiting.delete(id)
      // An idle counter must not keep the process alive.
      if (waiting.size === 0) fresh.unref()
      settle?.(tokens)
    })
    fresh.on('error', whenGone)
    fresh.on('exit', whenGone)
    return fresh
  }

  const ask = (encoding: Encoding, texts: readonly string[]): Promise<number | undefined> =>
    new Promise((resolve) => {
      lastId += 1
      waiting.set(lastId, resolve)
      worker ??= start()
      worker.ref()
      worker.postMessage({ id: lastId, encoding, texts } satisfies CountRequest)
    })

  const count = async (model: string, texts: readonly string[]): Promise<number> => {
    if (texts.every((text) => text === '')) return 0
    const tokens = isClosed ? undefined : await ask(encodingOf(model), texts)
    return tokens ?? estimatePrompt(bytesOf(texts))
  }

  return {
    text: (model, text) => count(model, [text]),
    prompt: async (model, path, body) => {
      const { texts, tokens } = measure(model, path, body)
      return tokens + (await count(model, texts))
    },
    close: async () => {
      isClosed = true
      const running = worker
      abandon()
      await running?.terminate()
    },
  }
}
