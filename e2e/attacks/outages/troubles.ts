import { setTimeout as wait } from 'node:timers/promises'
import type { Site } from '../../support/site.ts'
import { allServe, killWorker } from '../kills/workers.ts'
import type { OwnCluster } from './cluster.ts'

/** Failure of a cluster while clients call. */
export interface Trouble {
  readonly name: string
  /** Processes that it kills. */
  readonly kills?: number
  /** Of those, how many start again while Redis is away. */
  readonly startsAlone?: number
  /** Resolves when everything runs again. */
  run(cluster: OwnCluster, random: () => number): Promise<void>
}

const mostAwayMs = 6000
/** Longer than nodes count on their leases without Redis. */
const longAwayMs = 55_000
const longShare = 0.1

const awayMs = (random: () => number): number => (random() < longShare ? longAwayMs : random() * mostAwayMs)

const oneOf = (nodes: readonly Site[], random: () => number): Site => {
  const node = nodes[Math.floor(random() * nodes.length)]
  if (node === undefined) throw new Error('a cluster has a node')
  return node
}

/** Starts a node and waits until both of its workers listen. */
const startAgain = async (node: Site): Promise<void> => {
  const from = node.output().length
  await node.restart()
  while (!allServe(node, from)) await wait(20)
}

const emptyRedis = async ({ redis }: OwnCluster, random: () => number, meanwhile?: () => Promise<void>) => {
  await redis.stop()
  await Promise.all([wait(awayMs(random)), meanwhile?.()])
  await redis.start()
}

const crashedDatabase = async ({ postgres }: OwnCluster, random: () => number, meanwhile?: () => Promise<void>) => {
  await postgres.crash()
  await Promise.all([wait(random() * mostAwayMs), meanwhile?.()])
  await postgres.start()
}

/** A worker that ends while what it needs is away begins anew until it is there; the node's other worker answers meanwhile. */
const workerDies = async (nodes: readonly Site[], random: () => number): Promise<void> => {
  await wait(random() * 1000)
  await killWorker(oneOf(nodes, random), random)
}

/** Failures that a run of outages chooses from. A new one is a new entry here. */
export const troubles: readonly Trouble[] = [
  { name: 'a worker is killed', kills: 1, run: ({ nodes }, random) => killWorker(oneOf(nodes, random), random) },
  {
    name: 'a node is killed',
    kills: 2,
    async run({ nodes }, random) {
      const node = oneOf(nodes, random)
      await node.kill()
      await wait(random() * 2000)
      await startAgain(node)
    },
  },
  {
    name: 'two nodes are killed',
    kills: 4,
    async run({ nodes }, random) {
      const [first, second] = random() < 0.5 ? [nodes[0], nodes[1]] : [nodes[1], nodes[2]]
      if (first === undefined || second === undefined) return
      await Promise.all([first.kill(), second.kill()])
      await Promise.all([startAgain(first), startAgain(second)])
    },
  },
  {
    name: 'all nodes are stopped and started in turn',
    async run({ nodes }) {
      for (const node of nodes) {
        await node.stop()
        await startAgain(node)
      }
    },
  },
  { name: 'Redis is killed and comes back empty', run: (cluster, random) => emptyRedis(cluster, random) },
  {
    name: 'Redis is paused for a while',
    async run({ redis }, random) {
      redis.pause()
      await wait(awayMs(random))
      redis.goOn()
    },
  },
  {
    name: 'a worker is killed while Redis is away',
    kills: 1,
    startsAlone: 1,
    run: (cluster, random) => emptyRedis(cluster, random, () => workerDies(cluster.nodes, random)),
  },
  { name: 'the database crashes and recovers', run: (cluster, random) => crashedDatabase(cluster, random) },
  {
    name: 'a worker is killed while the database is away',
    kills: 1,
    run: (cluster, random) => crashedDatabase(cluster, random, () => workerDies(cluster.nodes, random)),
  },
  {
    name: 'database and Redis are away together',
    run: (cluster, random) => emptyRedis(cluster, random, () => crashedDatabase(cluster, random)),
  },
]
