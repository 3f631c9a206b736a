import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DatabaseAddress, Engine } from '../../../server/src/db/database.ts'
import { places } from '../../../server/test/support/db/places.ts'
import { testRedis } from '../../../server/test/support/lib/redis.ts'
import { openTcpProxy } from '../../../server/test/support/lib/tcp-proxy.ts'
import { type Site, startSite } from '../../support/site.ts'

/** Nodes whose database a test can take away: one on SQLite, two on a database server and a Redis. */
export interface JobCluster {
  readonly nodes: readonly Site[]
  /** The database itself, which is always there. */
  readonly database: DatabaseAddress
  /** Environment that a command needs to find the same database. */
  readonly environment: Readonly<Record<string, string>>
  /** The folder of the bytes of files; absent where they are in the database. */
  readonly folder?: string
  /** Takes the database away from all nodes; answers how it comes back. On SQLite it can be read, and not written. */
  loseDatabase(): () => void
  remove(): Promise<void>
}

const connections = '6'

interface ClusterParts {
  /** Folder of another version that begins. */
  readonly program?: string | undefined
  /** True where the bytes of files stand in a folder that all nodes see, instead of the database. */
  readonly hasFolder?: boolean
}

const openSingle = async (more: Record<string, string>, program?: string): Promise<JobCluster> => {
  const node = await startSite(more, program)
  const file = join(node.directory, 'tollgate.db')
  return {
    nodes: [node],
    database: { engine: 'sqlite', url: file, pool: 1 },
    environment: { DATA_DIR: node.directory },
    loseDatabase() {
      const other = new DatabaseSync(file)
      other.exec('pragma busy_timeout = 20000')
      other.exec('begin immediate')
      return () => {
        other.exec('rollback')
        other.close()
      }
    },
    remove: () => node.remove(),
  }
}

const usualPorts = { postgres: 5432, mysql: 3306 } as const

const openShared = async (
  engine: 'postgres' | 'mysql',
  more: Record<string, string>,
  program?: string,
): Promise<JobCluster> => {
  const place = await places[engine]('tollgate_jobs')
  const redis = await testRedis()
  await redis.start()
  const url = new URL(place.address.url)
  const proxy = await openTcpProxy(url.hostname, Number(url.port || usualPorts[engine]))
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  const shared = {
    SQL_DSN: url.href,
    SQL_MAX_OPEN_CONNS: connections,
    REDIS_CONN_STRING: redis.url,
    CRYPTO_SECRET: 'shared by both nodes',
    ...more,
  }
  const first = await startSite({ ...shared, NODE_NAME: 'first' }, program)
  const second = await startSite({ ...shared, NODE_NAME: 'second' }, program)
  return {
    nodes: [first, second],
    database: { ...place.address, pool: 2 },
    // The test waits for commands, and its proxy with it.
    environment: { ...shared, SQL_DSN: place.address.url, DATA_DIR: first.directory },
    loseDatabase() {
      proxy.cut()
      return proxy.restore
    },
    async remove() {
      for (const node of [first, second]) await node.remove()
      await proxy.close()
      await redis.stop()
      await place.remove()
    },
  }
}

export const openJobCluster = async (
  engine: Engine,
  { program, hasFolder = false }: ClusterParts = {},
): Promise<JobCluster> => {
  const folder = hasFolder ? mkdtempSync(join(tmpdir(), 'tollgate-files-')) : undefined
  const more: Record<string, string> = folder === undefined ? {} : { FILES_TO: folder }
  const cluster = await (engine === 'sqlite' ? openSingle(more, program) : openShared(engine, more, program))
  if (folder === undefined) return cluster
  return {
    ...cluster,
    folder,
    async remove() {
      await cluster.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
