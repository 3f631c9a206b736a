import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseAddress, Engine } from '../../../server/src/db/database.ts'
import { places } from '../../../server/test/support/db/places.ts'
import { redisHere, testRedis } from '../../../server/test/support/lib/redis.ts'
import { type Site, startSite } from '../../support/site.ts'

/** One node on SQLite, or two on a database server and a Redis. */
export interface Cluster {
  readonly nodes: readonly Site[]
  readonly database: DatabaseAddress
  /** Environment that a command needs to find the same database. */
  readonly environment: Readonly<Record<string, string>>
  /** Names of journal segments that are left. */
  leftInJournals(): readonly string[]
  remove(): Promise<void>
}

const connections = '6'

const leftInJournals = (nodes: readonly Site[]): readonly string[] =>
  nodes.flatMap(({ directory }) =>
    // Those of further workers stand beside that of the first.
    ['journal', 'journal-2'].flatMap((name) => {
      const journal = join(directory, name)
      return existsSync(journal) ? readdirSync(journal) : []
    }),
  )

const openSingle = async (environment: Record<string, string>, program?: string): Promise<Cluster> => {
  const node = await startSite(environment, program)
  return {
    nodes: [node],
    database: { engine: 'sqlite', url: join(node.directory, 'tollgate.db') },
    environment: { ...environment, DATA_DIR: node.directory },
    leftInJournals: () => leftInJournals([node]),
    remove: () => node.remove(),
  }
}

const openShared = async (
  engine: 'postgres' | 'mysql',
  environment: Record<string, string>,
  program?: string,
): Promise<Cluster> => {
  if (!redisHere) throw new Error('two nodes need redis-server')
  const place = await places[engine]()
  const redis = await testRedis()
  await redis.start()
  const shared = {
    ...environment,
    SQL_DSN: place.address.url,
    SQL_MAX_OPEN_CONNS: connections,
    REDIS_CONN_STRING: redis.url,
    CRYPTO_SECRET: 'shared by both nodes',
  }
  const first = await startSite({ ...shared, NODE_NAME: 'first' }, program)
  const second = await startSite({ ...shared, NODE_NAME: 'second' }, program)
  const nodes = [first, second]
  return {
    nodes,
    database: place.address,
    environment: { ...shared, DATA_DIR: first.directory },
    leftInJournals: () => leftInJournals(nodes),
    async remove() {
      for (const node of nodes) await node.remove()
      await redis.stop()
      await place.remove()
    },
  }
}

/** `program` is the folder of another version that begins. */
export const openCluster = (engine: Engine, environment: Record<string, string>, program?: string): Promise<Cluster> =>
  engine === 'sqlite' ? openSingle(environment, program) : openShared(engine, environment, program)
