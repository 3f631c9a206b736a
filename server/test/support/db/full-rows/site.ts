import type { InspectorTables } from '../../../../src/db/schema/inspector.ts'
import type { SiteTables } from '../../../../src/db/schema/site.ts'
import { type FullRows, longKey, longText, most, time } from './values.ts'

export const siteRows: FullRows<SiteTables & InspectorTables> = {
  inspections: {
    kind: 'token',
    target_id: most,
    target_name: longKey,
    reason: longKey,
    started_by: 1,
    started_role: 100,
    started_name: longKey,
    started_time: time,
    ends_time: time,
  },
  dual_runs: {
    ...{ request_id: longKey, created_time: time, model: longKey, path: longKey, status: 200 },
    ...{ same_text: 1, same_tools: 1, same_finish: 1, same_usage: 1, differs: 1 },
    ...{ quota: most, second_quota: most, spent: most, prompt_tokens: most, completion_tokens: most },
    ...{ second_prompt_tokens: most, second_completion_tokens: most, took_ms: most, second_ms: most },
    content_cipher: longText,
  },
  usage_sinks: {
    name: longKey,
    cursor_id: most,
    sent: most,
    sent_time: time,
    failures: most,
    error: longText,
    retry_time: time,
  },
  captures: {
    ...{ inspection_id: most, request_id: longKey, created_time: time, expires_time: time, user_id: most },
    ...{ user_role: 1, username: longKey, token_name: longKey, channel_id: most, model: longKey, path: longKey },
    ...{ status: 200, quota: most, prompt_tokens: most, completion_tokens: most, took_ms: most, bytes: most },
    ...{ pinned: 1, replay_of: most, content_cipher: longText },
  },
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
  explore_alerts: {
    ...{ user_id: 1, name: longKey, metric: 'spend', filters: longText, own_calls: 1, comparison: 'above' },
    ...{ threshold: 0.05, window_hours: 168, enabled: 1, version: most, over_since: time, last_value: null },
    ...{ checked_time: time, noticed_time: time, changed_time: time },
  },
  import_rows: { site: 'one-api', kind: 'user', source_id: 'u-1', target_id: 1 },
}
