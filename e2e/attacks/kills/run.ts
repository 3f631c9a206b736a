import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Engine } from '../../../server/src/db/database.ts'
import { seeded } from '../../../server/test/support/ledger/chance.ts'
import { childrenOf } from '../../support/child-processes.ts'
import { addChannel, addCustomer, addKey, signIn } from '../../support/operator.ts'
import type { Site } from '../../support/site.ts'
import type { Payer } from './call-kinds.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { type Load, startLoad } from './load.ts'
import { type Reconciliation, reconcile } from './reconcile.ts'
import { startCountingUpstream } from './upstream.ts'

export interface KillRun {
  readonly engine: Engine
  readonly kills: number
  readonly seed: number
  /** Clients that call at the same time (12). */
  readonly clients?: number
  /** Share of calls that are attacks (0.4). */
  readonly attackShare?: number
  readonly environment?: Readonly<Record<string, string>>
  /** What is killed: whole nodes (the usual), or one of the workers of a node that is left running. */
  readonly victims?: 'nodes' | 'workers'
  readonly progress?: (text: string) => void
}

/** What a run found; `problems` is empty when everything agrees. */
export interface KillSummary extends Reconciliation {
  readonly engine: Engine
  readonly nodes: number
  readonly seed: number
  readonly kills: number
  readonly calls: number
  readonly complete: number
  readonly refused: number
  readonly broken: number
  readonly verify: string
  /** Milliseconds from a start to the first answer, at most; and from SIGTERM to the end. */
  readonly slowestStart: number
  readonly slowestStop: number
  readonly seconds: number
}

const root = join(import.meta.dirname, '../../..')
const richBalance = 1_000_000_000_000
const poorBalance = 3000
const poorUsers = 4
const killsPerTopUp = 3
const shortLifeMs = 1200
/** Long enough for a stream to be marked in the journal while it runs. */
const longLifeMs = 3000
const mostStartMs = 120_000
const mostStopMs = 60_000

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Whether every worker that ended listens again, by what the node has printed. */
const allServe = ({ output }: Site): boolean => {
  const away = new Set([1, 2])
  for (const line of output().split('\n')) {
    const worker = Number(/"worker":(\d+)/.exec(line)?.[1])
    if (line.includes('"worker_ended"')) away.add(worker)
    if (line.includes('Tollgate listens')) away.delete(worker)
  }
  return away.size === 0
}

const within = async (ms: number, what: string, work: Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms)
  })
  try {
    await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
  return performance.now() - begun
}

interface Opened {
  readonly keys: Readonly<Record<Payer, readonly string[]>>
  /** What each user was given, by id. */
  readonly credits: ReadonlyMap<number, number>
  /** Gives the poor something to spend, while they spend it. */
  topUp(): Promise<void>
}

const openSite = async (url: string, upstreamUrl: string): Promise<Opened> => {
  const operator = await signIn(url)
  await addChannel(operator, upstreamUrl)
  const credits = new Map<number, number>()
  const openAccount = async (name: string, balance: number): Promise<{ id: number; key: string }> => {
    const person = await addCustomer(url, operator, name, balance)
    credits.set(person.id, balance)
    return { id: person.id, key: await addKey(person) }
  }
  const rich = [(await openAccount('rich', richBalance)).key]
  const poorAccounts: { id: number; key: string }[] = []
  for (let number = 1; number <= poorUsers; number += 1)
    poorAccounts.push(await openAccount(`poor${number}`, poorBalance))
  const poor = poorAccounts.map(({ key }) => key)
  const nobody = Array.from({ length: 5 }, (_, index) => `sk-${String(index).repeat(48)}`)
  const topUp = async (): Promise<void> => {
    for (const { id } of poorAccounts) {
      await operator.must('PUT', '/api/user/', { id, quota_delta: poorBalance, reason: 'kills' })
      credits.set(id, (credits.get(id) ?? 0) + poorBalance)
    }
  }
  return { keys: { rich, poor, nobody }, credits, topUp }
}

const verifyLedger = ({ environment }: Cluster): string => {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'server/src/ledger/verify/verify-command.ts')], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
  return `${stdout}${stderr}`.trim().slice(-1000)
}

/** Kills nodes in turn while clients call, stops them politely, and compares everything. Throws when a node does not start. */
export const runKills = async (run: KillRun): Promise<KillSummary> => {
  const { engine, kills, seed, clients = 12, attackShare = 0.4, environment = {}, victims = 'nodes' } = run
  const { progress = () => {} } = run
  const begun = performance.now()
  const random = seeded(seed)
  const upstream = await startCountingUpstream()
  const cluster = await openCluster(engine, { ...environment })
  const problems: string[] = []
  let slowestStart = 0
  let slowestStop = 0
  let load: Load | undefined

  const start = async (node: Site): Promise<void> => {
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

  /** The node replaces it while it goes on with the others; one that has just started dies as well. */
  const killWorker = async ({ process: supervisor, url }: Site): Promise<void> => {
    const workers = childrenOf(supervisor.pid ?? 0)
    const victim = workers[Math.floor(random() * workers.length)]
    if (victim === undefined) problems.push('a node has no workers')
    else process.kill(victim, 'SIGKILL')
    // Where both are away the port is closed.
    const answers = (): Promise<boolean> => fetch(`${url}/livez`).then(Boolean, () => false)
    while (!(await answers())) await wait(50)
  }

  try {
    const { nodes } = cluster
    const [first] = nodes
    if (first === undefined) throw new Error('a cluster has a node')
    const { keys, credits, topUp } = await openSite(first.url, upstream.url)
    load = startLoad({ urls: nodes.map(({ url }) => url), keys, clients, attackShare, seed })
    for (let kill = 1; kill <= kills; kill += 1) {
      await wait(random() * (kill % 5 === 0 ? longLifeMs : shortLifeMs))
      const node = nodes[Math.floor(random() * nodes.length)] ?? first
      if (victims === 'nodes') await killAndStart(node)
      else await killWorker(node)
      if (kill % killsPerTopUp === 0) await topUp()
      progress(`${engine}: ${kill} of ${kills} kills, ${load.finished.length} calls`)
    }
    await wait(1000)
    await load.stop()
    // One that is starting when the node stops leaves its journal to the next start.
    if (victims === 'workers') for (const node of nodes) while (!allServe(node)) await wait(50)
    for (const node of nodes) slowestStop = Math.max(slowestStop, await within(mostStopMs, 'a stop', node.stop()))

    const { finished } = load
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
      kills,
      calls: finished.length,
      complete: count('complete'),
      refused: count('refused'),
      broken: count('broken'),
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
    await load?.stop()
    await cluster.remove()
    await upstream.close()
  }
}
