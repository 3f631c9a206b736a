import { role, userStatus } from '@tollgate/contract'
import { z } from 'zod'
import type { MovedSecondFactor, MovedUser, OpenSiteParts } from '../site.ts'
import { flag, moment, object, readRow, text, whole } from '../source/cells.ts'
import { pagesOf, type SourceRow } from '../source/source.ts'

const userRow = z.object({
  id: whole,
  username: text,
  password: text,
  display_name: text,
  role: whole,
  status: whole,
  email: text,
  github_id: text,
  oidc_id: text,
  wechat_id: text,
  telegram_id: text,
  linux_do_id: text,
  lark_id: text,
  discord_id: text,
  access_token: text,
  quota: whole,
  used_quota: whole,
  request_count: whole,
  group: text,
  aff_code: text,
  aff_count: whole,
  aff_quota: whole,
  aff_history: whole,
  aff_history_quota: whole,
  inviter_id: whole,
  deleted_at: moment,
  setting: object,
  created_at: moment,
  last_login_at: moment,
})

/** one-api marks deleted users by a status and another name. */
const deletedStatus = 3

const keptSettings = [
  'quota_warning_threshold',
  'webhook_url',
  'notification_email',
  'accept_unset_model_ratio_model',
] as const

/** The settings that mean something here. */
const settingOf = (setting: Readonly<Record<string, unknown>>): string => {
  const kept: Record<string, unknown> = {}
  for (const key of keptSettings) if (setting[key] !== undefined && setting[key] !== '') kept[key] = setting[key]
  if (setting.notify_type === 'email' || setting.notify_type === 'webhook') kept.notify_type = setting.notify_type
  return Object.keys(kept).length === 0 ? '' : JSON.stringify(kept)
}

const roleOf = (stored: number): number => (stored === role.root || stored === role.admin ? stored : role.user)

const toUser =
  ({ notes }: Pick<OpenSiteParts, 'notes'>) =>
  (cells: SourceRow): MovedUser => {
    const row = readRow(userRow, cells, 'users')
    for (const id of [row.lark_id, row.discord_id]) if (id !== '') notes.note('binding_unknown', row.username)
    const isDeleted = row.status === deletedStatus
    return {
      sourceId: String(row.id),
      username: row.username,
      password: row.password === '' ? { scheme: 'none' } : { scheme: 'stored', text: row.password },
      displayName: row.display_name,
      role: roleOf(row.role),
      status: row.status === userStatus.enabled ? userStatus.enabled : userStatus.disabled,
      email: row.email,
      githubId: row.github_id,
      oidcId: row.oidc_id,
      wechatId: row.wechat_id,
      telegramId: row.telegram_id,
      linuxDoId: row.linux_do_id,
      accessToken: row.access_token.trim(),
      quota: row.quota,
      usedQuota: row.used_quota,
      requestCount: row.request_count,
      group: row.group || 'default',
      affCode: row.aff_code,
      affCount: row.aff_count,
      affQuota: row.aff_quota,
      affHistory: Math.max(row.aff_history, row.aff_history_quota),
      inviterId: row.inviter_id > 0 ? String(row.inviter_id) : '',
      deletedAt: isDeleted ? Math.floor(Date.now() / 1000) : row.deleted_at,
      setting: settingOf(row.setting),
      createdTime: row.created_at ?? 0,
      lastLoginTime: row.last_login_at ?? 0,
    }
  }

export async function* panelUsers(parts: OpenSiteParts): AsyncGenerator<readonly MovedUser[]> {
  for await (const rows of pagesOf(parts.source, 'users', 'id')) yield rows.map(toUser(parts))
}

const secondFactorRow = z.object({
  id: whole,
  user_id: whole,
  secret: text,
  is_enabled: flag,
  created_at: moment,
  deleted_at: moment,
})

/** One-time password secrets that are in use. */
export async function* panelSecondFactors({ source }: OpenSiteParts): AsyncGenerator<readonly MovedSecondFactor[]> {
  for await (const rows of pagesOf(source, 'two_fas', 'id')) {
    yield rows
      .map((row) => readRow(secondFactorRow, row, 'two_fas'))
      .filter((row) => row.is_enabled && row.deleted_at === null && row.secret !== '')
      .map((row) => ({
        sourceId: String(row.id),
        userId: String(row.user_id),
        secret: row.secret,
        createdTime: row.created_at ?? 0,
      }))
  }
}
