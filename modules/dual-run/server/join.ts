import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { every } from '#server/jobs/every.ts'
import { createDualRuns, type DualRunSettings, mostAnswerBytes } from './dual-runs.ts'
import { dualRunRoutes } from './routes.ts'
import { createSecondGateway } from './second-gateway.ts'
import { openDualRunStore } from './store.ts'

const purgeEveryMs = 3_600_000
const timeoutMs = 600_000

/** Joins the dual run: what the relay asks at each call, and its results in the console. */
export const join: JoinModule = ({ on, database, secrets, clock, options, log, operatorEgress, prices }) => {
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
