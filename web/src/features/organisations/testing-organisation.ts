import type { Organisation, OrganisationAction, OrganisationMember, OrganisationRole } from '../../lib/api/contract.ts'

/** Permissions of each role in the whole organisation, as the server has them. */
const actionsOf: Readonly<Record<OrganisationRole, readonly OrganisationAction[]>> = {
  owner: [
    ...(['read_all', 'use', 'manage_keys', 'manage_projects', 'manage_members', 'manage_caps'] as const),
    ...(['pay_in', 'pay_out', 'manage_organisation'] as const),
  ],
  admin: ['read_all', 'use', 'manage_keys', 'manage_projects', 'manage_members', 'manage_caps'],
  billing: ['read_all', 'manage_caps', 'pay_in'],
  member: ['use'],
  viewer: [],
}

export const testMember = (change: Partial<OrganisationMember> & { user_id: number }): OrganisationMember => ({
  username: `user${change.user_id}`,
  display_name: '',
  role: 'member',
  teams: [],
  suspended: false,
  keys: 0,
  spent: null,
  cap: null,
  ...change,
})

/** Number of the reader, who is a member with this role. */
export const reader = 7

/** An organisation as a person with this role reads it: two teams with a project each, an owner and a member beside the reader. */
export const testOrganisation = (role: OrganisationRole | null, change: Partial<Organisation> = {}): Organisation => {
  const may = role === null ? [] : actionsOf[role]
  const readsAll = may.includes('read_all')
  const spent = readsAll ? 1_000_000 : null
  return {
    id: 5,
    name: 'Northwind',
    domain: '',
    time_zone: 'UTC',
    models: [],
    role,
    may: [...may],
    spent: 250_000,
    own_providers: role === 'owner',
    balance: readsAll ? 5_000_000 : null,
    teams: [
      { id: 1, name: 'Platform', models: [] },
      { id: 2, name: 'Research', models: [] },
    ],
    projects: [
      { id: 11, team_id: 1, name: 'Search', models: [], keys: 1, spent, cap: null },
      { id: 12, team_id: 2, name: 'Papers', models: [], keys: 0, spent, cap: null },
    ],
    members: [
      testMember({ user_id: reader, username: 'ada', role, spent: 250_000 }),
      testMember({ user_id: 8, username: 'grace', role: 'owner', spent }),
      testMember({ user_id: 9, username: 'linus', spent }),
    ],
    ...change,
  }
}
