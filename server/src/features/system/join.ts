import { getNeighbours, getSystemInfo, type Neighbours, type SystemInfo } from '@tollgate/contract'
import type { FeatureKit } from '../../app/parts.ts'
import { version } from '../../config/version.ts'
import type { On } from '../../http/route.ts'
import { unixSeconds } from '../../lib/clock.ts'

/** Facts about the answering node, and about the gateways beside it, for operators. */
const systemRoutes = (on: On, info: () => Promise<SystemInfo>, neighbours: () => Neighbours): void => {
  on(getSystemInfo, async () => ({ data: await info() }))
  on(getNeighbours, () => ({ data: neighbours() }))
}

/** Names that the banner of the console shows. */
const mostNeighbours = 20

interface EndedBackup {
  /** Unix seconds. */
  readonly time: number
}

type LastBackups = () => Promise<Readonly<Record<'written' | 'failed', EndedBackup | undefined>>>

/** Joins the facts of this node, and those of gateways beside it; `lastBackups` reads how the last ones ended. */
export const joinSystem = (
  { config, clock, database, logDatabase, neighbours, on }: FeatureKit,
  lastBackups: LastBackups,
): void => {
  const node = {
    version,
    start_time: unixSeconds(clock),
    node_name: config.nodeName,
    node_type: config.nodeIsSlave ? 'slave' : 'master',
    runtime: `Node ${process.version}`,
    database: database.engine,
    log_database: logDatabase === database ? null : logDatabase.engine,
    redis: config.redis !== undefined,
  } as const
  const backups = async (): Promise<SystemInfo['backups']> => {
    if (config.backups.to === undefined) return null
    const { written, failed } = await lastBackups()
    return { written: written?.time ?? 0, failed: failed?.time ?? 0 }
  }
  systemRoutes(
    on,
    async () => ({ ...node, backups: await backups() }),
    () => ({
      node: config.nodeName,
      serving: neighbours.stranger ?? '',
      refusing: neighbours.refusing.slice(0, mostNeighbours),
    }),
  )
}
