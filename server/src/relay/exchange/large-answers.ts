import { isObject, type JsonObject } from '../../dialects/conversation/json.ts'
import { createSerialQueue } from '../../lib/serial-queue.ts'
import { openRequestThread, ownMemory } from '../../lib/workers/request-thread.ts'
import type { LightAnswer } from './light-answer.ts'

/** Bytes. Longer answers are read in another thread: 4 MB of log probabilities would block the other calls for 100 ms. */
export const largeAnswerBytes = 1024 * 1024

/** Answer of the thread: the bytes, transferred back, and their content. */
export interface ThreadAnswer {
  readonly memory: ArrayBuffer
  readonly answer: LightAnswer
}

export interface LargeAnswer {
  readonly bytes: Buffer
  /** The content without bulky members, see `lightAnswer`. */
  readonly json: JsonObject
}

const script = new URL('./large-answer-thread.ts', import.meta.url)
const queue = createSerialQueue()
const thread = openRequestThread(script, { name: 'answers' })

/**
 * Reads a large answer whose bytes are forwarded, in the thread and one at a time. The memory of `bytes` must not be used afterwards.
 * Throws when it is no JSON object, or when the thread broke.
 */
export const readLargeAnswer = async (bytes: Buffer): Promise<LargeAnswer> => {
  const { memory, answer } = await queue.run(() => {
    const own = ownMemory(bytes)
    return thread.ask<ThreadAnswer>(own, [own])
  })
  const whole = Buffer.from(memory)
  if (answer.kind === 'malformed') throw new Error(answer.detail)
  const json: unknown = answer.kind === 'bulky' ? JSON.parse(whole.toString()) : answer.json
  if (!isObject(json)) throw new Error('no JSON object')
  return { bytes: whole, json }
}
