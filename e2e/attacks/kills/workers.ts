import { setTimeout as wait } from 'node:timers/promises'
import { childrenOf } from '../../support/child-processes.ts'
import type { Site } from '../../support/site.ts'

/** True if both workers of a node listen, by what it has printed since `from`, a length of its output. */
export const allServe = ({ output }: Site, from = 0): boolean => {
  const away = new Set([1, 2])
  for (const line of output().slice(from).split('\n')) {
    const worker = Number(/"worker":(\d+)/.exec(line)?.[1])
    if (line.includes('"worker_ended"')) away.add(worker)
    if (line.includes('Tollgate listens')) away.delete(worker)
  }
  return away.size === 0
}

/**
 * Kills one of a node's workers. The node replaces it while it goes on with the others; one that has just started dies as well.
 * Resolves when the node answers. Throws where a node has no workers.
 */
export const killWorker = async ({ process: supervisor, url }: Site, random: () => number): Promise<void> => {
  const parent = supervisor.pid ?? 0
  const workers = childrenOf(parent)
  const victim = workers[Math.floor(random() * workers.length)]
  // Both may be on their way.
  if (victim !== undefined) {
    process.kill(victim, 'SIGKILL')
    // Until its parent has noticed, a call may still be handed to it and lost, also one of the operator.
    while (childrenOf(parent).includes(victim)) await wait(5)
  }
  // While both workers are away the port is closed.
  const answers = (): Promise<boolean> => fetch(`${url}/livez`).then(Boolean, () => false)
  while (!(await answers())) await wait(50)
}
