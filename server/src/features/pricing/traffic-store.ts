import { logType } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'

/** Unix seconds, both included. */
export interface TrafficSpan {
  readonly from: number
  readonly to: number
}

export interface LoggedCharge {
  readonly id: number
  readonly created_at: number
  readonly model_name: string
  readonly group: string
  readonly quota: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly other: string
}

/** All charges of a model in a group. */
export interface ChargedSum {
  readonly model: string
  readonly group: string
  readonly calls: number
  readonly quota: number
  readonly promptTokens: number
  readonly completionTokens: number
}

/** A place between two charges. */
export interface Cursor {
  readonly at: number
  readonly id: number
}

/** Reads the charges of a span. Each query is bounded; where databases have threads or connections of their own, they read. */
export interface TrafficStore {
  sums(span: TrafficSpan): Promise<ChargedSum[]>
  /** The charges after a place, oldest first. */
  after(span: TrafficSpan, cursor: Cursor, limit: number): Promise<LoggedCharge[]>
}

/** Excludes channel tests: they are logged as consumption but have no key and no receipt. */
const testLabel = '模型测试'

export const openTrafficStore = (logs: Database): TrafficStore => {
  const charges = ({ from, to }: TrafficSpan) =>
    logs.query
      .selectFrom('logs')
      .where('type', '=', logType.consume)
      .where('created_at', '>=', from)
      .where('created_at', '<=', to)
      .where('token_name', '!=', testLabel)
  return {
    sums: async (span) => {
      const rows = await charges(span)
        .select((eb) => [
          'model_name',
          'group',
          eb.fn.countAll().as('calls'),
          eb.fn.sum('quota').as('quota'),
          eb.fn.sum('prompt_tokens').as('prompt'),
          eb.fn.sum('completion_tokens').as('completion'),
        ])
        .groupBy(['model_name', 'group'])
        .execute()
      return rows.map((row) => ({
        model: row.model_name,
        group: row.group,
        calls: Number(row.calls),
        quota: Number(row.quota),
        promptTokens: Number(row.prompt),
        completionTokens: Number(row.completion),
      }))
    },
    // Along the index by type and time, so that a page costs what it holds.
    after: (span, { at, id }, limit) =>
      charges({ ...span, from: Math.max(span.from, at) })
        .select(['id', 'created_at', 'model_name', 'group', 'quota', 'prompt_tokens', 'completion_tokens', 'other'])
        .where((eb) => eb.or([eb('created_at', '>', at), eb('id', '>', id)]))
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .execute(),
  }
}
