import type { CaptureContent, CapturedBody } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import { insertReturningId } from '../../src/db/dialect.ts'
import type { Tables } from '../../src/db/schema.ts'
import type { Secrets } from '../../src/lib/security/secrets.ts'

const body = (text: string): CapturedBody => ({ kind: 'json', text, bytes: text.length, cut: false })

/** An inspection of a user, and a pinned capture of a call. */
export const giveInspection = async (
  query: Transaction<Tables>,
  secrets: Secrets,
  userId: number,
): Promise<{ readonly inspectionId: number; readonly captureId: number }> => {
  const now = Math.floor(Date.now() / 1000)
  const started = { started_by: 1, started_role: 100, started_name: 'root', started_time: now, ends_time: now + 600 }
  const inspectionId = await insertReturningId(query, 'inspections', {
    kind: 'channel',
    target_id: 0,
    target_name: 'none',
    reason: '',
    ...started,
  })
  const content: CaptureContent = {
    client: { path: '/v1/chat/completions', query: '', headers: [], body: body('{"model":"gpt-4o","messages":[]}') },
    attempts: [],
    answer: { status: 200, headers: [], body: body('{}') },
    text: '',
    tool_calls: 0,
    unsupported: [],
  }
  const captureId = await insertReturningId(query, 'captures', {
    inspection_id: inspectionId,
    request_id: `captured-${userId}`,
    created_time: now,
    expires_time: now + 600,
    user_id: userId,
    user_role: 1,
    username: '',
    token_name: '',
    channel_id: 0,
    model: 'gpt-4o',
    path: '/v1',
    status: 200,
    quota: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    took_ms: 0,
    bytes: 0,
    pinned: 1,
    replay_of: 0,
    content_cipher: secrets.encrypt('capture', JSON.stringify(content)),
  })
  return { inspectionId, captureId }
}
