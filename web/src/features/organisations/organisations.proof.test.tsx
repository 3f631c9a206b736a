import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { organisationTabs, organisationTaskKinds } from '../../components/parts/organisation-parts.tsx'
import { organisationTabsFor } from '../../components/parts/organisation-tab.ts'
import type { Organisation, OrganisationRole } from '../../lib/api/contract.ts'
import { forgetUser, storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { createQueryClient } from '../../lib/query.ts'
import { applyStatus, statusStore } from '../../lib/status.ts'
import { type FakeAnswer, fakeFetch, refused, type Sent } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { OrganisationsScreen } from './screen.tsx'
import { reader, testMember, testOrganisation } from './testing-organisation.ts'

const page = (items: readonly unknown[]) => ({ items, total: items.length, page: 1, page_size: 20 })
const roles: readonly OrganisationRole[] = ['owner', 'admin', 'billing', 'member', 'viewer']
let sent: Sent[]

/** Opens the page of an organisation at this part of its address. */
const open = async (
  organisation: Organisation,
  search = '',
  answers: Readonly<Record<string, FakeAnswer>> = {},
): Promise<void> => {
  sent = fakeFetch({
    'GET /api/organisation/5': () => organisation,
    'GET /api/organisation/site/5': () => organisation,
    'GET /api/organisation/5/invitations': () => [],
    'GET /api/organisation/5/keys': () => [],
    'GET /api/organisation/5/log': () => page([]),
    'GET /api/user/self': () => ({ id: reader, quota: 2_000_000 }),
    'GET /api/user/models': () => [],
    'GET /api/token/models': () => [],
    ...answers,
  })
  await renderConsole(<OrganisationsScreen />, `/organisation/5${search}`, createQueryClient(), '/organisation/$id')
  await screen.findByRole('heading', { level: 1, name: 'Northwind' })
}
const changes = () =>
  sent.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body])
const tabs = (): string[] =>
  within(screen.getByRole('navigation', { name: 'Organisation sections' }))
    .getAllByRole('link')
    .map((link) => link.firstChild?.textContent ?? '')
const tabNamed = (name: RegExp): string | null | undefined =>
  within(screen.getByRole('navigation', { name: 'Organisation sections' })).queryByRole('link', { name })
    ?.textContent
const buttons = (): string[] => screen.queryAllByRole('button').map((button) => button.textContent ?? '')
const menuOf = async (name: string): Promise<string[]> => {
  await userEvent.click(screen.getByRole('button', { name: `Actions for ${name}` }))
  return (await screen.findAllByRole('menuitem')).map((item) => item.textContent ?? '')
}

beforeEach(() => {
  setLanguage('en')
  storeUser({ id: reader, username: 'ada', display_name: '', role: 1, status: 1, group: 'default' })
  applyStatus({ ...statusStore.get(), quota_per_unit: 500_000, display_in_currency: true })
})
afterEach(() => {
  cleanup()
  forgetUser()
  vi.unstubAllGlobals()
})

describe('the page of an organisation', () => {
  it.each([
    ['owner', ['Identity providers'], ['Settings'], ['Transfer', 'Invite']],
    ['admin', [], [], ['Invite']],
    ['billing', [], [], ['Transfer']],
    ['member', [], [], []],
    ['viewer', [], [], []],
  ] as const)('has for a reader who is %s what that role may do', async (role, more, last, mayPress) => {
    const organisation = testOrganisation(role)
    await open(organisation)
    const ofModules = organisationTabsFor(organisationTabs, organisation.may, false)
    const added = (place?: string) => ofModules.filter(({ behind }) => behind === place).map(({ title }) => title.en)
    const tasks = organisationTaskKinds.length > 0 ? ['Tasks'] : []
    const common = ['Overview', 'Members', 'Projects', 'API keys', ...added('keys'), 'Calls', ...tasks, 'Statement']
    expect(tabs()).toEqual([...common, ...more, ...added(), ...last])
    expect(buttons().filter((name) => ['Transfer', 'Invite'].includes(name))).toEqual(mayPress)
  })

  it('says on its tabs how many there are, of keys only those that the reader is shown', async () => {
    const ada = testMember({ user_id: reader, keys: 1, teams: [] })
    const others = { members: [ada, testMember({ user_id: 8, keys: 4 })] }
    for (const [role, keys] of [
      ['owner', 'API keys5'],
      ['member', 'API keys1'],
    ] as const) {
      const organisation = testOrganisation(role, others)
      const projects = organisation.projects.map((project) => ({ ...project, keys: 5 })).slice(0, 1)
      await open({ ...organisation, projects })
      expect(tabNamed(/^Members/)).toBe('Members2')
      expect(tabNamed(/^Projects/)).toBe('Projects1')
      expect(tabNamed(/^API keys/)).toBe(keys)
      expect(tabNamed(/^Calls/)).toBe('Calls')
      cleanup()
    }
  })

  it('shows the wallet to those who read everything, and others their own spending alone', async () => {
    for (const role of roles) {
      const organisation = testOrganisation(role)
      await open(organisation)
      const readsAll = organisation.balance !== null
      expect([role, screen.queryByText('$10.00') !== null]).toEqual([role, readsAll])
      expect(screen.getAllByText('$0.50').length).toBeGreaterThan(0)
      // Rows without a figure would say nothing.
      const members = within(screen.getByRole('table', { name: 'Spend by member' }))
      expect([role, members.queryByText('linus') !== null]).toEqual([role, readsAll])
      expect([role, screen.queryByRole('table', { name: 'Spend by project' }) !== null]).toEqual([role, readsAll])
      expect(screen.queryByText('No spend this month')).toBeNull()
      cleanup()
    }
  })

  it('shows administrators of the site what they may see, with a way to its calls', async () => {
    storeUser({ id: reader, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
    await open(testOrganisation(null, { may: ['read_all'], balance: 5_000_000 }), '?site=1')
    expect(tabs()).toEqual(['Overview', 'Members', 'Projects', 'Channels'])
    expect(screen.getByRole('link', { name: 'Calls' }).getAttribute('href')).toContain('organisation_id=5')
    expect(buttons()).not.toContain('Invite')
    for (const link of screen.getAllByRole('link', { name: /^Members/ }))
      expect(link.getAttribute('href')).toContain('site=1')
  })

  it('says why it cannot be read, with a way back', async () => {
    sent = fakeFetch({ 'GET /api/organisation/5': () => refused('There is no such thing', 'not_found', 404) })
    await renderConsole(<OrganisationsScreen />, '/organisation/5', createQueryClient(), '/organisation/$id')
    expect(await screen.findByText(/There is no such thing/)).toBeTruthy()
    expect(screen.getByRole('link', { name: /All organisations/ })).toBeTruthy()
  })
})

describe('members', () => {
  it('leaves to owners what an admin may not do to them', async () => {
    const known = { user_id: 8, username: 'grace', role: 'owner' } as const
    const organisation = testOrganisation('admin', { teams: [], projects: [], members: [testMember(known)] })
    await open(organisation, '?tab=members')
    await screen.findByText('grace')
    expect(await menuOf('grace')).toEqual(['Set cap'])
    cleanup()
    await open({ ...organisation, ...testOrganisation('owner'), members: [testMember(known)] }, '?tab=members')
    await screen.findByText('grace')
    expect(await menuOf('grace')).toEqual(['Change role', 'Set cap', 'Remove'])
  })

  it('lets everybody leave, and says beside the button why the last owner cannot', async () => {
    await open(testOrganisation('viewer'), '?tab=members', {
      'POST /api/organisation/5/member/remove': () =>
        refused('An organisation needs an owner', 'organisation_owner_needed'),
    })
    await screen.findByText('ada')
    // Only of themselves: caps of others are not theirs to see.
    expect(screen.getAllByText('no cap')).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Actions for grace' })).toBeNull()
    expect(await menuOf('ada')).toEqual(['Leave'])
    await userEvent.click(screen.getByRole('menuitem', { name: 'Leave' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Leave' }))
    expect(await dialog.findByText(/An organisation needs an owner/)).toBeTruthy()
    expect(changes()).toEqual([['POST', '/api/organisation/5/member/remove', { user_id: reader }]])
  })

  it('lets an admin of a team alone invite into it', async () => {
    const ada = testMember({ user_id: reader, username: 'ada', role: null, teams: [{ team_id: 2, role: 'admin' }] })
    const invitation = { id: 4, team_id: 2, role: 'viewer', email: 'eve@x.test', created_time: 1, expires_time: 2 }
    await open(testOrganisation(null, { members: [ada] }), '?tab=members&sheet=invite', {
      'GET /api/organisation/5/invitations': () => [invitation],
      'POST /api/organisation/5/invitations': () => ({ secret: 's'.repeat(43), mailed: false }),
    })
    expect(await screen.findByText('eve@x.test')).toBeTruthy()
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByLabelText('Team', { selector: 'input' }))
    const offered = (await screen.findAllByRole('option')).map((option) => option.textContent)
    expect(offered.filter((text) => !/per page$/.test(text ?? ''))).toEqual(['Research'])
    await userEvent.click(dialog.getByRole('button', { name: 'Create invitation' }))
    await waitFor(() => expect(changes()).toHaveLength(1))
    expect(changes()[0]?.[2]).toEqual({ email: '', role: 'member', team_id: 2 })
  })

  it('offers nobody to invite where the reader may not', async () => {
    await open(testOrganisation('viewer'), '?tab=members&keyword=nobody')
    await waitFor(() => expect(screen.queryByText('linus')).toBeNull())
    expect(buttons()).not.toContain('Invite')
  })

  it('fixes the role of an owner in the form of an admin, who may change the place in teams', async () => {
    await open(testOrganisation('admin'), '?tab=members&sheet=role-member-8', {
      'PUT /api/organisation/5/member': () => null,
    })
    const dialog = within(await screen.findByRole('dialog'))
    const whole = dialog.getByLabelText('Whole organisation', { selector: 'input' }) as HTMLInputElement
    expect([whole.disabled, whole.value.startsWith('Owner')]).toEqual([true, true])
    await userEvent.click(dialog.getByLabelText('Research', { selector: 'input' }))
    await userEvent.click(await screen.findByRole('option', { name: /^Admin/ }))
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(changes()).toEqual([['PUT', '/api/organisation/5/member', { user_id: 8, team_id: 2, role: 'admin' }]]),
    )
  })
})

describe('money', () => {
  it('is entered in the currency of the site and sent in its units', async () => {
    await open(testOrganisation('owner'), '?sheet=cap-member-9', { 'PUT /api/organisation/5/cap': () => null })
    const dialog = within(await screen.findByRole('dialog'))
    const amount = dialog.getByLabelText(/^Amount/) as HTMLInputElement
    expect(amount.value).toBe('$10')
    await userEvent.clear(amount)
    await userEvent.type(amount, '2.5')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(changes()).toHaveLength(1))
    expect(changes()[0]?.[2]).toMatchObject({ subject: 'member', subject_id: 9, period: 'month', amount: 1_250_000 })
  })

  it('is entered in units where the site shows quota', async () => {
    applyStatus({ ...statusStore.get(), display_in_currency: false })
    await open(testOrganisation('owner'), '?sheet=cap-project-11')
    const dialog = within(await screen.findByRole('dialog'))
    const amount = dialog.getByLabelText(/^Amount/) as HTMLInputElement
    expect(amount.value).toBe('5,000,000')
    expect(dialog.getByText('≈ $10.00')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Enter dollars' }))
    expect(amount.value).toBe('$10')
    expect(dialog.getByText('5,000,000 quota')).toBeTruthy()
  })

  it('says over the button why a transfer was refused, and repeats it under the same number', async () => {
    let answer: FakeAnswer = () => refused('The balance is not enough', 'quota_not_enough')
    await open(testOrganisation('billing'), '?sheet=transfer', {
      'POST /api/organisation/5/transfer': (call) => answer(call),
    })
    const dialog = within(await screen.findByRole('dialog'))
    // Only owners take money out.
    expect(dialog.queryByText('To my wallet')).toBeNull()
    await userEvent.type(dialog.getByLabelText(/^Amount/), '3')
    await userEvent.click(dialog.getByRole('button', { name: 'Transfer' }))
    expect(await dialog.findByText(/The balance is not enough/)).toBeTruthy()
    answer = () => null
    await userEvent.click(dialog.getByRole('button', { name: 'Transfer' }))
    await waitFor(() => expect(changes()).toHaveLength(2))
    const [first, second] = changes().map(([, , body]) => body)
    expect(first).toMatchObject({ direction: 'in', amount: 1_500_000 })
    expect(second).toEqual(first)
  })

  it('warns of a cap that is reached, and shows how far it is', async () => {
    const cap = { period: 'month', amount: 1_000_000, spent: 1_000_000 } as const
    await open(testOrganisation('owner', { members: [testMember({ user_id: 9, username: 'linus', spent: 1, cap })] }))
    expect(screen.getAllByText('$2.00 of $2.00 per month').length).toBeGreaterThan(0)
    expect(screen.getByText('Cap reached').closest('div')?.textContent).toContain('linus')
  })
})

describe('keys of projects', () => {
  it.each([
    ['owner', true],
    ['admin', true],
    ['billing', false],
    ['member', true],
    ['viewer', false],
  ] as const)('can be made by a reader who is %s: %s', async (role, can) => {
    await open(testOrganisation(role), '?tab=keys')
    await waitFor(() => expect(sent.map(({ path }) => path)).toContain('/api/organisation/5/keys'))
    expect(buttons().includes('Create API key')).toBe(can)
  })

  it('are made by somebody of a team alone in its projects, and for others where they lead it', async () => {
    const inTeam = (role: 'admin' | 'member' | 'viewer') =>
      testOrganisation(null, {
        members: [
          testMember({ user_id: reader, username: 'ada', role: null, teams: [{ team_id: 2, role }] }),
          testMember({ user_id: 9, username: 'linus' }),
        ],
      })
    await open(inTeam('viewer'), '?tab=keys')
    await waitFor(() => expect(sent.map(({ path }) => path)).toContain('/api/organisation/5/keys'))
    expect(buttons()).not.toContain('Create API key')
    cleanup()
    for (const role of ['member', 'admin'] as const) {
      await open(inTeam(role), '?tab=keys&sheet=key')
      const dialog = within(await screen.findByRole('dialog'))
      expect((dialog.getByLabelText('Project', { selector: 'input' }) as HTMLInputElement).value).toBe(
        'Papers · Research',
      )
      expect([role, dialog.queryByLabelText('Assigned to', { selector: 'input' }) !== null]).toEqual([role, role === 'admin'])
      cleanup()
    }
  })

  it('are shown once, with tags as they were typed', async () => {
    await open(testOrganisation('member'), '?tab=keys&sheet=key', {
      'POST /api/organisation/5/keys': ({ body }) => ({
        ...(body as object),
        id: 3,
        key: 'abc',
        status: 1,
        accessed_time: 0,
        created_time: 0,
        models: [],
        model_limits: '',
      }),
    })
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText(/^Key name/), 'ci')
    await userEvent.type(dialog.getByLabelText('Cost tags'), 'no tag')
    await userEvent.click(dialog.getByRole('button', { name: 'Create API key' }))
    expect(await dialog.findByText('Use the format name: value')).toBeTruthy()
    expect(changes()).toEqual([])
    await userEvent.clear(dialog.getByLabelText('Cost tags'))
    await userEvent.type(dialog.getByLabelText('Cost tags'), 'cost_centre: 7')
    await userEvent.click(dialog.getByRole('button', { name: 'Create API key' }))
    await waitFor(() => expect(changes()).toHaveLength(1))
    expect(changes()[0]?.[2]).toMatchObject({
      name: 'ci',
      project_id: 11,
      member_id: reader,
      tags: { cost_centre: '7' },
    })
    expect(await screen.findByText('sk-abc')).toBeTruthy()
    expect(await screen.findByText('sk-abc')).toBeTruthy()
  })

  it('are made for others who may use the project, and are not shown to their maker', async () => {
    await open(
      testOrganisation('owner', {
        members: [
          testMember({ user_id: reader, username: 'ada', role: 'owner' }),
          testMember({ user_id: 9, username: 'linus' }),
          testMember({ user_id: 10, username: 'vera', role: 'viewer' }),
        ],
      }),
      '?tab=keys&sheet=key',
      {
        'POST /api/organisation/5/keys': ({ body }) => ({
          ...(body as object),
          id: 3,
          key: 'abc***xyz',
          status: 1,
          accessed_time: 0,
          created_time: 0,
          models: [],
          model_limits: '',
        }),
      },
    )
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText(/^Key name/), 'ci')
    await userEvent.click(dialog.getByLabelText('Assigned to', { selector: 'input' }))
    expect(screen.queryByRole('option', { name: 'vera' })).toBeNull()
    await userEvent.click(await screen.findByRole('option', { name: 'linus' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Create API key' }))
    expect(await screen.findByText(/^linus can find it in their API keys/)).toBeTruthy()
    expect(changes()[0]?.[2]).toMatchObject({ member_id: 9 })
    expect(screen.queryByText(/sk-abc/)).toBeNull()
  })
})

describe('calls', () => {
  it('are filtered by member where the reader sees those of others', async () => {
    for (const role of roles) {
      await open(testOrganisation(role), '?tab=calls')
      await screen.findByRole('combobox', { name: 'Project' })
      const readsAll = !['member', 'viewer'].includes(role)
      expect([role, screen.queryByRole('combobox', { name: 'Member' }) !== null]).toEqual([role, readsAll])
      cleanup()
    }
  })
})
