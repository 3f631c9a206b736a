import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { isObject, type JsonObject } from '../../dialects/conversation/json.ts'
import { ownMemory } from '../../lib/own-memory.ts'
import { createSerialQueue } from '../../lib/serial-queue.ts'
import type { LightAnswer } from './light-answer.ts'

/** From here on an answer is read in a thread: 4 MB of log probabilities would keep the other calls waiting for 100 ms. */
export const largeAnswerBytes = 1024 * 1024

/** What the thread answers: the bytes, which changed hands, and what they hold. */
export interface ThreadAnswer {
  readonly memory: ArrayBuffer
  readonly answer: LightAnswer
}

export interface LargeAnswer {
  readonly bytes: Buffer
  /** Without what neither costs nor says anything, see `lightAnswer`. */
  readonly json: JsonObject
}

const script = new URL('./large-answer-thread.ts', import.meta.url)
const queue = createSerialQueue()
let thread: Worker | undefined

/** Starts with the first large answer, and anew after a crash. An idle one does not keep the process alive. */
const startedThread = (): Worker => {
  if (thread !== undefined) return thread
  const fresh = new Worker(script, { name: 'answers', execArgv: [] })
  const forget = (): void => {
    if (thread === fresh) thread = undefined
  }
  fresh.on('error', forget)
  fresh.on('exit', forget)
  thread = fresh
  return fresh
}

const askThread = async (memory: ArrayBuffer): Promise<ThreadAnswer> => {
  const worker = startedThread()
  const over = new AbortController()
  const { signal } = over
  worker.ref()
  try {
    const answered = once(worker, 'message', { signal })
    const broken = once(worker, 'exit', { signal }).then(() => {
      throw new Error('the thread for answers ended')
    })
    // Only the first of both is waited for.
    for (const outcome of [answered, broken]) outcome.catch(() => {})
    worker.postMessage(memory, [memory])
    const [answer] = await Promise.race([answered, broken])
    return answer as ThreadAnswer
  } finally {
    over.abort()
    worker.unref()
  }
}

/**
 * Reads a large answer whose bytes go through, one after the other and beside all other calls. The memory of `bytes` must not
 * be used afterwards. Throws when it is no JSON object, or when the thread broke.
 */
export const readLargeAnswer = async (bytes: Buffer): Promise<LargeAnswer> => {
  const { memory, answer } = await queue.run(() => askThread(ownMemory(bytes)))
  const whole = Buffer.from(memory)
  if (answer.kind === 'malformed') throw new Error(answer.detail)
  const json: unknown = answer.kind === 'bulky' ? JSON.parse(whole.toString()) : answer.json
  if (!isObject(json)) throw new Error('no JSON object')
  return { bytes: whole, json }
}
