import { moduleRights } from '../../../../modules/lists/rights.ts'
import { insertReturningId } from '../../../src/db/dialect.ts'
import type { PlantedRows } from '../module-rights.ts'
import type { RightsSite } from '../site.ts'
import { madeText } from './made.ts'

/** Rows about the calls of a key that hold its text, and how the console's calls name them. */
export interface Records {
  /** Calls that administrators alone may make, by modules; the first of each shows the text. */
  readonly ofStaff: readonly PlantedRows['ofStaff'][]
  /** Whatever a path could name: numbers of rows of the key, and of their tables. */
  readonly ids: readonly number[]
  /** Values of fields of queries. */
  readonly fields: Readonly<Record<string, readonly string[]>>
}

/** Writes a call into the log with a session of its own, and what modules store of it. */
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
    const planted: PlantedRows[] = []
    const call = { requestId: request_id, userId: user_id, tokenId: token.id, tokenName: token.name, text }
    for (const { plant } of moduleRights) if (plant !== undefined) planted.push(await plant(trx, secrets, call))
    const rowOf = async (table: 'tasks' | 'midjourneys'): Promise<number> =>
      (await trx.selectFrom(table).select('id').where('token_id', '=', token.id).executeTakeFirstOrThrow()).id
    const ids = [
      token.id,
      logId,
      ...planted.flatMap((rows) => rows.ids),
      await rowOf('tasks'),
      await rowOf('midjourneys'),
    ]
    return {
      ofStaff: planted.map((rows) => rows.ofStaff),
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
        ...Object.assign({}, ...planted.map((rows) => rows.fields)),
        user_id: [String(user_id)],
        keyword: [text, session],
      },
    }
  })
}
