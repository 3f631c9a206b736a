import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../../server/src/db/database.ts'
import { verifyLedger } from '../../attacks/kills/verify-ledger.ts'
import { within } from '../../attacks/kills/within.ts'
import { addChannel, addCustomer, addKey, signIn } from '../../support/operator.ts'
import type { JobCluster } from './cluster.ts'
import { batchIds, endSubmissions, type JobCounts, judgeJobs, openJobs } from './judge.ts'
import { digestOf, type JobLoad } from './load.ts'
import { unnamedObjects } from './objects.ts'
import { batchModel, type Served } from './provider.ts'
import { bringDeadlines, listSubmissions, lookNow } from './provider-time.ts'
import { readResults } from './results.ts'

/** User that pays for all jobs of a run, and the balance at its beginning. */
export interface Payer {
  readonly id: number
  readonly key: string
  readonly balance: number
}

/** Ends of the jobs of a run; `problems` is empty when everything agrees. */
export interface EndedJobs extends JobCounts {
  /** Seconds until every job had its end. */
  readonly settledAfter: number
  /** The last line of the verification of the ledger. */
  readonly verify: string
}

export interface EndParts {
  readonly cluster: JobCluster
  readonly database: Database
  /** Has stopped. */
  readonly load: JobLoad
  readonly served: Served
  readonly payer: Payer
}

const balance = 1_000_000_000_000
const mostSettleMs = 240_000
const mostStopMs = 60_000
const mostProblems = 60

/** Adds a channel to a provider of jobs, and a customer with a key. */
export const openPayer = async (url: string, providerUrl: string): Promise<Payer> => {
  const operator = await signIn(url)
  await addChannel(operator, providerUrl, { models: 'gpt-4o,sora-2' })
  const customer = await addCustomer(url, operator, 'jobs', balance)
  return { id: customer.id, key: await addKey(customer), balance }
}

/** The same with a second channel to it, whose batches it runs. */
export const openBatchPayer = async (url: string, providerUrl: string): Promise<Payer> => {
  const payer = await openPayer(url, providerUrl)
  const operator = await signIn(url)
  await addChannel(operator, providerUrl, { models: batchModel })
  await operator.must('PUT', '/api/option/', { key: 'BatchProviderChannels', value: '2' })
  return payer
}

/** Waits until every job has its end; what was submitted without an outcome ends after its time. Answers what has none. */
const settle = async (database: Database): Promise<readonly string[]> => {
  for (const until = performance.now() + mostSettleMs; ; ) {
    const open = await openJobs(database)
    if (Object.values(open).every((count) => count === 0)) return []
    if (open.unsubmitted > 0) await endSubmissions(database)
    if (open.batches > 0) {
      await listSubmissions(database)
      await bringDeadlines(database, 0)
      await lookNow(database)
    }
    if (performance.now() > until) return [`jobs without an end: ${JSON.stringify(open)}`]
    await wait(500)
  }
}

/** Lets all jobs end, reads their results as their client does, stops the nodes, and compares everything. */
export const endJobs = async ({ cluster, database, load, served, payer }: EndParts): Promise<EndedJobs> => {
  const { nodes } = cluster
  const begun = performance.now()
  const problems = [...(await settle(database))]
  const settledAfter = Math.round((performance.now() - begun) / 1000)
  const url = nodes[0]?.url ?? ''
  const read = { acknowledged: load.acknowledged, batches: await batchIds(database) }
  const results = await readResults(url, payer.key, read, digestOf)
  problems.push(...results.problems)
  for (const node of nodes) await within(mostStopMs, 'a stop', node.stop())
  const found = await judgeJobs({ database, load, served, payer, lineCosts: results.lineCosts })
  const verify = verifyLedger(cluster)
  if (!verify.includes(' 0 differences')) problems.push(`ledger:verify: ${verify}`)
  const unnamed = cluster.folder === undefined ? [] : await unnamedObjects(database, cluster.folder)
  problems.push(...unnamed.map((name) => `nothing names the object ${name}`))
  return {
    settledAfter,
    ...found,
    verify: verify.split('\n').at(-1) ?? '',
    problems: [...problems, ...found.problems].slice(0, mostProblems),
  }
}
