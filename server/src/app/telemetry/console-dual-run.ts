import { createDualRuns, type DualRunSettings, mostAnswerBytes } from '../../features/dual-run/dual-runs.ts'
import { dualRunRoutes } from '../../features/dual-run/routes.ts'
import { createSecondGateway } from '../../features/dual-run/second-gateway.ts'
import { openDualRunStore } from '../../features/dual-run/store.ts'
import type { On } from '../../http/route.ts'
import { every } from '../../jobs/every.ts'
import type { SwitchedCaptures } from '../../relay/captures.ts'
import type { SharedParts } from '../parts.ts'

const purgeEveryMs = 3_600_000
const timeoutMs = 600_000

export interface DualRunSide {
  readonly captures: SwitchedCaptures
  close(): Promise<void>
}

/** Joins the dual run: what the relay asks at each call, and its results in the console. */
export const joinDualRun = (
  { database, secrets, clock, options, log, operatorEgress, prices }: SharedParts,
  on: On,
): DualRunSide => {
  const failed = (error: unknown): void => log.warn('dual_run_failed', { error })
  const read = (): DualRunSettings => ({
    on: options.get('DualRunAddress') !== '',
    share: options.get('DualRunShare'),
    dailyLimit: options.get('DualRunDailyQuota'),
    models: new Set(options.get('DualRunModels')),
    keys: new Set(options.get('DualRunTokens').map(Number)),
  })
  let settings = read()
  const unsubscribe = options.subscribe(() => {
    settings = read()
  })
  const runs = createDualRuns({
    settings: () => settings,
    store: openDualRunStore({ database, secrets }),
    ask: createSecondGateway({
      egress: operatorEgress,
      address: () => options.get('DualRunAddress'),
      key: () => options.get('DualRunKey'),
      mostBytes: mostAnswerBytes,
      timeoutMs,
      clock,
    }),
    priceOf: ({ model, caller }) => prices.of(model, caller.group, { acceptsUnpriced: caller.acceptsUnpricedModels }),
    clock,
    random: Math.random,
    failed,
  })
  dualRunRoutes(on, runs)
  const stop = every(purgeEveryMs, runs.purge, failed)
  return {
    captures: {
      open: runs.open,
      get isOn() {
        return settings.on
      },
      watch: options.subscribe,
    },
    async close() {
      stop()
      unsubscribe()
      await Promise.race([runs.idle(), new Promise((resolve) => setTimeout(resolve, 1_000).unref())])
    },
  }
}
