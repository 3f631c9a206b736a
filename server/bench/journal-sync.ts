import { drive, percentile } from './load.ts'
import { type GatewaySide, startGatewaySide } from './side.ts'

export interface SyncWork {
  readonly plain: string
  readonly streamed: string
  readonly concurrency: number
  /** Calls per second. */
  readonly plainRate: number
  readonly seconds: number
  readonly rounds: number
}

interface Round {
  /** Microseconds per call. */
  readonly cpu: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly perSecond: number
}

const modes = ['off', 'group', 'always'] as const
const firstPort = 31_990
const warmUpSeconds = 12

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0

const measure = async (
  { process, key }: GatewaySide,
  load: { body: string; rate?: number; concurrency: number; seconds: number },
): Promise<Round> => {
  const before = await process.read()
  const result = await drive({ port: process.port, key, ...load })
  await new Promise((resolve) => setTimeout(resolve, 500))
  const after = await process.read()
  if (result.failures > 0) throw new Error(`${result.failures} calls failed`)
  return {
    cpu: (after.cpu - before.cpu) / Math.max(1, result.answers),
    p50: percentile(result.latencies, 0.5),
    p99: percentile(result.latencies, 0.99),
    perSecond: result.answers / result.seconds,
  }
}

/** Measures the cost of `JOURNAL_SYNC`: one gateway for each value, in turns. */
export const benchJournalSync = async (upstreamPort: number, work: SyncWork): Promise<void> => {
  const { plain, streamed, concurrency, plainRate, seconds, rounds } = work
  const loads = [
    [`Plain answers, ${concurrency} at a time`, { body: plain }],
    [`Plain answers, ${plainRate} per second`, { body: plain, rate: plainRate }],
    [`Streams of 50 chunks, ${concurrency} at a time`, { body: streamed }],
  ] as const
  const sides: GatewaySide[] = []
  for (const [index, mode] of modes.entries()) {
    sides.push(await startGatewaySide(firstPort + index, upstreamPort, { JOURNAL_SYNC: mode }))
  }
  for (const side of sides) await measure(side, { body: plain, concurrency, seconds: warmUpSeconds })
  for (const [title, load] of loads) {
    const collected = sides.map((): Round[] => [])
    for (const side of sides) await measure(side, { ...load, concurrency, seconds })
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, side] of sides.entries()) {
        collected[index]?.push(await measure(side, { ...load, concurrency, seconds }))
      }
    }
    console.log(`\n${title}`)
    console.log('JOURNAL_SYNC     req/s     p50 ms    p99 ms    CPU µs/request (least, median)')
    for (const [index, mode] of modes.entries()) {
      const found = collected[index] ?? []
      const cpus = found.map(({ cpu }) => cpu)
      const cells = [
        median(found.map(({ perSecond }) => perSecond)).toFixed(0),
        median(found.map(({ p50 }) => p50)).toFixed(2),
        median(found.map(({ p99 }) => p99)).toFixed(2),
        Math.min(...cpus).toFixed(1),
        median(cpus).toFixed(1),
      ]
      console.log(`${mode.padEnd(12)}${cells.map((cell) => cell.padStart(10)).join('')}`)
    }
  }
  for (const side of sides) {
    await side.process.stop()
    side.remove()
  }
}
