import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '../../lib/redis/bus.ts'
import { readReport, reportTopic, watchTopic } from './live-nodes.ts'
import type { NodeReport } from './node-report.ts'

const longestWaitMs = 1_500
const mostNodes = 200

/** Reports of the nodes on a bus, for a command that is no node; nodes that answer too late are missing. */
export const askNodes = async (
  bus: Pick<Bus, 'publish' | 'subscribe' | 'ready'>,
  waitMs = longestWaitMs,
): Promise<readonly NodeReport[]> => {
  const found = new Map<string, NodeReport>()
  const stop = bus.subscribe(reportTopic, (notice) => {
    if (notice.kind !== 'message') return
    const report = readReport(notice.message)
    if (report !== undefined && found.size < mostNodes) found.set(report.id, report)
  })
  await Promise.race([bus.ready(), sleep(waitMs, undefined, { ref: false })])
  bus.publish(watchTopic)
  await sleep(waitMs)
  stop()
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name))
}
