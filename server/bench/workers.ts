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

interface Load {
  readonly body: string
  readonly seconds: number
  readonly rate?: number | undefined
}

/** Gateways that share a load in equal parts. */
const sample = async (sides: readonly GatewaySide[], { body, seconds, rate }: Load): Promise<Sample> => {
  const cpuOf = async (): Promise<number> =>
    (await Promise.all(sides.map(({ process }) => process.read()))).reduce((sum, { cpu }) => sum + cpu, 0)
  const before = await cpuOf()
  const part = { concurrency: concurrency / sides.length, rate: rate === undefined ? rate : rate / sides.length }
  const results = await Promise.all(
    sides.map(({ process, key }) => drive({ port: process.port, key, body, seconds, ...part })),
  )
  await pause(700)
  const answers = results.reduce((sum, result) => sum + result.answers, 0)
  return {
    cpu: ((await cpuOf()) - before) / Math.max(1, answers),
    perSecond: results.reduce((sum, result) => sum + result.answers / result.seconds, 0),
    p99: Math.max(...results.map(({ latencies }) => percentile(latencies, 0.99))),
    failures: results.reduce((sum, { failures }) => sum + failures, 0),
  }
}

/**
 * One process beside a supervisor with two workers, and beside two gateways of one process that share nothing but the machine and the load, which is
 * what two processes cost in any case: processor time per call of all their processes, calls per second, memory.
 * Where the load and the upstream share the machine's cores with them, calls per second say little.
 */
export const benchWorkers = async (upstreamPort: number, work: WorkersWork): Promise<void> => {
  const { plain, streamed, seconds, rounds } = work
  const start = (place: number, workers: string): Promise<GatewaySide> =>
    startGatewaySide(31_980 + place, upstreamPort, { WORKERS: workers })
  const groups = [
    { name: '1 worker', sides: [await start(0, '1')] },
    { name: '2 workers', sides: [await start(1, '2')] },
    { name: '2 gateways', sides: [await start(2, '1'), await start(3, '1')] },
  ]
  const works: readonly [string, string, number?][] = [
    ['Plain answers, 500 per second', plain, 500],
    [`Plain answers, ${concurrency} at a time`, plain],
    [`Streams of 50 chunks, ${concurrency} at a time`, streamed],
  ]
  for (const { sides } of groups)
    for (const body of [plain, streamed]) await sample(sides, { body, seconds: warmUpSeconds / 2 })
  for (const [title, body, rate] of works) {
    const samples = new Map<string, Sample[]>(groups.map(({ name }) => [name, []]))
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, sides } of groups) samples.get(name)?.push(await sample(sides, { body, seconds, rate }))
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
  for (const { name, sides } of groups) {
    const readings = await Promise.all(sides.map(({ process }) => process.read()))
    const bytes = readings.reduce((sum, { rss }) => sum + rss, 0)
    console.log(`${name}: ${(bytes / 1024 / 1024).toFixed(0)} MB in all processes after the load`)
    for (const side of sides) {
      await side.process.stop()
      side.remove()
    }
  }
}
