import type { SiteTables } from '../../../../src/db/schema/site.ts'
import { type FullRows, longKey, longText, time } from './values.ts'

export const siteRows: FullRows<SiteTables> = {
  cluster_jobs: {
    name: 'test',
    run: 'r',
    alive_until: time,
    started_time: time,
    finished_time: time,
    done: 1,
    total: 2,
    result: longText,
    stop_requested: 1,
  },
  signs_of_life: { process: longKey, node: longKey, store: longKey, started_time: time, last_time: time },
  backup_runs: { outcome: 'failed', time, place: longText, detail: longText },
  options: { key: 'ModelRatio', value: longText },
  audit: {
    created_at: time,
    actor_id: 1,
    actor_name: 'root',
    action: 'update',
    object: 'channel',
    object_id: '5',
    before: longText,
    after: longText,
    ip: '::1',
  },
}
