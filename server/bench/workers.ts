import { drive, percentile } from './load.ts'
import { type GatewaySide, startGatewaySide } from './side.ts'

interface WorkersWork {
  readonly plain: string
  readonly streamed: string
  readonly seconds: number
  readonly rounds: number
}

interface Sample {
  readonly cpu: number
  readonly perSecond: number
  readonly p99: number
  readonly failures: number
}

const concurrency = 64
/** Until the compilers of each process have seen everything. */
const warmUpSeconds = 20
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const sample = async ({ process, key }: GatewaySide, body: string, seconds: number, rate?: number): Promise<Sample> => {
  const before = await process.read()
  const result = await drive({ port: process.port, key, body, concurrency, seconds, rate })
  await pause(700)
  const after = await process.read()
  return {
    cpu: (after.cpu - before.cpu) / Math.max(1, result.answers),
    perSecond: result.answers / result.seconds,
    p99: percentile(result.latencies, 0.99),
    failures: result.failures,
  }
}

/**
 * One process beside a supervisor with two workers: processor time per call of all their processes, calls per second, memory.
 * Where the load and the upstream share the machine's cores with them, calls per second say little.
 */
export const benchWorkers = async (upstreamPort: number, work: WorkersWork): Promise<void> => {
  const { plain, streamed, seconds, rounds } = work
  const sides: { name: string; side: GatewaySide }[] = []
  for (const [index, workers] of ['1', '2'].entries()) {
    const side = await startGatewaySide(31_980 + index, upstreamPort, { WORKERS: workers })
    sides.push({ name: `${workers} worker${workers === '1' ? '' : 's'}`, side })
  }
  const works: readonly [string, string, number?][] = [
    ['Plain answers, 500 per second', plain, 500],
    [`Plain answers, ${concurrency} at a time`, plain],
    [`Streams of 50 chunks, ${concurrency} at a time`, streamed],
  ]
  for (const { side } of sides) for (const body of [plain, streamed]) await sample(side, body, warmUpSeconds / 2)
  for (const [title, body, rate] of works) {
    const samples = new Map<string, Sample[]>(sides.map(({ name }) => [name, []]))
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, side } of sides) samples.get(name)?.push(await sample(side, body, seconds, rate))
    }
    console.log(
      `\n${title}\n            CPU µs/call   req/s    p99 ms   failures   (least CPU, most calls of ${rounds} rounds)`,
    )
    for (const [name, all] of samples) {
      const cells = [
        Math.min(...all.map(({ cpu }) => cpu))
          .toFixed(1)
          .padStart(12),
        Math.max(...all.map(({ perSecond }) => perSecond))
          .toFixed(0)
          .padStart(8),
        Math.min(...all.map(({ p99 }) => p99))
          .toFixed(2)
          .padStart(9),
        String(all.reduce((sum, { failures }) => sum + failures, 0)).padStart(10),
      ]
      console.log(`${name.padEnd(11)}${cells.join(' ')}`)
    }
  }
  for (const { name, side } of sides) {
    const { rss } = await side.process.read()
    console.log(`${name}: ${(rss / 1024 / 1024).toFixed(0)} MB in all processes after the load`)
    await side.process.stop()
    side.remove()
  }
}
