import { setTimeout as wait } from 'node:timers/promises'
import type { Engine } from '../../../server/src/db/database.ts'
import { seeded } from '../../../server/test/support/ledger/chance.ts'
import { signIn } from '../../support/operator.ts'
import type { Site } from '../../support/site.ts'
import { openAccounts } from './accounts.ts'
import { type CallKind, ordinary, overSockets } from './call-kinds.ts'
import { openCluster } from './cluster.ts'
import { costed } from './costed-kinds.ts'
import { answersOf, type Load, startLoad } from './load.ts'
import { checkReceipts } from './receipts.ts'
import { type Reconciliation, reconcile } from './reconcile.ts'
import { startCountingUpstream } from './upstream.ts'
import { verifyLedger } from './verify-ledger.ts'
import { ofWallets } from './wallet-kinds.ts'
import { type MoveCounts, type Mover, openWallets } from './wallets.ts'
import { within } from './within.ts'
import { allServe, killWorker } from './workers.ts'

export interface KillRun {
  readonly engine: Engine
  readonly kills: number
  /** How many calls must have got an answer, or a part of one, besides; there are more kills until then (0). */
  readonly calls?: number
  /** True to make calls alone that ask what they cost. */
  readonly onlyCosted?: boolean
  /** Milliseconds that a node lives at most between two kills (1,200, and each fifth time 3,000). */
  readonly lifeMs?: number
  readonly seed: number
  /** Clients that call at the same time (12). */
  readonly clients?: number
  /** Share of calls that are attacks (0.4). */
  readonly attackShare?: number
  readonly environment?: Readonly<Record<string, string>>
  /** Processes that are killed: whole nodes (the usual), or one of the workers of a node that is left running. */
  readonly victims?: 'nodes' | 'workers'
  readonly progress?: (text: string) => void
  /** True to call with an organisation's keys alone, so that its money and its key's limit are used up. */
  readonly onlyWallets?: boolean
}

/** Result of a run; `problems` is empty when everything agrees. */
export interface KillSummary extends Reconciliation {
  readonly engine: Engine
  readonly nodes: number
  readonly seed: number
  readonly kills: number
  readonly calls: number
  readonly complete: number
  readonly refused: number
  readonly broken: number
  /** Receipts that were fetched, checked, and checked with one byte changed. */
  readonly receipts: number
  /** Whole answers by the name of their kind. */
  readonly answers: Readonly<Record<string, number>>
  /** Transfers that an organisation's owner made meanwhile. */
  readonly moved: MoveCounts
  readonly verify: string
  /** Milliseconds from a start to the first answer, at most; and from SIGTERM to the end. */
  readonly slowestStart: number
  readonly slowestStop: number
  readonly seconds: number
}

const killsPerTopUp = 3
const shortLifeMs = 1200
/** Long enough for a stream to be marked in the journal while it runs. */
const longLifeMs = 3000
const mostStartMs = 120_000
const mostStopMs = 60_000

const leastAnswers = 12
const leastMovements = 4

const mostReceipts = 300

const usualOf = ({ onlyWallets, onlyCosted }: KillRun): readonly CallKind[] => {
  if (onlyWallets === true) return ofWallets
  return onlyCosted === true ? costed : [...ordinary, ...overSockets, ...ofWallets, ...costed]
}

/** Calls that did not just find the node gone. */
const reached = ({ finished }: Load): number => finished.filter(({ outcome }) => outcome.status !== 0).length

/** Resolves when calls were answered and money has moved since, however slow the machine is. */
const movedOn = async ({ finished }: Load, counts: MoveCounts): Promise<void> => {
  const answers = (): number => finished.filter(({ outcome }) => outcome.kind !== 'broken').length
  const movements = (): number => counts.transfers + counts.refused + counts.moves
  const [answered, moved] = [answers() + leastAnswers, movements() + leastMovements]
  while (answers() < answered || movements() < moved) await wait(20)
}

/** Kills nodes in turn while clients call, stops them politely, and compares everything. Throws when a node does not start. */
export const runKills = async (run: KillRun): Promise<KillSummary> => {
  const {
    engine,
    kills,
    seed,
    clients = 12,
    attackShare = 0.4,
    calls = 0,
    lifeMs,
    environment = {},
    victims = 'nodes',
  } = run
  const { progress = () => {} } = run
  const begun = performance.now()
  const random = seeded(seed)
  const upstream = await startCountingUpstream()
  const cluster = await openCluster(engine, { ...environment })
  const problems: string[] = []
  let killed = 0
  let slowestStart = 0
  let slowestStop = 0
  let load: Load | undefined
  let mover: Mover | undefined
  /** How much each node had printed when it was last started. */
  const printedBefore = new Map<Site, number>()

  const start = async (node: Site): Promise<void> => {
    printedBefore.set(node, node.output().length)
    slowestStart = Math.max(slowestStart, await within(mostStartMs, 'a start', node.restart()))
  }

  /** Some starts are cut short too, so that what a start replays must survive its own end. */
  const killAndStart = async (node: Site): Promise<void> => {
    const { exitCode, signalCode } = node.process
    if (exitCode !== null || signalCode !== null) problems.push(`a node ended by itself: ${exitCode ?? signalCode}`)
    await node.kill()
    if (random() < 0.25) {
      const cut = node.restart().catch(() => undefined)
      await wait(random() * 1500)
      await node.kill()
      await start(node)
      await cut
      return
    }
    await start(node)
  }

  try {
    const { nodes } = cluster
    const [first] = nodes
    if (first === undefined) throw new Error('a cluster has a node')
    const urls = nodes.map(({ url }) => url)
    const { keys, credits, topUp } = await openAccounts(first.url, upstream.url)
    const wallets = await openWallets(first.url, await signIn(first.url))
    load = startLoad({
      urls,
      keys: { ...keys, ...wallets.keys },
      clients,
      attackShare,
      seed,
      usually: usualOf(run),
    })
    mover = wallets.start(urls, seed)
    for (let kill = 1; kill <= kills || reached(load) < calls; kill += 1) {
      if (run.onlyWallets === true) await movedOn(load, mover.counts)
      await wait(random() * (lifeMs ?? (kill % 5 === 0 ? longLifeMs : shortLifeMs)))
      const node = nodes[Math.floor(random() * nodes.length)] ?? first
      if (victims === 'nodes') await killAndStart(node)
      else await killWorker(node, random)
      if (kill % killsPerTopUp === 0) await topUp()
      killed = kill
      progress(`${engine}: ${kill} of ${kills} kills, ${load.finished.length} calls`)
    }
    if (run.onlyWallets === true) await movedOn(load, mover.counts)
    else await wait(1000)
    await load.stop()
    await mover.stop()
    const receipts = await checkReceipts(first.url, load.finished, { most: mostReceipts, random })
    problems.push(...receipts.problems)
    // One that is starting when the node stops leaves its journal to the next start.
    const hasWorkers = Number(environment.WORKERS ?? 1) > 1
    if (hasWorkers) for (const node of nodes) while (!allServe(node, printedBefore.get(node) ?? 0)) await wait(50)
    for (const node of nodes) slowestStop = Math.max(slowestStop, await within(mostStopMs, 'a stop', node.stop()))

    const { finished } = load
    problems.push(...(await wallets.judge({ database: cluster.database, credits, finished })))
    const found = await reconcile(cluster.database, credits, finished, upstream.served)
    const verify = verifyLedger(cluster)
    if (!verify.includes(' 0 differences')) problems.push(`ledger:verify: ${verify}`)
    const left = cluster.leftInJournals()
    if (left.length > 0) problems.push(`left in the journals: ${left.join(', ')}`)
    const count = (kind: string): number => finished.filter(({ outcome }) => outcome.kind === kind).length
    return {
      engine,
      nodes: nodes.length,
      seed,
      kills: killed,
      calls: finished.length,
      complete: count('complete'),
      refused: count('refused'),
      broken: count('broken'),
      receipts: receipts.checked,
      answers: answersOf(finished),
      moved: mover.counts,
      ...found,
      verify: verify.split('\n').at(-1) ?? '',
      slowestStart: Math.round(slowestStart),
      slowestStop: Math.round(slowestStop),
      seconds: Math.round((performance.now() - begun) / 1000),
      problemCount: problems.length + found.problemCount,
      problems: [...problems, ...found.problems],
    }
  } catch (error) {
    for (const node of cluster.nodes) progress(node.output().slice(-3000))
    throw error
  } finally {
    mover?.abandon()
    await load?.stop()
    await cluster.remove()
    await upstream.close()
  }
}
