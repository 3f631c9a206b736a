import { join as joinPath } from 'node:path'
import { Readable } from 'node:stream'
import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { openPlace } from '#server/backup/places/open-place.ts'
import { openClusterJobs } from '#server/db/cluster-jobs.ts'
import { engineOf } from '#server/db/dialect.ts'
import { every } from '#server/jobs/every.ts'
import { openParquet } from '#server/lib/parquet/parquet.ts'
import { createGuardedPost } from '#server/lib/security/guarded-post.ts'
import { createObjectSink } from './object-sink.ts'
import { createOtlpSink } from './otlp-sink.ts'
import { usageSinkRoutes } from './routes.ts'
import { openUsageSinkStore } from './store.ts'
import { usageLines } from './usage-lines.ts'
import { createUsageParquet } from './usage-parquet.ts'
import { createUsageSinks } from './usage-sinks.ts'
import { createWebhookSink } from './webhook-sink.ts'

const everyMs = 3_000
/** Longer than a transaction that writes log rows takes. */
const settleMs = 10_000

/** Joins the sinks of usage: their state in the console, and the work that sends. */
export const join: JoinModule = ({ on, config, database, logDatabase, clock, options, log, operatorEgress }) => {
  const folder = joinPath(config.dataDir, 'usage-files')
  const parquet = openParquet(folder)
  const usageParquet = createUsageParquet(parquet, folder)
  const post = createGuardedPost(operatorEgress)
  const failed = (sink: string, error: unknown): void => log.warn('usage_not_sent', { sink, error })
  const sinks = createUsageSinks({
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
    jobs: openClusterJobs(database, clock),
    clock,
    // One process at a time writes a SQLite file, so its ids come in order.
    settleMs: engineOf(logDatabase.query) === 'sqlite' ? 0 : settleMs,
    failed,
  })
  usageSinkRoutes(on, sinks)
  const stop = every(everyMs, sinks.run, (error) => failed('', error))
  return {
    close() {
      stop()
      void parquet.close()
    },
  }
}
