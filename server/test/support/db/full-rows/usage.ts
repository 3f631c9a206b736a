import type { LogTables } from '../../../../src/db/schema/logs.ts'
import type { SpeedTables } from '../../../../src/db/schema/speed.ts'
import type { UsageTables } from '../../../../src/db/schema/usage.ts'
import { testLog } from '../rows.ts'
import { type FullRows, longKey, longText, most, time } from './values.ts'

const siteUsage = {
  created_at: time,
  channel_id: 1,
  group: 'default',
  model_name: 'm',
  count: most,
  quota: most,
  prompt_tokens: most,
  completion_tokens: most,
  failures: most,
  cost: most,
  costed_count: most,
  costed_quota: most,
  cached_tokens: most,
  cache_write_tokens: most,
  reasoning_tokens: most,
  timed_tokens: most,
  timed_ms: most,
  missed_tokens: most,
  cache_saved: most,
  cache_lost: -most,
}
const speedCounts = {
  ...{ first_0: most, first_1: 0, first_2: 0, first_3: 0, first_4: 0, first_5: 0, first_6: 0, first_7: most },
  ...{ total_0: most, total_1: 0, total_2: 0, total_3: 0, total_4: 0, total_5: 0, total_6: 0, total_7: most },
}
const { channel_id: _channel, group: _group, model_name: _model, ...sums } = siteUsage
const userUsage = { ...sums, user_id: 1, token_id: 1, token_name: 't' }
const usage = { ...siteUsage, dimensions_hash: 'h'.repeat(32), user_id: 1, token_id: 1, token_name: 't' }

export const usageRows: FullRows<LogTables & UsageTables & SpeedTables> = {
  logs: {
    ...testLog('r'),
    other: longText,
    quota: most,
    provider_request_id: longKey,
    session: longKey,
    tags: longKey,
  },
  quota_data: {
    user_id: 1,
    username: 'u',
    model_name: 'm',
    created_at: time,
    token_used: most,
    count: most,
    quota: most,
  },
  usage_hours: usage,
  usage_days: usage,
  usage_site_days: siteUsage,
  usage_user_periods: userUsage,
  speed_hours: {
    ...{ created_at: time, dimensions_hash: 'h'.repeat(32), user_id: 1, token_id: 1, channel_id: 1 },
    ...{ group: 'default', model_name: 'm', octave: 22, ...speedCounts },
  },
  speed_site_hours: {
    ...{ created_at: time, channel_id: 1, group: 'default', model_name: 'm', octave: 22, ...speedCounts },
  },
  call_session_hours: {
    ...{
      created_at: time,
      dimensions_hash: 'hash',
      session: 's',
      user_id: 1,
      token_id: 0,
      channel_id: 1,
      model_name: 'm',
    },
    ...{ count: most, failures: most, quota: most, prompt_tokens: most, completion_tokens: most, cached_tokens: most },
    ...{ cache_write_tokens: most, missed_tokens: most, cache_saved: most, cache_lost: -most },
    ...{
      cost: most,
      costed_count: most,
      costed_quota: most,
      reasoning_tokens: most,
      timed_tokens: most,
      timed_ms: most,
    },
  },
  call_tag_hours: {
    ...{
      created_at: time,
      dimensions_hash: 'hash',
      tag: 's',
      user_id: 1,
      token_id: 0,
      channel_id: 1,
      model_name: 'm',
    },
    ...{ count: most, failures: most, quota: most, prompt_tokens: most, completion_tokens: most, cached_tokens: most },
    ...{ cache_write_tokens: most, missed_tokens: most, cache_saved: most, cache_lost: -most },
    ...{
      cost: most,
      costed_count: most,
      costed_quota: most,
      reasoning_tokens: most,
      timed_tokens: most,
      timed_ms: most,
    },
  },
  failure_hours: {
    ...{ created_at: time, dimensions_hash: 'h'.repeat(32), user_id: 1, token_id: 1, channel_id: 1 },
    ...{ group: 'default', model_name: 'm', class: 'timeout', count: most },
  },
  log_gaps: { from_time: time, until_time: time },
  hedge_hours: { created_at: 0, channel_id: 3, model_name: 'gpt', count: 2, won: 1, cost: most },
  aborted_calls: { user_id: 1, created_at: 0, count: 2, quota: 3 },
  log_purges: {
    name: 'errors:2026-11-21',
    type: 5,
    before: time,
    total: most,
    deleted: most,
    created_time: time,
    lease_time: time,
    finished_time: time,
  },
  log_archives: {
    ...{
      name: 'logs-2026-03.parquet',
      month: '2026-03',
      first_time: time,
      last_time: time,
      first_id: 1,
      last_id: most,
    },
    ...{ rows: most, quota: most, bytes: most, created_time: time, finished_time: time },
    ...{ deleted_until: time, deleted_id: most },
  },
}
