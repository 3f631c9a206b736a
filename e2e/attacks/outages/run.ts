import { setTimeout as wait } from 'node:timers/promises'
import { seeded } from '../../../server/test/support/ledger/chance.ts'
import { signIn } from '../../support/operator.ts'
import { openAccounts } from '../kills/accounts.ts'
import { ofTheFrugal, ofTheLimited, ofTheParallel, overSockets } from '../kills/call-kinds.ts'
import { answersOf, type Finished, type Load, startLoad } from '../kills/load.ts'
import { type Reconciliation, reconcile } from '../kills/reconcile.ts'
import { startCountingUpstream } from '../kills/upstream.ts'
import { verifyLedger } from '../kills/verify-ledger.ts'
import { ofWallets } from '../kills/wallet-kinds.ts'
import { type MoveCounts, type Mover, openWallets } from '../kills/wallets.ts'
import { within } from '../kills/within.ts'
import { allServe } from '../kills/workers.ts'
import { openOwnCluster } from './cluster.ts'
import { type LimitedCallers, openLimitedCallers } from './limited-callers.ts'
import { troubles } from './troubles.ts'

export interface OutageRun {
  /** How many troubles, each kind as often as the others. */
  readonly troubles: number
  readonly seed: number
  readonly clients: number
  /** Share of calls that are attacks. */
  readonly attackShare: number
  readonly progress: (text: string) => void
}

/** How ordinary calls ended that ended during troubles of a kind. */
export interface Meanwhile {
  times: number
  complete: number
  refused: number
  broken: number
}

export interface OutageSummary extends Reconciliation {
  readonly seed: number
  readonly calls: number
  readonly complete: number
  readonly refused: number
  readonly broken: number
  /** Results of the limits. */
  readonly limits: Awaited<ReturnType<LimitedCallers['judge']>>
  /** Whole answers by the name of their kind. */
  readonly answers: Readonly<Record<string, number>>
  /** Transfers that an organisation's owner made meanwhile. */
  readonly moved: MoveCounts
  readonly verify: string
  readonly seconds: number
  readonly meanwhile: Readonly<Record<string, Meanwhile>>
}

const troublesPerTopUp = 3
const calmMs = 1500
const mostTroubleMs = 900_000
const mostStopMs = 60_000

const countInto = (sums: Meanwhile, finished: readonly Finished[]): void => {
  sums.times += 1
  for (const { kind, outcome } of finished) {
    // Refusals of the poor, the limited and attackers have other reasons.
    if (kind.payer === 'rich' && kind.cost !== undefined) sums[outcome.kind] += 1
  }
}

/** Lets one trouble follow another while clients call, stops all nodes politely, and compares everything. */
export const runOutages = async (run: OutageRun): Promise<OutageSummary> => {
  const { seed, clients, attackShare, progress } = run
  const begun = performance.now()
  const random = seeded(seed)
  const upstream = await startCountingUpstream()
  const cluster = await openOwnCluster()
  const { nodes, postgres } = cluster
  const problems: string[] = []
  const meanwhile: Record<string, Meanwhile> = {}
  let load: Load | undefined
  let mover: Mover | undefined
  try {
    const url = nodes[0]?.url ?? ''
    const { keys, credits, topUp } = await openAccounts(url, upstream.url)
    const operator = await signIn(url)
    const limited = await openLimitedCallers(url, operator)
    const wallets = await openWallets(url, operator)
    const urls = nodes.map((node) => node.url)
    load = startLoad({
      urls,
      keys: { ...keys, ...limited.keys, ...wallets.keys },
      clients,
      attackShare,
      seed,
      more: [ofTheLimited, ofTheFrugal, ofTheParallel, ...overSockets, ...ofWallets],
    })
    mover = wallets.start(urls, seed)
    const losses = { killed: 0, startedAlone: 0 }
    let left: (typeof troubles)[number][] = []
    for (let number = 1; number <= run.troubles; number += 1) {
      await wait(calmMs)
      if (left.length === 0) left = [...troubles]
      const [trouble] = left.splice(Math.floor(random() * left.length), 1)
      if (trouble === undefined) break
      const from = load.finished.length
      const ms = await within(mostTroubleMs, trouble.name, trouble.run(cluster, random))
      losses.killed += trouble.kills ?? 0
      losses.startedAlone += trouble.startsAlone ?? 0
      const sums = meanwhile[trouble.name] ?? { times: 0, complete: 0, refused: 0, broken: 0 }
      meanwhile[trouble.name] = sums
      countInto(sums, load.finished.slice(from))
      const broken = nodes.filter((node) => node.process.exitCode !== null || node.process.signalCode !== null)
      for (const node of broken) problems.push(`${node.url} ended by itself: ${node.output().slice(-500)}`)
      progress(`${number} of ${run.troubles}: ${trouble.name}, ${Math.round(ms)} ms, ${load.finished.length} calls`)
      if (number % troublesPerTopUp === 0) {
        // Until a worker that ended is replaced, the operator's call may be handed to it.
        for (const node of nodes) while (!allServe(node)) await wait(50)
        await topUp()
        await limited.raise({ finished: load.finished, upstream })
      }
    }
    await wait(calmMs)
    await load.stop()
    await mover.stop()
    for (const node of nodes) while (!allServe(node)) await wait(50)
    for (const node of nodes) await within(mostStopMs, 'a stop', node.stop())

    const { finished } = load
    const database = { engine: 'postgres', url: postgres.url } as const
    problems.push(...(await wallets.judge({ database, credits, finished })))
    const found = await reconcile(database, credits, finished, upstream.served)
    const verify = verifyLedger(cluster)
    if (!verify.includes(' 0 differences')) problems.push(`ledger:verify: ${verify}`)
    const leftOver = cluster.leftInJournals()
    if (leftOver.length > 0) problems.push(`left in the journals: ${leftOver.join(', ')}`)
    const count = (kind: string): number => finished.filter(({ outcome }) => outcome.kind === kind).length
    const limits = await limited.judge({ database, finished, upstream, losses, clients })
    for (const [name, { amount, through, refused, beyond, allowance }] of Object.entries(limits)) {
      if (beyond > allowance)
        problems.push(`the limit of ${name}, ${amount}, let ${through} through: ${beyond} too many`)
      if (refused === 0) problems.push(`the limit of ${name}, ${amount}, was not reached: ${through}`)
    }
    return {
      seed,
      calls: finished.length,
      complete: count('complete'),
      refused: count('refused'),
      broken: count('broken'),
      limits,
      answers: answersOf(finished),
      moved: mover.counts,
      ...found,
      verify: verify.split('\n').at(-1) ?? '',
      seconds: Math.round((performance.now() - begun) / 1000),
      meanwhile,
      problemCount: problems.length + found.problemCount,
      problems: [...problems, ...found.problems],
    }
  } catch (error) {
    for (const node of nodes) progress(node.output().slice(-3000))
    throw error
  } finally {
    mover?.abandon()
    await load?.stop()
    await cluster.remove()
    await upstream.close()
  }
}
