import type { Engine } from '../../server/src/db/database.ts'
import { openAccounts } from '../attacks/kills/accounts.ts'
import { openCluster } from '../attacks/kills/cluster.ts'
import { type Finished, type Load, startLoad } from '../attacks/kills/load.ts'
import { type Reconciliation, reconcile } from '../attacks/kills/reconcile.ts'
import { startCountingUpstream } from '../attacks/kills/upstream.ts'
import { verifyLedger } from '../attacks/kills/verify-ledger.ts'
import { type Balancer, startBalancer } from './balancer.ts'

export interface UpgradeRun {
  readonly engine: Engine
  /** Folder of the earlier version. */
  readonly earlier: string
  readonly clients: number
  readonly seed: number
  /** How long all nodes, and nodes of both versions, serve before the next one changes. Milliseconds. */
  readonly phaseMs: number
  readonly environment?: Readonly<Record<string, string>>
  readonly progress?: (text: string) => void
}

/** Result of a run; `problems` is empty when everything agrees. */
export interface UpgradeSummary extends Reconciliation {
  readonly engine: Engine
  readonly nodes: number
  readonly seed: number
  readonly calls: number
  readonly complete: number
  /** Calls of callers who cannot pay. */
  readonly refused: number
  /** Calls that failed for another reason. */
  readonly failed: number
  /** Calls that the balancer sent again because a node refused the connection. */
  readonly repeats: number
  readonly verify: string
  readonly slowestStart: number
  readonly slowestStop: number
  readonly seconds: number
}

const current = undefined
/** From the signal to stop until a node listens no more: a balancer sees it in that time. */
const shutdownDelay = { SHUTDOWN_DELAY: '1' }
const unpaid = new Set([402, 403, 429])

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const measured = async (work: Promise<void>): Promise<number> => {
  const begun = performance.now()
  await work
  return Math.round(performance.now() - begun)
}

const isRefused = ({ kind, outcome }: Finished): boolean => kind.payer === 'poor' && unpaid.has(outcome.status)

/**
 * Rolls nodes from an earlier version to this one and back while clients call through a balancer and the console changes
 * balances and keys, then compares everything. On SQLite there is one node, for which the balancer waits.
 */
export const runUpgrade = async (run: UpgradeRun): Promise<UpgradeSummary> => {
  const { engine, earlier, clients, seed, phaseMs, environment = {}, progress = () => {} } = run
  const begun = performance.now()
  const upstream = await startCountingUpstream()
  const cluster = await openCluster(engine, { ...shutdownDelay, ...environment }, earlier)
  const { nodes } = cluster
  let load: Load | undefined
  let balancer: Balancer | undefined
  let [slowestStart, slowestStop] = [0, 0]
  try {
    balancer = await startBalancer(nodes.map(({ url }) => url))
    const { keys, credits, topUp, addRichKey } = await openAccounts(balancer.url, upstream.url)
    load = startLoad({ urls: [balancer.url], keys, clients, attackShare: 0, seed })
    await wait(phaseMs)
    for (const version of [current, earlier]) {
      for (const [index, node] of nodes.entries()) {
        slowestStop = Math.max(slowestStop, await measured(node.stop()))
        slowestStart = Math.max(slowestStart, await measured(node.restart(version)))
        await topUp()
        await addRichKey()
        await wait(phaseMs)
        const name = version === earlier ? 'earlier' : 'this'
        progress(`${engine}: node ${index + 1} runs ${name} version, ${load.finished.length} calls`)
      }
    }
    await load.stop()
    for (const node of nodes) await node.stop()

    const { finished } = load
    const found = await reconcile(cluster.database, credits, finished, upstream.served)
    const complete = finished.filter(({ outcome }) => outcome.kind === 'complete').length
    const refused = finished.filter(isRefused).length
    const failures = finished.filter((call) => call.outcome.kind !== 'complete' && !isRefused(call))
    const problems = failures.map(
      ({ kind, mark, outcome }) => `${kind.name} (${mark}) failed: ${outcome.status} ${outcome.text.slice(-300)}`,
    )
    problems.push(...balancer.broken)
    if (balancer.givenUp() > 0) problems.push(`${balancer.givenUp()} calls were taken by no node`)
    const verify = verifyLedger(cluster)
    if (!verify.includes(' 0 differences')) problems.push(`ledger:verify: ${verify}`)
    const verifyBefore = verifyLedger(cluster, earlier)
    if (!verifyBefore.includes(' 0 differences')) problems.push(`ledger:verify of the earlier version: ${verifyBefore}`)
    const left = cluster.leftInJournals()
    if (left.length > 0) problems.push(`left in the journals: ${left.join(', ')}`)
    return {
      engine,
      nodes: nodes.length,
      seed,
      calls: finished.length,
      complete,
      refused,
      failed: failures.length,
      repeats: balancer.repeats(),
      ...found,
      verify: verify.split('\n').at(-1) ?? '',
      slowestStart,
      slowestStop,
      seconds: Math.round((performance.now() - begun) / 1000),
      problemCount: problems.length + found.problemCount,
      problems: [...problems.slice(0, 40), ...found.problems],
    }
  } catch (error) {
    for (const node of nodes) progress(node.output().slice(-3000))
    throw error
  } finally {
    await load?.stop()
    await cluster.remove()
    await balancer?.close()
    await upstream.close()
  }
}
