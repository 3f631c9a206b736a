import { openDatabase } from '../src/db/engines/open.ts'
import { benchAnswerCosts } from './answer-costs.ts'
import { benchArchive } from './archive-beside.ts'
import { benchBatches } from './batches/bench-batches.ts'
import { benchFresh } from './fresh/fresh.ts'
import { openVerdicts, spreadOf } from './fresh/stated-ratios.ts'
import { benchJournalSync } from './journal-sync.ts'
import { benchLimitedCalls } from './limited-calls.ts'
import { benchLimits } from './limits.ts'
import { drive, type LoadResult, percentile } from './load.ts'
import { benchLogs } from './logs.ts'
import { memoryPerStream } from './memory.ts'
import { chatModel, claudeModel } from './operator.ts'
import { startScript } from './processes.ts'
import { type Side, startFloor, startGatewaySide } from './side.ts'
import { benchSmallMachines } from './small-machines.ts'
import { benchTelemetry } from './telemetry.ts'
import { benchWorkers } from './workers.ts'

/** `BENCH_SECONDS` per round, `BENCH_ROUNDS` rounds of each; sides alternate so that both meet the same machine. */
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const rounds = Number(process.env.BENCH_ROUNDS ?? 6)
const streams = Number(process.env.BENCH_STREAMS ?? 1000)
const concurrency = 32
/** The same load on both sides, well below what either can do: a proxy at its limit shares its system calls' cost. */
const plainRate = 2000
const streamRate = 300
/** Until the compilers have seen everything: their own work would count as that of the calls. */
const warmUpSeconds = 20
/** Quota units: 20 + 50 × 4 tokens at a ratio of 1.25; 20 + 50 × 5 at 1.5. */
const quotaPerCall: Readonly<Record<string, number>> = { [chatModel]: 275, [claudeModel]: 405 }

const messages = [{ role: 'user', content: 'Say the word fifty times, please, and nothing else at all.' }]
const plain = JSON.stringify({ model: chatModel, messages })
const streamed = JSON.stringify({ model: chatModel, stream: true, messages })
/** Without a pause between them chunks travel together, and not equally many on both sides. */
const paced = JSON.stringify({ model: chatModel, stream: true, messages, metadata: { pace: 'paced' } })
const slow = JSON.stringify({ model: chatModel, stream: true, messages, metadata: { pace: 'slow' } })

interface Work {
  readonly body: string
  /** Chat completions when absent. */
  readonly path?: string
  /** Calls per second; without it as many as 32 at a time give. */
  readonly rate?: number
}

/** Calls whose client and provider speak different dialects. */
const otherDialects: readonly [string, Work][] = [
  [
    'Messages to chat completions',
    { path: '/v1/messages', body: JSON.stringify({ model: chatModel, max_tokens: 500, stream: true, messages }) },
  ],
  [
    'generateContent to chat completions',
    {
      path: `/v1beta/models/${chatModel}:streamGenerateContent?alt=sse`,
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: messages[0]?.content }] }] }),
    },
  ],
  ['chat completions to Messages', { body: JSON.stringify({ model: claudeModel, stream: true, messages }) }],
  [
    'Responses to Messages',
    { path: '/v1/responses', body: JSON.stringify({ model: claudeModel, stream: true, input: messages }) },
  ],
]

interface Row {
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  /** Microseconds of CPU per request; of several rounds the least, since what else a machine does can only add. */
  readonly cpu: number
  /** Pieces in which an answer arrived. */
  readonly chunks: number
  readonly megabytes: number
  readonly failures: number
  readonly answers: number
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const measure = async (side: Side, work: Work): Promise<Row> => {
  const before = await side.process.read()
  const result: LoadResult = await drive({
    port: side.process.port,
    key: side.key,
    concurrency,
    seconds,
    ...work,
  })
  await pause(500)
  const after = await side.process.read()
  return {
    requestsPerSecond: result.answers / result.seconds,
    p50: percentile(result.latencies, 0.5),
    p99: percentile(result.latencies, 0.99),
    cpu: (after.cpu - before.cpu) / Math.max(1, result.answers),
    chunks: result.chunks / Math.max(1, result.answers),
    megabytes: after.rss / 1024 / 1024,
    failures: result.failures,
    answers: result.answers,
  }
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const summary = (rows: readonly Row[]): Row => ({
  requestsPerSecond: median(rows.map((row) => row.requestsPerSecond)),
  p50: median(rows.map((row) => row.p50)),
  p99: median(rows.map((row) => row.p99)),
  cpu: Math.min(...rows.map((row) => row.cpu)),
  chunks: median(rows.map((row) => row.chunks)),
  megabytes: median(rows.map((row) => row.megabytes)),
  failures: rows.reduce((sum, row) => sum + row.failures, 0),
  answers: rows.reduce((sum, row) => sum + row.answers, 0),
})

const verdicts = openVerdicts()

/** Alternates the sides and prints one table; returns the gateway's answers. */
const compare = async (title: string, sides: readonly [Side, Side], work: Work): Promise<number> => {
  const collected = new Map<string, Row[]>(sides.map((side) => [side.name, []]))
  for (const side of sides)
    await drive({
      port: side.process.port,
      key: side.key,
      concurrency,
      // At a fixed rate comes what was warmed up before.
      seconds: work.rate === undefined ? warmUpSeconds : seconds,
      ...work,
    })
  for (let round = 0; round < rounds; round += 1) {
    for (const side of sides) collected.get(side.name)?.push(await measure(side, work))
  }
  const [floor, gateway] = sides.map((side) => summary(collected.get(side.name) ?? []))
  if (floor === undefined || gateway === undefined) throw new Error('nothing was measured')
  console.log(`\n${title}`)
  console.log('          req/s     p50 ms    p99 ms    CPU µs/request    chunks    RSS MB    failures')
  for (const [name, row] of [
    ['floor', floor],
    ['gateway', gateway],
  ] as const) {
    const cells = [
      row.requestsPerSecond.toFixed(0),
      row.p50.toFixed(2),
      row.p99.toFixed(2),
      row.cpu.toFixed(1),
      row.chunks.toFixed(1),
      row.megabytes.toFixed(0),
      row.failures,
    ]
    console.log(
      `${name.padEnd(8)}${cells.map((cell, i) => String(cell).padStart([8, 10, 10, 15, 12, 10, 11][i] ?? 10)).join('')}`,
    )
  }
  const noise = spreadOf((collected.get('floor') ?? []).map(({ cpu }) => cpu))
  verdicts.judge(title, gateway.cpu / floor.cpu, noise)
  return gateway.answers
}

/** Rows logged and quota billed, read from the database after the gateway has stopped. */
const reconcile = async (path: string): Promise<void> => {
  const database = await openDatabase({ engine: 'sqlite', url: path })
  const models = await database.query
    .selectFrom('logs')
    .where('type', '=', 2)
    .select(({ fn }) => ['model_name', fn.countAll<number>().as('rows'), fn.sum<number>('quota').as('quota')])
    .where('other', 'like', '%"end":"done"%')
    .groupBy('model_name')
    .execute()
  const charged = await database.query
    .selectFrom('ledger_entries')
    .where('account', '=', 'user')
    .where('reason', '=', 'charge')
    .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.sum<number>('amount').as('amount')])
    .executeTakeFirstOrThrow()
  await database.close()
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
  const rows = sum(models.map((model) => Number(model.rows)))
  const billed = sum(models.map((model) => Number(model.quota)))
  const expected = sum(models.map((model) => Number(model.rows) * (quotaPerCall[model.model_name] ?? Number.NaN)))
  console.log(`\nReconciliation: ${rows} whole answers logged, Σ billed ${billed}, Σ expected ${expected}`)
  console.log(`Ledger: ${charged.rows} charges, Σ ${-charged.amount}`)
  if (billed !== expected) throw new Error('the bill is not what was expected')
}

const upstream = await startScript('mock-upstream.ts')
const wanted = new Set((process.env.BENCH_PARTS ?? 'plain,stream,fresh,dialects,costs,memory').split(','))

if (['plain', 'stream', 'dialects'].some((part) => wanted.has(part))) {
  const floor = await startFloor(upstream.port)
  const gateway = await startGatewaySide(31_999, upstream.port)
  console.log(`Start to first answer: ${gateway.startMs.toFixed(0)} ms`)
  if (wanted.has('plain')) {
    await compare(`Plain answers, ${concurrency} at a time`, [floor, gateway], { body: plain })
    await compare(`Plain answers, ${plainRate} per second`, [floor, gateway], { body: plain, rate: plainRate })
  }
  if (wanted.has('stream')) {
    await compare(`Streams of 50 chunks, ${concurrency} at a time`, [floor, gateway], { body: streamed })
    await compare(`Streams of 50 chunks, ${streamRate} per second`, [floor, gateway], {
      body: paced,
      rate: streamRate,
    })
  }
  if (wanted.has('dialects')) {
    for (const [name, work] of otherDialects)
      await compare(
        `Streams of 50 chunks translated to another dialect (${name}), ${concurrency} at a time`,
        [floor, gateway],
        work,
      )
  }
  await gateway.process.stop()
  await floor.process.stop()
  await reconcile(gateway.databasePath)
  gateway.remove()
}

if (wanted.has('fresh')) {
  await benchFresh(upstream.port, {
    plain,
    streamed,
    rounds: Number(process.env.BENCH_ROUNDS ?? 3),
    against: process.env.BENCH_AGAINST,
    mostSeconds: Number(process.env.BENCH_SECONDS ?? Number.POSITIVE_INFINITY),
    verdicts,
  })
}

if (wanted.has('memory')) {
  console.log(`\n${streams} slow streams at once`)
  const floor = await startFloor(upstream.port)
  const perFloor = await memoryPerStream(floor, { warm: streamed, slow }, streams)
  await floor.process.stop()
  const gateway = await startGatewaySide(31_998, upstream.port)
  const perGateway = await memoryPerStream(gateway, { warm: streamed, slow }, streams)
  await gateway.process.stop()
  gateway.remove()
  console.log(`Memory per stream: ${(perGateway / perFloor).toFixed(2)} × floor`)
}

if (wanted.has('sync')) {
  const work = { plain, streamed, concurrency, plainRate: plainRate / 4, seconds, rounds }
  await benchJournalSync(upstream.port, work)
}

if (wanted.has('telemetry')) {
  await benchTelemetry(upstream.port, { plain, streamed, concurrency, seconds, rounds })
}

if (wanted.has('small')) await benchSmallMachines(upstream.port, { plain, streamed, seconds })

if (wanted.has('workers')) await benchWorkers(upstream.port, { plain, streamed, seconds, rounds })

if (wanted.has('limits')) await benchLimits()
if (wanted.has('batches')) await benchBatches(upstream.port)
if (wanted.has('limited-calls')) await benchLimitedCalls()
if (wanted.has('costs')) await benchAnswerCosts()
// Programs of their own, which start what they need.
if (wanted.has('hedging')) await import('./hedging.ts')
if (wanted.has('routing')) await import('./routing.ts')

// Not among the usual parts: filling takes minutes.
if (wanted.has('logs')) await benchLogs(upstream.port)
if (wanted.has('archive')) await benchArchive(upstream.port)
await upstream.stop()
verdicts.end()
