import type { Transaction } from 'kysely'
import { insertReturningId } from '../../../src/db/dialect.ts'
import type { Tables } from '../../../src/db/schema.ts'
import { canary } from '../canaries.ts'
import { now } from './now.ts'

/** Answers the number of its row in the log. */
export const giveHistory = async (query: Transaction<Tables>, userId: number, username: string): Promise<number> => {
  const other = JSON.stringify({
    admin_info: {
      cause: canary('attempts', userId),
      cost: { quota: 1, version: canary('cost', userId), factor: '1' },
    },
  })
  const log = { user_id: userId, username, created_at: now(), type: 2, content: canary('log', userId), other }
  const blank = { token_id: 0, quota: 1, prompt_tokens: 1, completion_tokens: 1, use_time: 0, is_stream: 0 }
  const named = { token_name: '', model_name: 'gpt-4o', group: 'default', ip: '', request_id: `log-${userId}` }
  const logId = await insertReturningId(query, 'logs', { ...log, ...blank, ...named, channel_id: 0 })
  const entry = { movement: `adjust:${userId}`, account: 'user' as const, account_id: userId, amount: 1_000_000 }
  const detail = JSON.stringify({ by: 1, username: 'root', reason: canary('ledgernote', userId) })
  await query
    .insertInto('ledger_entries')
    .values({ ...entry, reason: 'adjust', created_at: now(), detail })
    .execute()
  const code = { purpose: 'bind_email', subject_hash: `subject ${userId}`, attempts: 0, created_time: now() }
  await query
    .insertInto('one_time_codes')
    .values({ ...code, code_hash: canary('onetimecode', userId), expires_time: now() + 600 })
    .execute()
  const trace = { actor_id: userId, actor_name: username, action: 'user.update', object: 'user', ip: '192.0.2.9' }
  await query
    .insertInto('audit')
    .values({
      ...trace,
      created_at: now(),
      object_id: String(userId),
      before: '{}',
      after: JSON.stringify({ note: canary('trail', userId) }),
    })
    .execute()
  return logId
}

export const giveLimit = (query: Transaction<Tables>, owner_id: number, key: number): Promise<number> =>
  insertReturningId(query, 'call_limits', {
    owner_id,
    name: 'limit',
    changed_time: now(),
    spec: JSON.stringify({
      measure: 'requests',
      amount: 1_000_000,
      window: 'day',
      subjects: [{ kind: 'key', value: String(key) }],
    }),
  })
