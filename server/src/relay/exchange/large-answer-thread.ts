import { parentPort } from 'node:worker_threads'
import { collectOfThread } from '../../lib/memory/process-memory.ts'
import type { ThreadAnswer } from './large-answers.ts'
import { lightAnswer } from './light-answer.ts'

/** The thread that reads large answers: each message is the memory of one, which comes back with what was read. */

parentPort?.on('message', (memory: ArrayBuffer) => {
  const answer = lightAnswer(Buffer.from(memory))
  parentPort?.postMessage({ memory, answer } satisfies ThreadAnswer, [memory])
  setImmediate(collectOfThread())
})
