import { Pool } from 'undici'

export interface Load {
  readonly port: number
  readonly key: string
  readonly body: string
  readonly concurrency: number
  readonly seconds: number
}

export interface LoadResult {
  readonly answers: number
  readonly failures: number
  readonly seconds: number
  /** Milliseconds from sending to the last byte, sorted. */
  readonly latencies: readonly number[]
}

/** One call; resolves to whether a whole answer with status 200 came back. */
const call = (pool: Pool, key: string, body: string): Promise<boolean> =>
  new Promise((resolve) => {
    let ok = false
    let last: Buffer | undefined
    pool.dispatch(
      {
        path: '/v1/chat/completions',
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body,
      },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, status) => {
          ok = status === 200
        },
        onResponseData: (_controller, chunk) => {
          last = chunk
        },
        onResponseEnd: () => resolve(ok && last !== undefined),
        onResponseError: () => resolve(false),
      },
    )
  })

/** Keeps `concurrency` calls under way for `seconds`. */
export const drive = async (load: Load): Promise<LoadResult> => {
  const pool = new Pool(`http://127.0.0.1:${load.port}`, { connections: load.concurrency, pipelining: 1 })
  const latencies: number[] = []
  let failures = 0
  const began = performance.now()
  const until = began + load.seconds * 1000
  const caller = async (): Promise<void> => {
    while (performance.now() < until) {
      const sent = performance.now()
      if (await call(pool, load.key, load.body)) latencies.push(performance.now() - sent)
      else failures += 1
    }
  }
  await Promise.all(Array.from({ length: load.concurrency }, caller))
  const seconds = (performance.now() - began) / 1000
  await pool.destroy()
  return { answers: latencies.length, failures, seconds, latencies: latencies.sort((a, b) => a - b) }
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? 0
