import { silentLog } from '../lib/log.ts'
import { openBus } from '../lib/redis/bus.ts'
import { askNodes } from '../telemetry/live/ask-nodes.ts'
import type { NodeReport } from '../telemetry/live/node-report.ts'

/** A sentence about the nodes and their versions. */
export const nodesText = (reports: readonly Pick<NodeReport, 'name' | 'version' | 'state'>[]): string => {
  if (reports.length === 0) return 'No node answers over Redis: all are stopped, or they use another one.'
  const versions = new Set(reports.map(({ version }) => version))
  const list = reports.map(({ name, version, state }) => `${name} ${version}${state === 'ready' ? '' : ` (${state})`}`)
  return `Nodes that run: ${list.join(', ')}.${versions.size > 1 ? ' They are of several versions.' : ''}`
}

/** Asks the nodes that share a Redis for their versions. Without one there is a single node, which this does not see. */
export const runningNodes = async (redis: string | undefined): Promise<string> => {
  if (redis === undefined) return 'Without REDIS_CONN_STRING there is one node, which is not asked for its version.'
  const bus = openBus({ redis, nodeName: 'upgrade', log: silentLog })
  try {
    return nodesText(await askNodes(bus))
  } finally {
    await bus.close()
  }
}
