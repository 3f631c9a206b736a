import { setTimeout as wait } from 'node:timers/promises'
import type { Engine } from '../../../server/src/db/database.ts'
import { openDatabase } from '../../../server/src/db/engines/open.ts'
import { seeded } from '../../../server/test/support/ledger/chance.ts'
import { within } from '../../attacks/kills/within.ts'
import type { Site } from '../../support/site.ts'
import { openJobCluster } from './cluster.ts'
import { type EndedJobs, endJobs, openBatchPayer } from './end.ts'
import { allKinds, startJobs } from './load.ts'
import { ownerOfPort } from './owner-of-port.ts'
import { type ProviderMoment, startJobProvider } from './provider.ts'
import { bringDeadlines, lookNow } from './provider-time.ts'

export interface JobKillRun {
  readonly engine: Engine
  readonly kills: number
  readonly seed: number
  readonly progress?: (text: string) => void
}

/** Result of a run; `problems` is empty when everything agrees. */
export interface JobKillSummary extends EndedJobs {
  readonly engine: Engine
  readonly nodes: number
  readonly seed: number
  readonly kills: number
  /** Kills by the moment at which they came. */
  readonly moments: Readonly<Record<string, number>>
  /** How often the database was away. */
  readonly away: number
  readonly seconds: number
}

/** The longest pause between a moment and the kill, in milliseconds; most are shorter. What follows the moment is done by then, or is not. */
const pauseMs: Readonly<Record<ProviderMoment, number>> = {
  'video asked for': 0,
  'video begun': 4,
  'video finished': 12,
  'line answered': 300,
  'last line answered': 400,
  'answer made': 12,
  'batch asked for': 0,
  'batch begun': 12,
  'batch asked to end': 20,
  'results sent': 900,
  'rest line answered': 400,
}

type Moment = ProviderMoment | 'any time' | 'file half sent' | 'database away'

/** Each is the next one in turn. */
const moments: readonly Moment[] = [
  'video begun',
  'results sent',
  'line answered',
  'batch begun',
  'answer made',
  'rest line answered',
  'video finished',
  'batch asked to end',
  'any time',
  'last line answered',
  'results sent',
  'batch asked for',
  'video asked for',
  'file half sent',
  'rest line answered',
  'database away',
]

const lifeMs = 1_500
const momentPatienceMs = 10_000
/** Batches whose deadline comes near before each kill, of those that are at their provider. */
const nearShare = 0.4
const mostAwayMs = 6_000
const mostStartMs = 120_000

/** Kills nodes at moments of jobs and takes their database away, lets all jobs end, and compares everything. */
export const runJobKills = async ({
  engine,
  kills,
  seed,
  progress = () => {},
}: JobKillRun): Promise<JobKillSummary> => {
  const begun = performance.now()
  const random = seeded(seed)
  const provider = await startJobProvider()
  const cluster = await openJobCluster(engine, { hasFolder: seed % 2 === 1 })
  const database = await openDatabase(cluster.database)
  const { nodes } = cluster
  const [first] = nodes
  if (first === undefined) throw new Error('a cluster has a node')
  const problems: string[] = []
  const counts: Record<string, number> = {}
  let [killed, away] = [0, 0]

  const anyNode = (): Site => nodes[Math.floor(random() * nodes.length)] ?? first

  const kill = async (node: Site, moment: Moment): Promise<void> => {
    const { exitCode, signalCode } = node.process
    if (exitCode !== null || signalCode !== null) problems.push(`a node ended by itself: ${exitCode ?? signalCode}`)
    await node.kill()
    killed += 1
    counts[moment] = (counts[moment] ?? 0) + 1
  }
  const start = async (node: Site): Promise<void> => {
    await within(mostStartMs, 'a start', node.restart())
  }
  const killAndStart = async (node: Site, moment: Moment): Promise<void> => {
    await kill(node, moment)
    await wait(random() * 1_000)
    await start(node)
  }

  const loseDatabase = async (): Promise<void> => {
    const giveBack = cluster.loseDatabase()
    away += 1
    const node = anyNode()
    const dies = random() < 0.5
    try {
      await wait(1_000 + random() * (mostAwayMs - 1_000))
      if (dies) await kill(node, 'database away')
    } finally {
      giveBack()
    }
    if (dies) await start(node)
  }

  const killAt = async (moment: Moment): Promise<void> => {
    if (moment === 'database away') return loseDatabase()
    if (moment === 'any time') return killAndStart(anyNode(), moment)
    if (moment === 'file half sent') {
      await Promise.race([load.halfUploaded(), wait(momentPatienceMs)])
      await wait(random() * 250)
      return killAndStart(anyNode(), moment)
    }
    const seen = await provider.next(moment, momentPatienceMs)
    if (seen === undefined) return killAndStart(anyNode(), 'any time')
    const pids = nodes.flatMap(({ process: { pid } }) => pid ?? [])
    const owner = ownerOfPort(pids, seen.port, provider.port)
    await wait(random() ** 2 * pauseMs[moment])
    return killAndStart(nodes.find(({ process: { pid } }) => pid === owner) ?? anyNode(), moment)
  }

  const payer = await openBatchPayer(first.url, provider.url)
  const load = startJobs(
    nodes.map(({ url }) => url),
    payer.key,
    allKinds,
  )
  try {
    for (let turn = 0; killed < kills; turn += 1) {
      await wait(lifeMs * (0.3 + random()))
      const moved = await bringDeadlines(database, nearShare)
      if (moved > 0 || random() < 0.5) await lookNow(database)
      await killAt(moments[turn % moments.length] ?? 'any time')
      progress(`${engine}: ${killed} of ${kills} kills, ${JSON.stringify(load.unanswered)} calls without an answer`)
    }
    await load.stop()
    const ended = await endJobs({ cluster, database, load, served: provider.served, payer })
    return {
      engine,
      nodes: nodes.length,
      seed,
      kills: killed,
      moments: counts,
      away,
      ...ended,
      seconds: Math.round((performance.now() - begun) / 1000),
      problems: [...problems, ...ended.problems],
    }
  } catch (error) {
    for (const node of nodes) progress(node.output().slice(-3000))
    throw error
  } finally {
    await load.stop()
    await database.close()
    await cluster.remove()
    await provider.close()
  }
}
