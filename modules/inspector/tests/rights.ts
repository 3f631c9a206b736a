import type { CaptureContent, CapturedBody } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import { insertReturningId } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import type { Secrets } from '#server/lib/security/secrets.ts'
import type { ModuleRights } from '#server-test/rights/module-rights.ts'
import '../server/tables.ts'

const body = (text: string): CapturedBody => ({ kind: 'json', text, bytes: text.length, cut: false })

interface Inspected {
  readonly kind: 'token' | 'channel'
  readonly target: number
  readonly targetName: string
  readonly requestId: string
  readonly userId: number
  readonly tokenName: string
  readonly bodies: readonly [request: string, answer: string]
  readonly text: string
}

/** An inspection, and a pinned capture of a call. */
const giveCapture = async (
  query: Transaction<Tables>,
  secrets: Secrets,
  { kind, target, targetName, requestId, userId, tokenName, bodies, text }: Inspected,
): Promise<{ readonly inspectionId: number; readonly captureId: number }> => {
  const now = Math.floor(Date.now() / 1000)
  const started = { started_by: 1, started_role: 100, started_name: 'root', started_time: now, ends_time: now + 600 }
  const inspectionId = await insertReturningId(query, 'inspections', {
    kind,
    target_id: target,
    target_name: targetName,
    reason: '',
    ...started,
  })
  const content: CaptureContent = {
    client: { path: '/v1/chat/completions', query: '', headers: [], body: body(bodies[0]) },
    attempts: [],
    answer: { status: 200, headers: [], body: body(bodies[1]) },
    text,
    tool_calls: 0,
    unsupported: [],
  }
  const captureId = await insertReturningId(query, 'captures', {
    inspection_id: inspectionId,
    request_id: requestId,
    created_time: now,
    expires_time: now + 600,
    user_id: userId,
    user_role: 1,
    username: '',
    token_name: tokenName,
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

export const rights: ModuleRights = {
  kinds: {
    own: ['GET /api/inspector/self'],
    site: [
      'GET /api/inspector/',
      'POST /api/inspector/',
      'POST /api/inspector/:id/stop',
      'GET /api/inspector/captures',
      'GET /api/inspector/captures/:id',
      'POST /api/inspector/captures/:id/pin',
      'DELETE /api/inspector/captures/:id',
      'POST /api/inspector/captures/:id/replay',
    ],
  },
  give: (query, secrets, userId) =>
    giveCapture(query, secrets, {
      kind: 'channel',
      target: 0,
      targetName: 'none',
      requestId: `captured-${userId}`,
      userId,
      tokenName: '',
      bodies: ['{"model":"gpt-4o","messages":[]}', '{}'],
      text: '',
    }),
  bodies: {
    'POST /api/inspector/': ({ owner }) => ({ kind: 'token', target_id: owner.tokenId, minutes: 1 }),
  },
  ids: [
    ['/api/inspector/captures/', 'captureId'],
    ['/api/inspector/', 'inspectionId'],
  ],
  unaware: ['GET /api/inspector/self'],
  columns: { 'inspections.kind': 'user' },
  async plant(query, secrets, { requestId, userId, tokenId, tokenName, text }) {
    const whole = JSON.stringify({ of: text })
    const { inspectionId, captureId } = await giveCapture(query, secrets, {
      kind: 'token',
      target: tokenId,
      targetName: tokenName,
      requestId,
      userId,
      tokenName,
      bodies: [whole, whole],
      text,
    })
    return {
      ids: [captureId, inspectionId],
      fields: { inspection: [String(inspectionId)] },
      ofStaff: [
        ['GET', `inspector/captures/${captureId}`],
        ['POST', `inspector/captures/${captureId}/replay`],
        ['POST', `inspector/captures/${captureId}/pin`],
      ],
    }
  },
  edits: {
    'an inspection': (pick, root) => ({
      method: 'POST',
      path: 'inspector/',
      body: { kind: 'token', target_id: root.tokenId, minutes: 1 + pick },
    }),
  },
}
