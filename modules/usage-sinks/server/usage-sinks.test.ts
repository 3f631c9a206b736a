import { createHmac } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { pauseAfter } from '#server/jobs/job-policy.ts'
import { openNamedJobs } from '#server/jobs/named-jobs.ts'
import { writeLogs } from '#server/ledger/apply/log-rows.ts'
import { hasDuckDb } from '#server/lib/parquet/duckdb.ts'
import { openParquet, quoted } from '#server/lib/parquet/parquet.ts'
import { openPlace } from '#server/lib/places/open-place.ts'
import { createEgressGuard } from '#server/lib/security/egress.ts'
import { createGuardedPost } from '#server/lib/security/guarded-post.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { aJournalRecord } from '#server-test/support/journal/records.ts'
import { startBucket } from '#server-test/support/lib/bucket.ts'
import { createObjectSink } from './object-sink.ts'
import { createOtlpSink } from './otlp-sink.ts'
import type { UsageSink } from './ports.ts'
import { openUsageSinkStore } from './store.ts'
import { usageLines } from './usage-lines.ts'
import { createUsageParquet } from './usage-parquet.ts'
import type { UsageRecord } from './usage-record.ts'
import { openUsageSinks, retryPauses, type UsageSinks } from './usage-sinks.ts'
import { createWebhookSink } from './webhook-sink.ts'

interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

describeEachEngine('usage that is sent on', (open) => {
  let database: Database
  let server: Server
  let url: string
  let received: Received[]
  /** Statuses of the next answers; 200 when there is none. */
  let answers: number[]
  let now: number
  let failures: string[]
  let folder: string
  const post = createGuardedPost(createEgressGuard({ allow: [], operator: true }))

  beforeAll(async () => {
    database = await open()
    folder = mkdtempSync(join(tmpdir(), 'usage-sinks-'))
    server = createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ path: request.url ?? '', headers: request.headers, body })
        const status = answers.shift() ?? 200
        if (status === 0) request.socket.destroy()
        else response.writeHead(status).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await new Promise((resolve) => server.close(resolve))
  })
  beforeEach(async () => {
    received = []
    answers = []
    failures = []
    now = Date.parse('2026-11-24T10:00:00Z')
    await database.query.deleteFrom('cluster_jobs').execute()
    await database.query.deleteFrom('usage_sinks').execute()
    await database.query.deleteFrom('logs').execute()
  })

  const webhook = (): UsageSink =>
    createWebhookSink({ address: () => `${url}/usage`, secret: () => 'shh', post, now: () => now })

  /** The server as it is after a start. */
  const start = (sink: UsageSink, settleMs = 0): UsageSinks =>
    openUsageSinks({
      sinks: [sink],
      store: openUsageSinkStore({ database, logDatabase: database }),
      jobs: openNamedJobs(database, () => now),
      clock: () => now,
      settleMs,
      failed: (_, error) => failures.push(String(error)),
    })

  let calls = 0
  const call = async (more: Parameters<typeof aJournalRecord>[1] = {}): Promise<string> => {
    calls += 1
    const record = aJournalRecord(`usage-${calls}`, { at: now, ...more })
    await writeLogs({ database, logDatabase: database }, [record])
    return record.id
  }

  const records = (): UsageRecord[] =>
    received.flatMap(({ body }) => (JSON.parse(body) as { records: UsageRecord[] }).records)

  it('begins with the calls after it was set up, and comes in order, signed', async () => {
    await call()
    const sinks = start(webhook())
    await sinks.run()
    expect(received).toEqual([])
    const ids = [await call(), await call({ kind: 'error', quota: 0, receipt: undefined }), await call()]
    await sinks.run()
    expect(records().map(({ id }) => id)).toEqual(ids)
    expect(records().map(({ kind }) => kind)).toEqual(['charge', 'error', 'charge'])
    expect(records()[0]).toMatchObject({ user_id: 1, model: 'gpt-4o-mini', quota: 100 })
    const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = received
    const timestamp = Number(headers['webhook-timestamp'])
    expect(path).toBe('/usage')
    expect(timestamp).toBe(now / 1000)
    const signature = createHmac('sha256', 'shh')
      .update(`${headers['webhook-id']}.${timestamp}.${body}`)
      .digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signature}`)
    expect(await sinks.states()).toMatchObject([{ name: 'webhook', sent: 3, waiting: 0, failures: 0, error: '' }])
  })

  it('loses nothing where the receiver fails, and waits longer after each failure', async () => {
    const sinks = start(webhook())
    await sinks.run()
    const ids = [await call(), await call()]
    answers = [500, 0, 302]
    await sinks.run()
    expect(await sinks.states()).toMatchObject([
      { waiting: 2, failures: 1, retry_time: now / 1000 + pauseAfter(retryPauses, 1) },
    ])
    await sinks.run()
    expect(received).toHaveLength(1)
    now += 6_000
    await sinks.run()
    ids.push(await call())
    now += 11_000
    await sinks.run()
    expect(received).toHaveLength(3)
    expect(failures).toHaveLength(3)
    expect((await sinks.states())[0]?.error).toContain('HTTP 302')
    received = []
    now += 21_000
    await sinks.run()
    expect(records().map(({ id }) => id)).toEqual(ids)
    expect(await sinks.states()).toMatchObject([{ waiting: 0, failures: 0, error: '', retry_time: 0 }])
  })

  it('goes on after a restart where it was; what was not confirmed comes again under the same id', async () => {
    await start(webhook()).run()
    const first = await call()
    const lost: UsageSink = {
      ...webhook(),
      async deliver(batch) {
        await webhook().deliver(batch)
        throw new Error('the process died here')
      },
    }
    await start(lost).run()
    const second = await call()
    now += 6_000
    await start(webhook()).run()
    await start(webhook()).run()
    expect(records().map(({ id }) => id)).toEqual([first, first, second])
  })

  it('is sent by one node at a time', async () => {
    const nodes = [start(webhook()), start(webhook())]
    await nodes[0]?.run()
    for (let count = 0; count < 5; count += 1) await call()
    await Promise.all(nodes.map((node) => node.run()))
    expect(new Set(records().map(({ id }) => id)).size).toBe(5)
    expect(records()).toHaveLength(5)
  })

  it('waits until rows that other nodes are still writing are there', async () => {
    const sinks = start(webhook(), 10_000)
    await sinks.run()
    await call()
    await sinks.run()
    now += 9_000
    await sinks.run()
    expect(received).toEqual([])
    now += 2_000
    await sinks.run()
    expect(records()).toHaveLength(1)
  })

  it('goes to an OTLP collector as log records', async () => {
    const sink = createOtlpSink({
      address: () => url,
      headers: () => 'Authorization=Bearer%20x',
      post,
      service: 'gate',
    })
    const sinks = start(sink)
    await sinks.run()
    const id = await call()
    await sinks.run()
    const [{ path, headers, body } = { path: '', headers: {}, body: '{}' }] = received
    expect([path, headers.authorization]).toEqual(['/v1/logs', 'Bearer x'])
    const sent = JSON.parse(body).resourceLogs[0]
    expect(sent.resource.attributes).toEqual([{ key: 'service.name', value: { stringValue: 'gate' } }])
    const [record] = sent.scopeLogs[0].logRecords
    expect(record).toMatchObject({ timeUnixNano: `${now / 1000}000000000`, severityText: 'INFO' })
    expect(record.attributes).toContainEqual({ key: 'tollgate.request.id', value: { stringValue: id } })
    expect(record.attributes).toContainEqual({ key: 'tollgate.quota', value: { intValue: '100' } })
  })

  it('becomes packed files of JSON lines, some minutes at a time', async () => {
    const sink = createObjectSink({
      place: () => folder,
      format: () => usageLines,
      write: (place, name, bytes) => openPlace(place, {}).write(name, Readable.from([bytes])),
    })
    const sinks = start(sink)
    await sinks.run()
    const ids = [await call(), await call()]
    await sinks.run()
    expect(readdirSync(folder)).toEqual([])
    now += 301_000
    await sinks.run()
    const [file = '', ...others] = readdirSync(folder)
    expect(others).toEqual([])
    expect(file).toMatch(/^usage-2026-11-24-\d{15}-\d{15}\.jsonl\.gz$/)
    const lines = gunzipSync(readFileSync(join(folder, file)))
      .toString()
      .trimEnd()
      .split('\n')
    expect(lines.map((line) => (JSON.parse(line) as UsageRecord).id)).toEqual(ids)
  })

  it.skipIf(!hasDuckDb())('becomes Parquet in a bucket, in order and again after a failure', async () => {
    const bucket = await startBucket()
    const parquet = openParquet(join(folder, 'parquet'))
    let away = true
    const sink = createObjectSink({
      place: () => 's3://site/usage',
      format: () => createUsageParquet(parquet, join(folder, 'parquet')),
      write: async (place, name, bytes) => {
        if (away) throw new Error('the storage is away')
        await openPlace(place, bucket.environment).write(name, Readable.from([bytes]))
      },
    })
    const sinks = start(sink)
    await sinks.run()
    const ids = [await call(), await call({ kind: 'error', quota: 0, receipt: undefined }), await call()]
    now += 301_000
    await sinks.run()
    expect(failures).toEqual(['Error: the storage is away'])
    away = false
    now += 6_000
    await sinks.run()
    const [[name, bytes] = ['', Buffer.alloc(0)], ...others] = bucket.objects
    expect(others).toEqual([])
    expect(name).toMatch(/^usage\/usage-2026-11-24-\d{15}-\d{15}\.parquet$/)
    const file = join(folder, 'read.parquet')
    writeFileSync(file, bytes)
    const rows = await parquet.run(
      `select id, kind, quota, strftime("time", '%Y-%m-%d %H:%M') as "time", stream::varchar as stream from read_parquet(${quoted(file)})`,
    )
    await Promise.all([parquet.close(), bucket.close()])
    expect(rows.map(({ id }) => id)).toEqual(ids)
    expect(rows[0]).toMatchObject({ kind: 'charge', quota: 100, time: '2026-11-24 10:00', stream: 'true' })
  })
})
