import { role, userStatus } from '@tollgate/contract'
import { z } from 'zod'
import type { MovedUser, OpenSiteParts, SourcePassword } from '../site.ts'
import { moment, object, real, text } from '../source/cells.ts'
import { pagesOf, type SourceRow } from '../source/source.ts'
import { dollarsWithoutBudget, nameFrom, unitsOf } from './figures.ts'
import type { Teams } from './teams.ts'

const userRow = z.object({
  user_id: text,
  user_alias: text,
  user_email: text,
  sso_user_id: text,
  password: text,
  user_role: text,
  max_budget: real,
  spend: real,
  budget_duration: text,
  tpm_limit: real,
  rpm_limit: real,
  max_parallel_requests: real,
  metadata: object,
  created_at: moment,
})

type UserRow = z.output<typeof userRow>

const passwordOf = (stored: string): SourcePassword => {
  if (stored === '') return { scheme: 'none' }
  if (stored.startsWith('scrypt:')) return { scheme: 'stored', text: stored }
  return /^[0-9a-f]{64}$/.test(stored) ? { scheme: 'sha256', hex: stored } : { scheme: 'plain', text: stored }
}

const roleOf = (row: UserRow, { notes }: Pick<OpenSiteParts, 'notes'>): number => {
  if (row.user_role === 'proxy_admin') return role.admin
  if (row.user_role !== '' && row.user_role !== 'internal_user')
    notes.note('user_role', `${row.user_id}: ${row.user_role}`)
  return role.user
}

const toUser =
  (parts: OpenSiteParts) =>
  (cells: SourceRow): MovedUser => {
    const row = userRow.parse(cells)
    const { notes, quotaPerUnit } = parts
    if (row.max_budget === null) notes.note('user_no_budget', row.user_id)
    if (row.budget_duration !== '') notes.note('budget_reset', `${row.user_id}: ${row.budget_duration}`)
    if (row.tpm_limit !== null || row.rpm_limit !== null || row.max_parallel_requests !== null)
      notes.note('rate_limit', row.user_id)
    if (row.sso_user_id !== '') notes.note('binding_unknown', row.user_id)
    const spend = row.spend ?? 0
    const usedQuota = unitsOf(spend, quotaPerUnit)
    return {
      sourceId: row.user_id,
      username: nameFrom(row.user_id),
      password: passwordOf(row.password),
      displayName: row.user_alias || row.user_id,
      role: roleOf(row, parts),
      // SCIM switches people off without deleting them.
      status: row.metadata.scim_active === false ? userStatus.disabled : userStatus.enabled,
      email: row.user_email,
      githubId: '',
      oidcId: '',
      wechatId: '',
      telegramId: '',
      linuxDoId: '',
      accessToken: '',
      quota: unitsOf(row.max_budget ?? dollarsWithoutBudget, quotaPerUnit) - usedQuota,
      usedQuota,
      requestCount: 0,
      group: 'default',
      affCode: '',
      affCount: 0,
      affQuota: 0,
      affHistory: 0,
      inviterId: '',
      deletedAt: null,
      setting: '',
      createdTime: row.created_at ?? 0,
      lastLoginTime: 0,
    }
  }

export async function* litellmUsers(parts: OpenSiteParts, teams: Teams): AsyncGenerator<readonly MovedUser[]> {
  for await (const rows of pagesOf(parts.source, 'LiteLLM_UserTable', 'user_id')) yield rows.map(toUser(parts))
  if (teams.owners.length > 0) yield teams.owners
}
