import { neverExpires } from '@tollgate/contract'
import { z } from 'zod'
import type { MovedCode, MovedToken, OpenSiteParts } from '../site.ts'
import { flag, moment, readRow, text, texts, whole, wholeOr } from '../source/cells.ts'
import { pagesOf, type SourceRow } from '../source/source.ts'

const tokenRow = z.object({
  id: whole,
  user_id: whole,
  key: text,
  status: wholeOr(1),
  name: text,
  created_time: whole,
  accessed_time: whole,
  expired_time: wholeOr(neverExpires),
  remain_quota: whole,
  unlimited_quota: flag,
  used_quota: whole,
  group: text,
  auto_groups: texts,
  deleted_at: moment,
  // Of new-api.
  model_limits_enabled: flag,
  model_limits: text,
  allow_ips: text,
  // Of one-api.
  models: text,
  subnet: text,
})

type TokenRow = z.output<typeof tokenRow>

const namesIn = (list: string): readonly string[] =>
  list
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')

const modelsOf = (row: TokenRow): readonly string[] | undefined => {
  if (row.model_limits_enabled) return namesIn(row.model_limits)
  return row.models.trim() === '' ? undefined : namesIn(row.models)
}

const linesOf = (list: string): string =>
  list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .join('\n')

/** Group name that means "the first of these that has a channel". */
const autoGroup = 'auto'

const toToken =
  ({ notes }: OpenSiteParts, autoGroups: readonly string[]) =>
  (cells: SourceRow): MovedToken => {
    const row = readRow(tokenRow, cells, 'tokens')
    const isAuto = row.group === autoGroup
    if (isAuto) notes.note('group_auto', row.name)
    const first = row.auto_groups[0] ?? autoGroups[0] ?? ''
    return {
      sourceId: String(row.id),
      userId: String(row.user_id),
      key: { text: row.key.trim().replace(/^sk-/, '') },
      name: row.name,
      status: row.status,
      createdTime: row.created_time,
      accessedTime: row.accessed_time,
      expiredTime: row.expired_time === 0 ? neverExpires : row.expired_time,
      // new-api counts unlimited tokens down, one-api writes -1: neither means anything.
      remainQuota: row.unlimited_quota ? 0 : row.remain_quota,
      usedQuota: row.used_quota,
      unlimited: row.unlimited_quota,
      models: modelsOf(row),
      allowIps: linesOf(`${row.allow_ips}\n${row.subnet}`),
      group: isAuto ? first : row.group,
      deletedAt: row.deleted_at,
    }
  }

/** `autoGroups` is the site's own list for tokens that have none. */
export async function* panelTokens(
  parts: OpenSiteParts,
  autoGroups: readonly string[],
): AsyncGenerator<readonly MovedToken[]> {
  for await (const rows of pagesOf(parts.source, 'tokens', 'id')) yield rows.map(toToken(parts, autoGroups))
}

const codeRow = z.object({
  id: whole,
  user_id: whole,
  key: text,
  status: wholeOr(1),
  name: text,
  quota: whole,
  created_time: whole,
  redeemed_time: whole,
  used_user_id: whole,
  expired_time: whole,
  deleted_at: moment,
})

/** Redemption codes that are not deleted. */
export async function* panelCodes({ source }: OpenSiteParts): AsyncGenerator<readonly MovedCode[]> {
  for await (const rows of pagesOf(source, 'redemptions', 'id')) {
    yield rows
      .map((row) => readRow(codeRow, row, 'redemptions'))
      .filter((row) => row.deleted_at === null)
      .map((row) => ({
        sourceId: String(row.id),
        userId: String(row.user_id),
        code: row.key.trim(),
        status: row.status,
        name: row.name,
        quota: row.quota,
        createdTime: row.created_time,
        redeemedTime: row.redeemed_time,
        usedUserId: row.used_user_id > 0 ? String(row.used_user_id) : '',
        expiredTime: row.expired_time,
      }))
  }
}
