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

/** Polls a batch until it has ended; answers the most resident memory meanwhile. */
const mostMemory = async (gateway: Measured, read: () => Promise<Batch>): Promise<{ batch: Batch; most: number }> => {
  for (let most = 0; ; ) {
    const [batch, { rss }] = await Promise.all([read(), gateway.read()])
    most = Math.max(most, rss)
    if (/^(completed|failed|expired)$/.test(batch.status)) return { batch, most }
    await sleep(500)
  }
}

/** Lines per second of a batch beside calls of a client with as many at once, and memory above that of the idle process. */
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
  await drive(load)
  const { answers, seconds: took } = await drive(load)
  const { rss: idle } = await gateway.read('memory')
  const { id: input_file_id } = await ask<{ id: string }>('POST', '/v1/files', inputForm())
  const asked = { input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' }
  const began = performance.now()
  const { id } = await ask<Batch>('POST', '/v1/batches', asked)
  const { batch, most } = await mostMemory(gateway, () => ask('GET', `/v1/batches/${id}`))
  const perSecond = (batch.request_counts.completed * 1000) / (performance.now() - began)
  console.log(
    `\nA batch of ${lines} lines, ${concurrency} at once: ${batch.status}, ${batch.request_counts.failed} failed`,
  )
  console.log(`lines per second ${perSecond.toFixed(0)}, calls of a client ${(answers / took).toFixed(0)}`)
  console.log(`memory idle ${megabytes(idle)} MB, at most ${megabytes(most - idle)} MB more`)
  await gateway.stop()
  rmSync(directory, { recursive: true, force: true })
}
