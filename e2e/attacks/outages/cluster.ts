import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type OwnPostgres, ownPostgres } from '../../../server/test/support/db/own-postgres.ts'
import { type TestRedis, testRedis } from '../../../server/test/support/lib/redis.ts'
import { type Site, startSite } from '../../support/site.ts'

/** Three nodes with two workers each, on a PostgreSQL and a Redis of their own. */
export interface OwnCluster {
  readonly nodes: readonly Site[]
  readonly redis: TestRedis
  readonly postgres: OwnPostgres
  /** Environment that a command needs to find the same database. */
  readonly environment: Readonly<Record<string, string>>
  /** Names of journal segments that are left. */
  leftInJournals(): readonly string[]
  remove(): Promise<void>
}

const names = ['first', 'second', 'third']

const segmentsOf = ({ directory }: Site): readonly string[] =>
  ['journal', 'journal-2'].flatMap((name) => {
    const journal = join(directory, name)
    return existsSync(journal) ? readdirSync(journal) : []
  })

export const openOwnCluster = async (): Promise<OwnCluster> => {
  const postgres = await ownPostgres()
  const redis = await testRedis()
  await Promise.all([postgres.start(), redis.start()])
  const environment = {
    WORKERS: '2',
    SQL_DSN: postgres.url,
    SQL_MAX_OPEN_CONNS: '6',
    REDIS_CONN_STRING: redis.url,
    CRYPTO_SECRET: 'shared by all nodes',
  }
  const nodes: Site[] = []
  for (const name of names) nodes.push(await startSite({ ...environment, NODE_NAME: name }))
  return {
    nodes,
    redis,
    postgres,
    environment: { ...environment, DATA_DIR: nodes[0]?.directory ?? '' },
    leftInJournals: () => nodes.flatMap(segmentsOf),
    async remove() {
      await Promise.all(nodes.map((node) => node.kill()))
      await Promise.all(nodes.map((node) => node.remove()))
      await redis.stop()
      await postgres.remove()
    },
  }
}
