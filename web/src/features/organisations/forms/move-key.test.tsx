import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Organisation, OrganisationRole } from '../../../lib/api/contract.ts'
import { forgetUser, storeUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { createQueryClient } from '../../../lib/query.ts'
import { fakeFetch } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { projectsToMoveTo } from '../rights.ts'
import { OrganisationsScreen } from '../screen.tsx'
import { reader, testMember, testOrganisation } from '../testing-organisation.ts'

const projects = [
  { id: 11, team_id: 1, name: 'Search', models: [], keys: 1, spent: null, cap: null },
  { id: 12, team_id: 2, name: 'Papers', models: [], keys: 0, spent: null, cap: null },
  { id: 13, team_id: 3, name: 'Ads', models: [], keys: 0, spent: null, cap: null },
]
/** The reader leads teams 1 and 2 and is a viewer of team 3; Grace uses team 1 alone, Linus all of them. */
const organisationOf = (role: OrganisationRole | null): Organisation =>
  testOrganisation(role, {
    projects,
    members: [
      testMember({
        user_id: reader,
        role,
        teams: [
          { team_id: 1, role: 'admin' },
          { team_id: 2, role: 'admin' },
          { team_id: 3, role: 'viewer' },
        ],
      }),
      testMember({ user_id: 8, role: null, teams: [{ team_id: 1, role: 'member' }] }),
      testMember({ user_id: 9, role: 'member' }),
      testMember({ user_id: 10, role: 'member', suspended: true }),
    ],
  })

const key = (change: object) => ({
  id: 4,
  name: 'indexer',
  key: 'abc***xyz',
  status: 1,
  created_time: 1,
  accessed_time: 1,
  expired_time: -1,
  remain_quota: 0,
  unlimited_quota: true,
  used_quota: 0,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
  tags: {},
  project_id: 11,
  member_id: 0,
  shared: false,
  ...change,
})

beforeEach(() => {
  setLanguage('en')
  storeUser({ id: reader, username: 'ada', display_name: '', role: 1, status: 1, group: 'default' })
})
afterEach(() => {
  cleanup()
  forgetUser()
  vi.unstubAllGlobals()
})

it.each([
  ['a machine’s key', null, key({}), ['Papers']],
  ['a machine’s key of the whole organisation', 'admin', key({}), ['Papers', 'Ads']],
  ['a machine’s key whose maker has left', 'admin', key({ shared: true }), ['Papers', 'Ads']],
  ['an own key', null, key({ member_id: reader }), ['Papers']],
  ['the key of who uses one team', 'admin', key({ member_id: 8 }), []],
  ['the key of who uses all teams', null, key({ member_id: 9 }), ['Papers']],
  ['the key of who is suspended', 'admin', key({ member_id: 10 }), []],
  ['the key of who has left', 'admin', key({ member_id: 99 }), []],
  ['a key whose secret others may know', 'admin', key({ member_id: 9, shared: true }), []],
] as const)('%s moves where the server takes it', (_, role, moved, expected) => {
  expect(projectsToMoveTo(organisationOf(role), reader, moved).map(({ name }) => name)).toEqual(expected)
})

it('the form offers these projects alone, and a key that can go nowhere has no form', async () => {
  const sent = fakeFetch({
    'GET /api/organisation/5': () => organisationOf(null),
    'GET /api/organisation/5/invitations': () => [],
    'GET /api/organisation/5/keys': () => [key({}), key({ id: 5, name: 'of grace', member_id: 8 })],
    'GET /api/user/self': () => ({ id: reader, quota: 2_000_000 }),
    'GET /api/user/models': () => [],
    'GET /api/token/models': () => [],
    'POST /api/organisation/5/keys/move': () => ({ id: 6 }),
  })
  const client = createQueryClient()
  await renderConsole(<OrganisationsScreen />, '/organisation/5?tab=keys', client, '/organisation/$id')
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for of grace' }))
  const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
  expect(items).toEqual(['Disable', 'Delete'])
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: 'Actions for indexer' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Move' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByLabelText('Project', { selector: 'input' }))
  const offered = (await screen.findAllByRole('option')).map((option) => option.textContent)
  expect(offered.filter((text) => !/per page$/.test(text ?? ''))).toEqual(['Papers'])
  await userEvent.click(dialog.getByRole('button', { name: 'Move' }))
  const move = () => sent.find(({ method }) => method === 'POST')
  await waitFor(() => expect(move()?.body).toEqual({ key_id: 4, project_id: 12 }))
})
