import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { drive } from '../load.ts'
import { chatModel, openSite } from '../operator.ts'
import { type Measured, startGatewayOn } from '../processes.ts'

const port = 31_942
const lines = Number(process.env.BENCH_BATCH_LINES ?? 100_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
/** As many as the runner has by default. */
const concurrency = 8
const body = { model: chatModel, messages: [{ role: 'user', content: 'Say the word fifty times.' }] }

interface Batch {
  readonly id: string
  readonly status: string
  readonly request_counts: { readonly total: number; readonly completed: number; readonly failed: number }
}

/** A file with the lines, which is sent as it is made. */
const inputForm = (): FormData => {
  const line = (index: number): string =>
    `${JSON.stringify({ custom_id: `line-${index}`, method: 'POST', url: '/v1/chat/completions', body })}\n`
  const form = new FormData()
  form.set('purpose', 'batch')
  form.set('file', new Blob(Array.from({ length: lines }, (_, index) => line(index))), 'lines.jsonl')
  return form
}

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0)

/** The most resident memory until some work is over, in bytes, and its result. */
const mostMemory = async <T>(gateway: Measured, work: Promise<T>): Promise<{ result: T; most: number }> => {
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  for (let most = 0; ; ) {
    most = Math.max(most, (await gateway.read()).rss)
    if (isOver) return { result: await over, most }
    await Promise.race([over, sleep(500)])
  }
}

const ended = async (read: () => Promise<Batch>): Promise<Batch> => {
  for (;;) {
    const batch = await read()
    if (/^(completed|failed|expired)$/.test(batch.status)) return batch
    await sleep(500)
  }
}

/** Processor time of work in microseconds a piece: of all threads, and of the main thread. */
const processorTime = async (
  gateway: Measured,
  work: () => Promise<number>,
): Promise<{ all: number; main: number }> => {
  const before = await gateway.read()
  const pieces = await work()
  const after = await gateway.read()
  return { all: (after.cpu - before.cpu) / pieces, main: (after.main - before.main) / pieces }
}

const microseconds = ({ all, main }: { readonly all: number; readonly main: number }): string =>
  `${all.toFixed(0)} µs (main thread ${main.toFixed(0)})`

/**
 * Lines of a batch beside calls of a client with as many at once: how many in a second, and processor time, which other work of the
 * machine does not change; and memory above that of the idle process.
 */
export const benchBatches = async (upstreamPort: number): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const gateway = await startGatewayOn(join(directory, 'bench.db'), { port, directory, password: 'bench-password' })
  const key = await openSite(port, upstreamPort, 'bench-password')
  const ask = async <T>(method: string, path: string, sent?: FormData | object): Promise<T> => {
    const isForm = sent instanceof FormData
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(isForm ? {} : { 'content-type': 'application/json' }) },
      ...(sent === undefined ? {} : { body: isForm ? sent : JSON.stringify(sent) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const load = { port, key, body: JSON.stringify(body), concurrency, seconds }
  const { id: input_file_id } = await ask<{ id: string }>('POST', '/v1/files', inputForm())
  const asked = { input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' }
  await drive(load)
  const { rss: idle } = await gateway.read('memory')
  // After a forced collection the heap grows anew, which neither of them pays for.
  await drive(load)
  let [perSecondOfCalls, perSecondOfLines, mostOfCalls, mostOfLines] = [0, 0, 0, 0]
  const ofCall = await processorTime(gateway, async () => {
    const { result, most } = await mostMemory(gateway, drive(load))
    perSecondOfCalls = result.answers / result.seconds
    mostOfCalls = most
    return result.answers
  })
  const began = performance.now()
  const ofLine = await processorTime(gateway, async () => {
    const { id } = await ask<Batch>('POST', '/v1/batches', asked)
    const batch = ended(() => ask('GET', `/v1/batches/${id}`))
    const { result, most } = await mostMemory(gateway, batch)
    const { completed, failed } = result.request_counts
    perSecondOfLines = (completed * 1000) / (performance.now() - began)
    mostOfLines = most
    console.log(`\nA batch of ${lines} lines, ${concurrency} at once: ${result.status}, ${failed} failed`)
    return completed
  })
  console.log(`lines per second ${perSecondOfLines.toFixed(0)}, calls of a client ${perSecondOfCalls.toFixed(0)}`)
  console.log(`processor time of a line ${microseconds(ofLine)}, of a call ${microseconds(ofCall)}`)
  console.log(
    `memory idle ${megabytes(idle)} MB, at most ${megabytes(mostOfLines - idle)} MB more, with calls ${megabytes(mostOfCalls - idle)} MB more`,
  )
  await gateway.stop()
  rmSync(directory, { recursive: true, force: true })
}
