import { logType } from '@tollgate/contract'
import { z } from 'zod'
import type { MovedLog, OpenSiteParts } from '../site.ts'
import { flag, object, readRow, text, whole } from '../source/cells.ts'
import { pagesOf, type SourceRow } from '../source/source.ts'

const logRow = z.object({
  id: whole,
  user_id: whole,
  created_at: whole,
  type: whole,
  content: text,
  username: text,
  token_name: text,
  model_name: text,
  quota: whole,
  prompt_tokens: whole,
  completion_tokens: whole,
  channel_id: whole,
  channel: whole,
  is_stream: flag,
  // Of new-api.
  use_time: whole,
  token_id: whole,
  group: text,
  ip: text,
  other: object,
  // Of one-api, milliseconds.
  elapsed_time: whole,
})

const knownTypes: ReadonlySet<number> = new Set(Object.values(logType))

/** Figures of a charge that this gateway shows, too. */
const keptFigures = [
  'model_ratio',
  'completion_ratio',
  'group_ratio',
  'model_price',
  'cache_tokens',
  'cache_ratio',
  'frt',
] as const

const figuresOf = (other: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    keptFigures.flatMap((name): [string, number][] => {
      const value = other[name]
      return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? [[name, value]] : []
    }),
  )

const idOf = (id: number): string => (id > 0 ? String(id) : '')

const toLog =
  ({ notes }: OpenSiteParts) =>
  (cells: SourceRow): MovedLog[] => {
    const row = readRow(logRow, cells, 'logs')
    if (!knownTypes.has(row.type)) {
      notes.note('log_types', String(row.type))
      return []
    }
    return [
      {
        sourceId: String(row.id),
        userId: idOf(row.user_id),
        organisationId: '',
        tokenId: idOf(row.token_id),
        channelId: idOf(row.channel_id || row.channel),
        createdAt: row.created_at,
        type: row.type,
        content: row.content,
        username: row.username,
        tokenName: row.token_name,
        modelName: row.model_name,
        quota: row.quota,
        promptTokens: row.prompt_tokens,
        completionTokens: row.completion_tokens,
        useTime: row.use_time > 0 ? row.use_time : Math.round(row.elapsed_time / 1000),
        isStream: row.is_stream,
        group: row.group,
        ip: row.ip,
        other: figuresOf(row.other),
      },
    ]
  }

export async function* panelLogs(parts: OpenSiteParts): AsyncGenerator<readonly MovedLog[]> {
  for await (const rows of pagesOf(parts.source, 'logs', 'id', { size: 1000 })) yield rows.flatMap(toLog(parts))
}
