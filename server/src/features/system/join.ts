import { getNeighbours, getSystemInfo, type Neighbours, type SystemInfo } from '@tollgate/contract'
import type { FeatureKit } from '../../app/parts.ts'
import { version } from '../../config/version.ts'
import type { On } from '../../http/route.ts'
import { unixSeconds } from '../../lib/clock.ts'

/** Facts about the answering node, and about the gateways beside it, for operators. */
const systemRoutes = (on: On, info: SystemInfo, neighbours: () => Neighbours): void => {
  on(getSystemInfo, () => ({ data: info }))
  on(getNeighbours, () => ({ data: neighbours() }))
}

/** Names that the banner of the console shows. */
const mostNeighbours = 20

/** Joins the facts of this node, and those of gateways beside it. */
export const joinSystem = ({ config, clock, database, logDatabase, neighbours, on }: FeatureKit): void =>
  systemRoutes(
    on,
    {
      version,
      start_time: unixSeconds(clock),
      node_name: config.nodeName,
      node_type: config.nodeIsSlave ? 'slave' : 'master',
      runtime: `Node ${process.version}`,
      database: database.engine,
      log_database: logDatabase === database ? null : logDatabase.engine,
      redis: config.redis !== undefined,
    },
    () => ({
      node: config.nodeName,
      serving: neighbours.stranger ?? '',
      refusing: neighbours.refusing.slice(0, mostNeighbours),
    }),
  )
