import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { hasLittleMemory } from '../memory/memory-limit.ts'

/** A thread that answers one request after the other; the caller waits for an answer before it asks again. */
export interface RequestThread {
  /** `memory` changes hands. Throws when the thread has ended without an answer. */
  ask<Answer>(request: unknown, memory?: readonly ArrayBuffer[]): Promise<Answer>
  close(): Promise<void>
}

/**
 * Milliseconds without a request after which a thread ends where there is little memory: a heap of its own takes 10 to 30 MB.
 * Absent where it stays.
 */
export const threadRestMs = (): number | undefined => (hasLittleMemory() ? 10_000 : undefined)

/** It starts with the first request, and anew after a crash or a rest. An idle one does not keep the process alive. */
export const openRequestThread = (script: URL, { name, restMs = threadRestMs() }: ThreadParts): RequestThread => {
  let thread: Worker | undefined
  let resting: NodeJS.Timeout | undefined
  let isClosed = false

  const started = (): Worker => {
    clearTimeout(resting)
    if (thread !== undefined) return thread
    const fresh = new Worker(script, { name, execArgv: [] })
    const forget = (): void => {
      if (thread === fresh) thread = undefined
    }
    fresh.on('error', forget)
    fresh.on('exit', forget)
    thread = fresh
    return fresh
  }

  const rest = (): void => {
    if (restMs === undefined) return
    resting = setTimeout(() => {
      void thread?.terminate()
      thread = undefined
    }, restMs).unref()
  }

  return {
    async ask<Answer>(request: unknown, memory: readonly ArrayBuffer[] = []): Promise<Answer> {
      if (isClosed) throw new Error(`the thread "${name}" is closed`)
      const worker = started()
      const over = new AbortController()
      const { signal } = over
      worker.ref()
      try {
        const answered = once(worker, 'message', { signal })
        const broken = once(worker, 'exit', { signal }).then(() => {
          throw new Error(`the thread "${name}" ended`)
        })
        // Only the first of both is waited for.
        for (const outcome of [answered, broken]) outcome.catch(() => {})
        worker.postMessage(request, memory)
        const [answer] = await Promise.race([answered, broken])
        return answer as Answer
      } finally {
        over.abort()
        worker.unref()
        rest()
      }
    },
    async close() {
      isClosed = true
      clearTimeout(resting)
      await thread?.terminate()
    },
  }
}

interface ThreadParts {
  readonly name: string
  /** Milliseconds; by default as the memory allows. */
  readonly restMs?: number | undefined
}

/** The buffer's ArrayBuffer if it belongs to the buffer alone, else a copy: memory that can be transferred to another thread. */
export const ownMemory = (bytes: Buffer): ArrayBuffer => {
  const { buffer, byteOffset, byteLength } = bytes
  if (buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength === byteLength) return buffer
  return new Uint8Array(bytes).buffer
}
