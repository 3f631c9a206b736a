import { Pool } from 'undici'

export interface Load {
  readonly port: number
  readonly key: string
  /** Chat completions when absent. */
  readonly path?: string | undefined
  readonly body: string
  readonly concurrency: number
  readonly seconds: number
  /** Calls per second that are sent whatever comes back; without it the next call waits for an answer. */
  readonly rate?: number | undefined
}

export interface LoadResult {
  readonly answers: number
  readonly failures: number
  readonly seconds: number
  /** Pieces of bodies that arrived one by one: what a proxy reads together it sends together. */
  readonly chunks: number
  /** Milliseconds from sending to the last byte, sorted. */
  readonly latencies: readonly number[]
}

/** One call; resolves to the number of pieces of a whole answer with status 200, or to 0. */
const call = (pool: Pool, { key, body, path = '/v1/chat/completions' }: Load): Promise<number> =>
  new Promise((resolve) => {
    let ok = false
    let chunks = 0
    pool.dispatch(
      {
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body,
      },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, status) => {
          ok = status === 200
        },
        onResponseData: () => {
          chunks += 1
        },
        onResponseEnd: () => resolve(ok ? chunks : 0),
        onResponseError: () => resolve(0),
      },
    )
  })

/** Sends `rate` calls per second, spread evenly over every few milliseconds. */
const pace = async (load: Load & { rate: number }, until: number, send: () => Promise<void>): Promise<void> => {
  const began = performance.now()
  const running = new Set<Promise<void>>()
  let sent = 0
  while (performance.now() < until) {
    const due = Math.floor(((performance.now() - began) / 1000) * load.rate)
    for (; sent < due; sent += 1) {
      const one = send().finally(() => running.delete(one))
      running.add(one)
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(running)
}

/** Keeps `concurrency` calls under way for `seconds`, or sends at a fixed rate. */
export const drive = async (load: Load): Promise<LoadResult> => {
  const pool = new Pool(`http://127.0.0.1:${load.port}`, {
    connections: load.rate === undefined ? load.concurrency : null,
    pipelining: 1,
  })
  const latencies: number[] = []
  let failures = 0
  let chunks = 0
  const began = performance.now()
  const until = began + load.seconds * 1000
  const one = async (): Promise<void> => {
    const sent = performance.now()
    const pieces = await call(pool, load)
    chunks += pieces
    if (pieces > 0) latencies.push(performance.now() - sent)
    else failures += 1
  }
  const caller = async (): Promise<void> => {
    while (performance.now() < until) await one()
  }
  if (load.rate === undefined) await Promise.all(Array.from({ length: load.concurrency }, caller))
  else await pace({ ...load, rate: load.rate }, until, one)
  const seconds = (performance.now() - began) / 1000
  await pool.destroy()
  return { answers: latencies.length, failures, seconds, chunks, latencies: latencies.sort((a, b) => a - b) }
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? 0
