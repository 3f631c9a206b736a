import { drive, percentile } from '../load.ts'
import { type Side, startFloor } from '../side.ts'
import { type BuiltTree, buildBeside, buildOwn } from './built-beside.ts'
import { startBuilt } from './built-gateway.ts'
import { spreadOf, type Verdicts } from './stated-ratios.ts'

interface FreshWork {
  readonly plain: string
  readonly streamed: string
  readonly rounds: number
  /** A commit that is built and measured beside this tree; none when absent. */
  readonly against: string | undefined
  /** Of each phase, for a run that only shows that it works. */
  readonly mostSeconds: number
  readonly verdicts: Verdicts
}

const concurrency = 32
const plainRate = 2000
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Figures {
  /** Microseconds of CPU per call, all threads. */
  readonly cpu: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly failures: number
}

/** Loads on a new process, in this order. */
const phases = [
  { name: 'first seconds', body: 'plain', seconds: 3 },
  { name: 'plain answers, 32 at a time', body: 'plain', seconds: 5 },
  { name: 'streams of 50 chunks, 32 at a time', body: 'streamed', seconds: 4 },
  { name: 'plain answers, 2000 per second', body: 'plain', seconds: 3, rate: plainRate },
] as const
type PhaseName = (typeof phases)[number]['name']
type Run = Readonly<Record<PhaseName, Figures>>

const measure = async (side: Side, body: string, { seconds, rate }: { seconds: number; rate?: number }) => {
  const before = await side.process.read()
  const result = await drive({ port: side.process.port, key: side.key, body, concurrency, seconds, rate })
  // Writes that answered calls have left behind count as theirs, too.
  await pause(700)
  const after = await side.process.read()
  return {
    cpu: (after.cpu - before.cpu) / Math.max(1, result.answers),
    perSecond: result.answers / result.seconds,
    p50: percentile(result.latencies, 0.5),
    p99: percentile(result.latencies, 0.99),
    failures: result.failures,
  }
}

const runOf = async (side: Side, work: Pick<FreshWork, 'plain' | 'streamed' | 'mostSeconds'>): Promise<Run> => {
  const found: [PhaseName, Figures][] = []
  for (const phase of phases) {
    const seconds = Math.min(phase.seconds, work.mostSeconds)
    found.push([phase.name, await measure(side, work[phase.body], { ...phase, seconds })])
  }
  return Object.fromEntries(found) as unknown as Run
}

const freshFloor = async (upstreamPort: number, work: FreshWork): Promise<Run> => {
  const floor = await startFloor(upstreamPort)
  const run = await runOf(floor, work)
  await floor.process.stop()
  return run
}

const freshGateway = async (tree: BuiltTree, upstreamPort: number, work: FreshWork): Promise<Run> => {
  const side = await startBuilt(tree, 31_990, upstreamPort)
  const run = await runOf(side, work)
  console.log(`${tree.name}: start to first answer ${side.startMs.toFixed(0)} ms`)
  await side.process.stop()
  side.remove()
  return run
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const summaryOf = (runs: readonly Run[], phase: PhaseName): Figures => {
  const of = (measureOf: (figures: Figures) => number): number[] => runs.map((run) => measureOf(run[phase]))
  return {
    // Other work of the machine can only add.
    cpu: Math.min(...of(({ cpu }) => cpu)),
    perSecond: Math.max(...of(({ perSecond }) => perSecond)),
    p50: median(of(({ p50 }) => p50)),
    p99: median(of(({ p99 }) => p99)),
    failures: of(({ failures }) => failures).reduce((sum, count) => sum + count, 0),
  }
}

const line = (name: string, { cpu, perSecond, p50, p99, failures }: Figures): string =>
  [
    name.padEnd(14),
    perSecond.toFixed(0).padStart(8),
    p50.toFixed(2).padStart(10),
    p99.toFixed(2).padStart(10),
    cpu.toFixed(1).padStart(14),
    String(failures).padStart(11),
  ].join('')

/**
 * New processes as users start them: three seconds of warm-up, five of plain answers, four of streams, three at 2,000 a second. The floor
 * comes before and after the others in each round, and how far its figures are apart is the noise of the run.
 */
export const benchFresh = async (upstreamPort: number, work: FreshWork): Promise<void> => {
  const { rounds, against, verdicts } = work
  const own = buildOwn()
  const other = against === undefined ? undefined : buildBeside(against)
  const floors: Run[] = []
  const runs: Run[] = []
  const others: Run[] = []
  try {
    // Fills the caches of compiled code, which a later start finds.
    for (const tree of [own, ...(other === undefined ? [] : [other])]) {
      const side = await startBuilt(tree, 31_990, upstreamPort)
      await side.process.stop()
      side.remove()
    }
    floors.push(await freshFloor(upstreamPort, work))
    for (let round = 0; round < rounds; round += 1) {
      runs.push(await freshGateway(own, upstreamPort, work))
      if (other !== undefined) others.push(await freshGateway(other, upstreamPort, work))
      floors.push(await freshFloor(upstreamPort, work))
    }
  } finally {
    other?.remove()
  }
  for (const { name } of phases) {
    const [floor, gateway] = [summaryOf(floors, name), summaryOf(runs, name)]
    console.log(`\nFresh process: ${name}`)
    console.log('                  req/s    p50 ms    p99 ms   CPU µs/call   failures')
    console.log(line('floor', floor))
    console.log(line('this', gateway))
    const noise = spreadOf(floors.map((run) => run[name].cpu))
    verdicts.judge(`fresh: ${name}, CPU ÷ floor`, gateway.cpu / floor.cpu, noise)
    if (other === undefined) continue
    const before = summaryOf(others, name)
    console.log(line(other.name, before))
    verdicts.judge(`fresh: ${name}, CPU per call, against ${other.name}`, gateway.cpu / before.cpu, noise)
    const speedNoise = spreadOf(floors.map((run) => run[name].perSecond))
    const speed = gateway.perSecond / before.perSecond
    verdicts.judge(`fresh: ${name}, calls per second, against ${other.name}`, speed, speedNoise)
    console.log(
      `p50 ${(gateway.p50 / before.p50).toFixed(2)} ×, p99 ${(gateway.p99 / before.p99).toFixed(2)} × ${other.name}`,
    )
  }
}
