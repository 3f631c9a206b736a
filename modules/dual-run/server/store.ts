import { dualRunTexts } from '@tollgate/contract'
import type { Insertable, Selectable } from 'kysely'
import type { z } from 'zod'
import type { Database } from '#server/db/database.ts'
import { parsedJson } from '#server/dialects/conversation/json.ts'
import type { Secrets } from '#server/lib/security/secrets.ts'
import type { DualRunsTable } from './tables.ts'

export type DualRunTexts = z.output<typeof dualRunTexts>
export type DualRunRecord = Omit<Selectable<DualRunsTable>, 'content_cipher'>

export interface DualRunSumsRow {
  readonly compared: number
  readonly failed: number
  readonly same_text: number
  readonly same_tools: number
  readonly same_finish: number
  readonly same_usage: number
  readonly quota: number
  readonly second_quota: number
}

/** Comparisons in the database. */
export interface DualRunStore {
  add(row: Omit<Insertable<DualRunsTable>, 'id' | 'content_cipher'>, texts: DualRunTexts): Promise<void>
  page(differing: boolean, slice: { offset: number; limit: number }): Promise<readonly DualRunRecord[]>
  count(differing: boolean): Promise<number>
  find(id: number): Promise<{ row: DualRunRecord; texts: DualRunTexts } | undefined>
  sums(): Promise<DualRunSumsRow>
  /** Quota units that calls since a moment may have cost at the second gateway. */
  spentSince(from: number): Promise<number>
  /** Deletes comparisons before a moment, and all but the newest ones. */
  purge(before: number, most: number): Promise<void>
}

const columns = [
  ...(['id', 'request_id', 'created_time', 'model', 'path', 'status', 'same_text', 'same_tools'] as const),
  ...(['same_finish', 'same_usage', 'quota', 'second_quota', 'spent', 'prompt_tokens', 'completion_tokens'] as const),
  ...(['second_prompt_tokens', 'second_completion_tokens', 'took_ms', 'second_ms', 'differs'] as const),
] as const

const summed = ['same_text', 'same_tools', 'same_finish', 'same_usage', 'quota', 'second_quota'] as const

export const openDualRunStore = ({ database, secrets }: { database: Database; secrets: Secrets }): DualRunStore => {
  const { query } = database

  const meant = (differing: boolean) => {
    const rows = query.selectFrom('dual_runs')
    return differing ? rows.where('differs', '=', 1) : rows
  }

  return {
    async add(row, texts) {
      const content_cipher = secrets.encrypt('capture', JSON.stringify(texts))
      await query
        .insertInto('dual_runs')
        .values({ ...row, content_cipher })
        .execute()
    },

    page: (differing, { offset, limit }) =>
      meant(differing).select(columns).orderBy('id', 'desc').limit(limit).offset(offset).execute(),

    async count(differing) {
      const row = await meant(differing)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirst()
      return Number(row?.count ?? 0)
    },

    async find(id) {
      const found = await query.selectFrom('dual_runs').selectAll().where('id', '=', id).executeTakeFirst()
      if (found === undefined) return undefined
      const { content_cipher, ...row } = found
      const texts = dualRunTexts.safeParse(parsedJson(secrets.decrypt('capture', content_cipher)))
      return texts.success ? { row, texts: texts.data } : undefined
    },

    async sums() {
      const row = await query
        .selectFrom('dual_runs')
        .select(({ fn, eb }) => [
          fn.countAll().as('all'),
          fn.sum(eb.case().when('status', '=', 200).then(1).else(0).end()).as('compared'),
          // Bills are compared where both have one.
          ...summed.map((name) => fn.sum(eb.case().when('status', '=', 200).then(eb.ref(name)).else(0).end()).as(name)),
        ])
        .executeTakeFirst()
      const figure = (value: unknown): number => Number(value ?? 0)
      const compared = figure(row?.compared)
      return {
        compared,
        failed: figure(row?.all) - compared,
        same_text: figure(row?.same_text),
        same_tools: figure(row?.same_tools),
        same_finish: figure(row?.same_finish),
        same_usage: figure(row?.same_usage),
        quota: figure(row?.quota),
        second_quota: figure(row?.second_quota),
      }
    },

    async spentSince(from) {
      const row = await query
        .selectFrom('dual_runs')
        .select(({ fn }) => fn.sum('spent').as('spent'))
        .where('created_time', '>=', from)
        .executeTakeFirst()
      return Number(row?.spent ?? 0)
    },

    async purge(before, most) {
      const last = await query
        .selectFrom('dual_runs')
        .select('id')
        .orderBy('id', 'desc')
        .offset(most)
        .limit(1)
        .executeTakeFirst()
      await query
        .deleteFrom('dual_runs')
        .where(({ or, eb }) => or([eb('created_time', '<', before), eb('id', '<=', last?.id ?? 0)]))
        .execute()
    },
  }
}
