import { type CaptureContent, captureContent, type InspectedKind } from '@tollgate/contract'
import type { Selectable } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { insertReturningId } from '#server/db/dialect.ts'
import { parsedJson } from '#server/dialects/conversation/json.ts'
import type { Secrets } from '#server/lib/security/secrets.ts'
import type { CapturesTable, InspectionsTable } from './tables.ts'

export type InspectionRow = Selectable<InspectionsTable>
export type CaptureRecord = Omit<Selectable<CapturesTable>, 'content_cipher'>
export type NewCapture = Omit<CaptureRecord, 'id' | 'bytes'>

/** Which captures a caller may see and wants to. */
export interface CaptureFilter {
  /** Those of callers of higher roles are not shown. */
  readonly role: number
  readonly inspection?: number | undefined
  /** Empty for all. */
  readonly requestId: string
}

/** Inspections and captures in the database. */
export interface InspectorStore {
  add(row: Omit<InspectionRow, 'id'>): Promise<InspectionRow>
  /** Those that end after `now`, in unix seconds. */
  running(now: number): Promise<readonly InspectionRow[]>
  latest(count: number): Promise<readonly (InspectionRow & { readonly captures: number })[]>
  byId(id: number): Promise<InspectionRow | undefined>
  end(id: number, at: number): Promise<void>
  addCapture(row: NewCapture, content: CaptureContent): Promise<number>
  /** Deletes the oldest captures that are not pinned until all together have at most so many bytes. */
  makeRoom(mostBytes: number): Promise<void>
  page(filter: CaptureFilter, slice: { offset: number; limit: number }): Promise<readonly CaptureRecord[]>
  count(filter: CaptureFilter): Promise<number>
  capture(id: number): Promise<{ row: CaptureRecord; content: CaptureContent } | undefined>
  replaysOf(id: number): Promise<readonly number[]>
  pin(id: number, pinned: boolean, expires: number): Promise<void>
  remove(id: number): Promise<void>
  /** Deletes captures whose time is over, and inspections that ended a month before it and left none. */
  purge(now: number): Promise<void>
}

const columns = [
  ...(['id', 'inspection_id', 'request_id', 'created_time', 'expires_time', 'user_id', 'user_role'] as const),
  ...(['username', 'token_name', 'channel_id', 'model', 'path', 'status', 'quota', 'prompt_tokens'] as const),
  ...(['completion_tokens', 'took_ms', 'bytes', 'pinned', 'replay_of'] as const),
] as const

const month = 30 * 86_400
/** Captures that are deleted at a time. */
const step = 50

export const openInspectorStore = ({ database, secrets }: { database: Database; secrets: Secrets }): InspectorStore => {
  const { query } = database

  const meant = ({ role, inspection, requestId }: CaptureFilter) => {
    let rows = query.selectFrom('captures').where('user_role', '<=', role)
    if (inspection !== undefined) rows = rows.where('inspection_id', '=', inspection)
    if (requestId !== '') rows = rows.where('request_id', '=', requestId)
    return rows
  }

  return {
    async add(row) {
      const id = await insertReturningId(query, 'inspections', row)
      return { id, ...row }
    },

    running: (now) => query.selectFrom('inspections').selectAll().where('ends_time', '>', now).execute(),

    async latest(count) {
      const rows = await query.selectFrom('inspections').selectAll().orderBy('id', 'desc').limit(count).execute()
      if (rows.length === 0) return []
      const counts = await query
        .selectFrom('captures')
        .select(({ fn }) => ['inspection_id', fn.countAll().as('count')])
        .where(
          'inspection_id',
          'in',
          rows.map(({ id }) => id),
        )
        .groupBy('inspection_id')
        .execute()
      const byId = new Map(counts.map((row) => [Number(row.inspection_id), Number(row.count)]))
      return rows.map((row) => ({ ...row, captures: byId.get(row.id) ?? 0 }))
    },

    byId: (id) => query.selectFrom('inspections').selectAll().where('id', '=', id).executeTakeFirst(),

    async end(id, at) {
      await query
        .updateTable('inspections')
        .set({ ends_time: at })
        .where('id', '=', id)
        .where('ends_time', '>', at)
        .execute()
    },

    addCapture(row, content) {
      const content_cipher = secrets.encrypt('capture', JSON.stringify(content))
      return insertReturningId(query, 'captures', { ...row, bytes: content_cipher.length, content_cipher })
    },

    async makeRoom(mostBytes) {
      for (;;) {
        const sum = await query
          .selectFrom('captures')
          .select(({ fn }) => fn.sum('bytes').as('bytes'))
          .executeTakeFirst()
        let over = Number(sum?.bytes ?? 0) - mostBytes
        if (over <= 0) return
        const oldest = await query
          .selectFrom('captures')
          .select(['id', 'bytes'])
          .where('pinned', '=', 0)
          .orderBy('id')
          .limit(step)
          .execute()
        const gone: number[] = []
        for (const { id, bytes } of oldest) {
          if (over <= 0) break
          gone.push(id)
          over -= bytes
        }
        if (gone.length === 0) return
        await query.deleteFrom('captures').where('id', 'in', gone).execute()
      }
    },

    page: (filter, { offset, limit }) =>
      meant(filter).select(columns).orderBy('id', 'desc').limit(limit).offset(offset).execute(),

    async count(filter) {
      const row = await meant(filter)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirst()
      return Number(row?.count ?? 0)
    },

    async capture(id) {
      const found = await query.selectFrom('captures').selectAll().where('id', '=', id).executeTakeFirst()
      if (found === undefined) return undefined
      const { content_cipher, ...row } = found
      const content = captureContent.safeParse(parsedJson(secrets.decrypt('capture', content_cipher)))
      return content.success ? { row, content: content.data } : undefined
    },

    async replaysOf(id) {
      const rows = await query
        .selectFrom('captures')
        .select('id')
        .where('replay_of', '=', id)
        .orderBy('id', 'desc')
        .limit(50)
        .execute()
      return rows.map((row) => row.id)
    },

    async pin(id, pinned, expires) {
      await query
        .updateTable('captures')
        .set({ pinned: pinned ? 1 : 0, expires_time: expires })
        .where('id', '=', id)
        .execute()
    },

    async remove(id) {
      await query.deleteFrom('captures').where('id', '=', id).execute()
    },

    async purge(now) {
      await query.deleteFrom('captures').where('expires_time', '<=', now).execute()
      await query
        .deleteFrom('inspections')
        .where('ends_time', '<', now - month)
        .where('id', 'not in', (nested) => nested.selectFrom('captures').select('inspection_id'))
        .execute()
    },
  }
}

export const kindOfRow = ({ kind }: Pick<InspectionRow, 'kind'>): InspectedKind =>
  kind === 'token' || kind === 'channel' ? kind : 'user'
