import { join } from 'node:path'
import { Readable } from 'node:stream'
import { openPlace } from '../../backup/places/open-place.ts'
import { openClusterJobs } from '../../db/cluster-jobs.ts'
import { engineOf } from '../../db/dialect.ts'
import { createObjectSink } from '../../features/usage-sinks/object-sink.ts'
import { createOtlpSink } from '../../features/usage-sinks/otlp-sink.ts'
import { usageSinkRoutes } from '../../features/usage-sinks/routes.ts'
import { openUsageSinkStore } from '../../features/usage-sinks/store.ts'
import { usageLines } from '../../features/usage-sinks/usage-lines.ts'
import { createUsageParquet } from '../../features/usage-sinks/usage-parquet.ts'
import { createUsageSinks } from '../../features/usage-sinks/usage-sinks.ts'
import { createWebhookSink } from '../../features/usage-sinks/webhook-sink.ts'
import type { On } from '../../http/route.ts'
import { every } from '../../jobs/every.ts'
import { openParquet } from '../../lib/parquet/parquet.ts'
import { createGuardedPost } from '../../lib/security/guarded-post.ts'
import type { SharedParts } from '../parts.ts'

const everyMs = 3_000
/** Longer than a transaction that writes log rows takes. */
const settleMs = 10_000

/** Joins the sinks of usage: their state in the console, and the work that sends. */
export const joinUsageSinks = (
  { config, database, logDatabase, clock, options, log, operatorEgress }: SharedParts,
  on: On,
): (() => void) => {
  const folder = join(config.dataDir, 'usage-files')
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
  return () => {
    stop()
    void parquet.close()
  }
}
