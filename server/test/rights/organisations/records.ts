import type { CaptureContent, CapturedBody } from '@tollgate/contract'
import { insertReturningId } from '../../../src/db/dialect.ts'
import type { RightsSite } from '../site.ts'
import { madeText } from './made.ts'

/** Rows about the calls of a key that hold its text, and how the console's calls name them. */
export interface Records {
  readonly captureId: number
  /** Whatever a path could name: numbers of rows of the key, and of their tables. */
  readonly ids: readonly number[]
  /** Values of fields of queries. */
  readonly fields: Readonly<Record<string, readonly string[]>>
}

const body = (text: string): CapturedBody => ({ kind: 'json', text, bytes: text.length, cut: false })

/** Writes a call into the log with a session of its own, and a pinned capture of its bodies. */
export const plantRecords = async (site: RightsSite, maker: string, key: string): Promise<Records> => {
  const { database, secrets } = site
  const { query } = database
  const text = madeText(maker)
  const now = Math.floor(Date.now() / 1000)
  const token = await query
    .selectFrom('tokens')
    .select(['id', 'user_id', 'project_id', 'member_id', 'name'])
    .where('key_hash', '=', secrets.digest('token_key', key))
    .executeTakeFirstOrThrow()
  const [session, request_id] = [`session-of-${maker}`, `request-of-${maker}`]
  const { user_id } = token
  const of = { user_id, token_id: token.id, token_name: token.name, channel_id: 0, username: '' }
  return database.transaction(async (trx) => {
    const logId = await insertReturningId(trx, 'logs', {
      ...of,
      created_at: now,
      type: 2,
      content: '',
      model_name: 'gpt-4o',
      quota: 1,
      prompt_tokens: 1,
      completion_tokens: 1,
      use_time: 0,
      is_stream: 0,
      group: 'default',
      request_id,
      ip: '',
      other: JSON.stringify({ parameters: { stop: text } }),
      session,
    })
    const inspectionId = await insertReturningId(trx, 'inspections', {
      kind: 'token',
      target_id: token.id,
      target_name: token.name,
      reason: '',
      started_by: 1,
      started_role: 100,
      started_name: 'root',
      started_time: now,
      ends_time: now + 600,
    })
    const content: CaptureContent = {
      client: { path: '/v1/chat/completions', query: '', headers: [], body: body(JSON.stringify({ of: text })) },
      attempts: [],
      answer: { status: 200, headers: [], body: body(JSON.stringify({ of: text })) },
      text,
      tool_calls: 0,
      unsupported: [],
    }
    const captureId = await insertReturningId(trx, 'captures', {
      inspection_id: inspectionId,
      request_id,
      created_time: now,
      expires_time: now + 600,
      user_id,
      user_role: 1,
      username: '',
      token_name: token.name,
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
    const rowOf = async (table: 'tasks' | 'midjourneys'): Promise<number> =>
      (await trx.selectFrom(table).select('id').where('token_id', '=', token.id).executeTakeFirstOrThrow()).id
    const ids = [token.id, logId, captureId, inspectionId, await rowOf('tasks'), await rowOf('midjourneys')]
    return {
      captureId,
      ids: [...new Set(ids)],
      fields: {
        session: [session],
        request_id: [request_id],
        token: [String(token.id)],
        token_name: [token.name],
        key: [String(token.id)],
        member_id: [String(token.member_id)],
        project_id: [String(token.project_id)],
        mj_id: [`drawing${token.id}`],
        task_id: [`song${token.id}`],
        inspection: [String(inspectionId)],
        user_id: [String(user_id)],
        keyword: [text, session],
      },
    }
  })
}
