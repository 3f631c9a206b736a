import { role, userStatus } from '@tollgate/contract'
import { z } from 'zod'
import type { MovedUser, OpenSiteParts } from '../site.ts'
import { flag, real, text, texts } from '../source/cells.ts'
import { pagesOf } from '../source/source.ts'
import { dollarsWithoutBudget, nameFrom, unitsOf } from './figures.ts'

const teamRow = z.object({
  team_id: text,
  team_alias: text,
  models: texts,
  max_budget: real,
  spend: real,
  blocked: flag,
})
export type Team = z.output<typeof teamRow>

const keyRow = z.object({ user_id: text, team_id: text })

export interface Teams {
  readonly byId: ReadonlyMap<string, Team>
  /** Users for keys that belong to a team and to nobody. */
  readonly owners: readonly MovedUser[]
}

/** The source id of the user that stands for a team, or for keys of nobody at all. */
export const teamOwnerId = (teamId: string): string => `team:${teamId}`

const ownerOf = (teamId: string, team: Team | undefined, quotaPerUnit: number): MovedUser => ({
  sourceId: teamOwnerId(teamId),
  username: nameFrom(teamId === '' ? 'service-keys' : teamId),
  password: { scheme: 'none' },
  displayName: team?.team_alias || teamId || 'Service keys',
  role: role.user,
  status: userStatus.enabled,
  email: '',
  githubId: '',
  oidcId: '',
  wechatId: '',
  telegramId: '',
  linuxDoId: '',
  accessToken: '',
  quota: unitsOf((team?.max_budget ?? dollarsWithoutBudget) - (team?.spend ?? 0), quotaPerUnit),
  usedQuota: 0,
  requestCount: 0,
  group: 'default',
  affCode: '',
  affCount: 0,
  affQuota: 0,
  affHistory: 0,
  inviterId: '',
  deletedAt: null,
  setting: '',
  createdTime: 0,
  lastLoginTime: 0,
})

/** The teams, and the users that have to stand for some of them. */
export const readTeams = async ({ source, quotaPerUnit }: OpenSiteParts): Promise<Teams> => {
  const byId = new Map<string, Team>()
  for await (const rows of pagesOf(source, 'LiteLLM_TeamTable', 'team_id')) {
    for (const row of rows.map((cells) => teamRow.parse(cells))) byId.set(row.team_id, row)
  }
  const ownerless = new Set<string>()
  for await (const rows of pagesOf(source, 'LiteLLM_VerificationToken', 'token')) {
    for (const row of rows.map((cells) => keyRow.parse(cells))) if (row.user_id === '') ownerless.add(row.team_id)
  }
  return { byId, owners: [...ownerless].map((teamId) => ownerOf(teamId, byId.get(teamId), quotaPerUnit)) }
}
