import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLog } from '../src/lib/log.ts'
import { localBus } from '../src/lib/redis/local-bus.ts'
import { openSessionCounts } from '../src/relay/sessions/session-counts.ts'

/** By how many calls a session passes a limit of 1,000 calls, at so many nodes or workers that take turns (docs/operations.md). */

const limit = 1000
const seconds = 3

/** Nodes that hear each other at once. */
const openNodes = (nodes: number) => {
  const buses = Array.from({ length: nodes }, () => localBus(silentLog))
  return buses.map((bus) => ({
    subscribe: bus.subscribe,
    ready: async () => {},
    publish(topic: string, message = '') {
      for (const other of buses) other.deliver(topic, { kind: 'message', message, own: other === bus })
    },
  }))
}

const overshoot = async (nodes: number, perSecond: number): Promise<number> => {
  const counts = openNodes(nodes).map((bus) => openSessionCounts({ clock: Date.now, bus }))
  const id = randomUUID().replaceAll('-', '').slice(0, 16)
  let admitted = 0
  let asked = 0
  const from = performance.now()
  while (performance.now() - from < seconds * 1000) {
    const due = ((performance.now() - from) / 1000) * perSecond
    for (; asked < due; asked += 1) {
      const node = counts[asked % nodes]
      if (node === undefined || node.sum(id).calls >= limit) continue
      node.called(id)
      admitted += 1
    }
    await sleep(1)
  }
  return admitted - limit
}

for (const perSecond of [500, 2000, 10_000]) {
  for (const nodes of [1, 2, 4, 8]) {
    const runs = []
    for (let run = 0; run < 3; run += 1) runs.push(await overshoot(nodes, perSecond))
    console.log(`${perSecond} a second over ${nodes}: ${runs.toSorted((a, b) => a - b).join(', ')} calls too many`)
  }
}
