import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { openBackground } from './background.ts'
import { openBackgroundStore } from './store.ts'

/** Between looks for responses that another process has left. */
const everyMs = 10_000

/** Joins responses in the background: what the gateway queues, and the jobs that make them. */
export const join: JoinModule = ({ database, secrets, clock, bus, log, storedObjects, relayOptions }) => {
  const background = openBackground({
    store: openBackgroundStore({ database, secrets, clock }),
    storedObjects,
    bus,
    days: () => relayOptions().storage.days,
    clock,
    everyMs,
    failed: (error) => log.warn('background_answer_failed', { error }),
  })
  return {
    background,
    useGateway: ({ ownCalls, deadlines }) => background.useCalls(ownCalls, deadlines),
    close: background.close,
  }
}
