import { role, userStatus } from '@tollgate/contract'
import { z } from 'zod'
import type { MovedUser, OpenSiteParts, SourcePassword } from '../site.ts'
import { moment, object, real, text } from '../source/cells.ts'
import { pagesOf, type SourceRow } from '../source/source.ts'
import { boundColumns, dollarsForOnce, noteRenewal } from './budgets.ts'
import { dollarsWithoutBudget, nameFrom, unitsOf } from './figures.ts'
import { internalUsers } from './place-ids.ts'
import type { Structure } from './structure.ts'

/** The source id of the user for keys that belong to nobody; no user of the source is called like this. */
export const serviceUserId = 'team:'

const userRow = z.object({
  user_id: text,
  user_alias: text,
  user_email: text,
  sso_user_id: text,
  password: text,
  user_role: text,
  spend: real,
  metadata: object,
  created_at: moment,
  ...boundColumns,
})

type UserRow = z.output<typeof userRow>

const passwordOf = (stored: string): SourcePassword => {
  if (stored === '') return { scheme: 'none' }
  if (stored.startsWith('scrypt:')) return { scheme: 'stored', text: stored }
  return /^[0-9a-f]{64}$/.test(stored) ? { scheme: 'sha256', hex: stored } : { scheme: 'plain', text: stored }
}

const roleOf = (row: UserRow, { notes }: OpenSiteParts, { organisationAdmins }: Structure): number => {
  if (row.user_role === 'proxy_admin') return role.admin
  // Older versions wrote this role at the user, too.
  const isOrganisationAdmin = row.user_role === 'org_admin' && organisationAdmins.has(row.user_id)
  if (row.user_role !== '' && row.user_role !== 'internal_user' && !isOrganisationAdmin)
    notes.note('user_role', `${row.user_id}: ${row.user_role}`)
  return role.user
}

/** Fields that LiteLLM does not have. */
const unknown = {
  githubId: '',
  oidcId: '',
  wechatId: '',
  telegramId: '',
  linuxDoId: '',
  accessToken: '',
  requestCount: 0,
  group: 'default',
  affCode: '',
  affCount: 0,
  affQuota: 0,
  affHistory: 0,
  inviterId: '',
  deletedAt: null,
  setting: '',
  lastLoginTime: 0,
} as const

const toUser =
  (parts: OpenSiteParts, structure: Structure) =>
  (cells: SourceRow): MovedUser => {
    const row = userRow.parse(cells)
    const { notes, quotaPerUnit } = parts
    if (row.max_budget === null) notes.note('user_no_budget', row.user_id)
    noteRenewal(row, row.user_id, notes)
    if (row.sso_user_id !== '') notes.note('binding_unknown', row.user_id)
    const spend = row.spend ?? 0
    const usedQuota = unitsOf(spend, quotaPerUnit)
    return {
      ...unknown,
      sourceId: row.user_id,
      username: nameFrom(row.user_id),
      password: passwordOf(row.password),
      displayName: row.user_alias || row.user_id,
      role: roleOf(row, parts, structure),
      // SCIM switches people off without deleting them.
      status: row.metadata.scim_active === false ? userStatus.disabled : userStatus.enabled,
      email: row.user_email,
      quota: unitsOf(dollarsForOnce(row) ?? dollarsWithoutBudget, quotaPerUnit) - usedQuota,
      usedQuota,
      createdTime: row.created_at ?? 0,
    }
  }

/** User for keys that have no owner. */
const serviceUser = (quotaPerUnit: number): MovedUser => ({
  ...unknown,
  sourceId: serviceUserId,
  username: 'service-keys',
  password: { scheme: 'none' },
  displayName: 'Service keys',
  role: role.user,
  status: userStatus.enabled,
  email: '',
  quota: unitsOf(dollarsWithoutBudget, quotaPerUnit),
  usedQuota: 0,
  createdTime: 0,
})

export async function* litellmUsers(parts: OpenSiteParts, structure: Structure): AsyncGenerator<readonly MovedUser[]> {
  const isPerson = ({ user_id: id }: SourceRow): boolean => {
    const isInternal = typeof id === 'string' && internalUsers.has(id)
    if (isInternal) parts.notes.note('internal_left', id)
    return !isInternal
  }
  for await (const rows of pagesOf(parts.source, 'LiteLLM_UserTable', 'user_id')) {
    yield rows.filter(isPerson).map(toUser(parts, structure))
  }
  if (structure.hasServiceKeys) yield [serviceUser(parts.quotaPerUnit)]
}
