import { join as joinPath } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { engineOf } from '#server/db/dialect.ts'
import { openNamedJobs } from '#server/jobs/named-jobs.ts'
import { openParquet } from '#server/lib/parquet/parquet.ts'
import { openPlace } from '#server/lib/places/open-place.ts'
import { createGuardedPost } from '#server/lib/security/guarded-post.ts'
import { createObjectSink } from './object-sink.ts'
import { createOtlpSink } from './otlp-sink.ts'
import { usageSinkRoutes } from './routes.ts'
import { openUsageSinkStore } from './store.ts'
import { usageLines } from './usage-lines.ts'
import { createUsageParquet } from './usage-parquet.ts'
import { openUsageSinks } from './usage-sinks.ts'
import { createWebhookSink } from './webhook-sink.ts'

const everyMs = 3_000
/** A receiver that is silent while the process is asked to stop is not waited for any longer; the batch comes again. */
const closeTimeoutMs = 5_000
/** Longer than a transaction that writes log rows takes. */
const settleMs = 10_000

/** Joins the sinks of usage: their state in the console, and the work that sends. */
export const join: JoinModule = ({ on, config, database, logDatabase, clock, options, log, operatorEgress }) => {
  const folder = joinPath(config.dataDir, 'usage-files')
  const parquet = openParquet(folder)
  const usageParquet = createUsageParquet(parquet, folder)
  const post = createGuardedPost(operatorEgress)
  const sinks = openUsageSinks({
    sinks: [
      createWebhookSink({
        address: () => options.get('UsageWebhookAddress'),
        secret: () => options.get('UsageWebhookSecret'),
        post,
        now: clock,
      }),
      createOtlpSink({
        address: () => options.get('UsageOtlpAddress'),
        headers: () => options.get('UsageOtlpHeaders'),
        post,
        service: 'tollgate',
      }),
      createObjectSink({
        place: () => options.get('UsageObjectsPlace').trim(),
        format: () => (options.get('UsageObjectsFormat') === 'parquet' ? usageParquet : usageLines),
        write: (place, name, bytes) => openPlace(place, process.env).write(name, Readable.from([bytes])),
      }),
    ],
    store: openUsageSinkStore({ database, logDatabase }),
    jobs: openNamedJobs(database, clock),
    clock,
    // One process at a time writes a SQLite file, so its ids come in order.
    settleMs: engineOf(logDatabase.query) === 'sqlite' ? 0 : settleMs,
    everyMs,
    failed: (sink, error) => log.warn('usage_not_sent', { sink, error }),
  })
  usageSinkRoutes(on, sinks)
  return {
    async close() {
      await Promise.race([sinks.stop(), sleep(closeTimeoutMs, undefined, { ref: false })])
      await parquet.close()
    },
  }
}
