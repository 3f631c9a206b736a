import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OrganisationTabProps } from '#web/components/parts/organisation-tab.ts'
import type { Organisation } from '#web/lib/api/contract.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch, type Sent } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { Provisioning, type ProvisioningView } from './provisioning.tsx'

const organisation: Organisation = {
  id: 7,
  name: 'Northwind',
  time_zone: 'UTC',
  models: [],
  domain: 'northwind.example',
  role: 'owner',
  may: ['manage_members'],
  own_providers: false,
  balance: 0,
  spent: 0,
  teams: [{ id: 3, name: 'Platform', models: [] }],
  projects: [],
  members: [],
}

const names = { owner: 'Owner', admin: 'Admin', billing: 'Billing', member: 'Member', viewer: 'Viewer' }
const placeName = (teamId: number): string => (teamId === 0 ? 'Whole organisation' : 'Platform')
const roles: OrganisationTabProps['roles'] = {
  name: (role) => names[role],
  placeName,
  inPlace: (teamId, role) => `${placeName(teamId)}: ${names[role]}`,
  choices: () => [{ value: 'member', label: 'Member' }],
}

const call = { token_name: 'Okta', created_time: 1_790_000_000, method: 'GET' }
const view: ProvisioningView = {
  path: '/scim/v2/7',
  server_address: 'https://gateway.example',
  proved_domain: '',
  role: 'member',
  people: 12,
  suspended: 2,
  tokens: [
    {
      id: 1,
      name: 'Okta',
      hint: 'x9Qz',
      made_by: 'ada',
      created_time: 1_790_000_000,
      expires_time: 1,
      last_used_time: 1_790_000_100,
    },
  ],
  groups: [
    { name: 'Platform', members: 4, by_name: true, places: [{ team_id: 3, role: 'member' }] },
    { name: 'Finance', members: null, by_name: false, places: [{ team_id: 0, role: 'viewer' }] },
  ],
  calls: [
    { ...call, id: 2, path: '/Users?filter=userName eq', status: 400, detail: 'The filter is not valid.' },
    { ...call, id: 1, path: '/Groups', status: 200, detail: '' },
  ],
}

let sent: Sent[]

const show = async (): Promise<void> => {
  await renderConsole(<Provisioning organisation={organisation} roles={roles} />)
  await screen.findByText('https://gateway.example/scim/v2/7')
}

describe('provisioning', () => {
  beforeEach(() => {
    setLanguage('en')
    sent = fakeFetch({
      'GET /api/organisation/7/provisioning': () => view,
      'PUT /api/organisation/7/provisioning': () => null,
      'PUT /api/organisation/7/provisioning/group': () => null,
      'POST /api/organisation/7/provisioning/tokens': () => ({ token: 'scim_secret' }),
      'POST /api/organisation/7/provisioning/tokens/revoke': () => null,
    })
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
  const changes = () =>
    sent.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body])

  it('says what to enter, what each group gives, and that no domain is proved', async () => {
    await show()
    expect(screen.getByText(/No verified domain/)).toBeTruthy()
    const groups = within(screen.getByRole('region', { name: 'Groups and teams' }))
    expect(groups.getByText('Roles: Platform: Member')).toBeTruthy()
    expect(groups.getByText('Roles: Whole organisation: Viewer')).toBeTruthy()
    expect(groups.getByText('not pushed yet')).toBeTruthy()
    expect(within(screen.getByRole('region', { name: 'SCIM tokens' })).getByText(/Expired/)).toBeTruthy()
  })

  it('shows a new token once, and ends one after asking', async () => {
    await show()
    const user = userEvent.setup()
    await user.click(screen.getByRole('button', { name: 'Add token' }))
    await user.type(await screen.findByLabelText(/Token name/), 'Entra ID')
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add token' }))
    expect(await screen.findByText('scim_secret')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByText('scim_secret')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Revoke Okta' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }))
    await waitFor(() =>
      expect(changes()).toEqual([
        ['POST', '/api/organisation/7/provisioning/tokens', { name: 'Entra ID', days: 365 }],
        ['POST', '/api/organisation/7/provisioning/tokens/revoke', { token_id: 1 }],
      ]),
    )
  })

  it('gives a group back to its name, and shows refused calls alone', async () => {
    await show()
    const user = userEvent.setup()
    await user.click(screen.getByRole('button', { name: 'Reset to team name' }))
    await waitFor(() =>
      expect(changes()).toEqual([['PUT', '/api/organisation/7/provisioning/group', { name: 'Finance', places: null }]]),
    )
    const calls = within(screen.getByRole('region', { name: 'Recent requests' }))
    expect(calls.getByText('GET /Groups')).toBeTruthy()
    await user.click(calls.getByRole('switch', { name: 'Failed only' }))
    expect(calls.queryByText('GET /Groups')).toBeNull()
    expect(calls.getByText('The filter is not valid.')).toBeTruthy()
  })
})
