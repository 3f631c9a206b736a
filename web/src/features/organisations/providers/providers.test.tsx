import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { IdentityProvider } from '../../../lib/api/contract.ts'
import { forgetUser, storeUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { createQueryClient } from '../../../lib/query.ts'
import { applyStatus, statusStore } from '../../../lib/status.ts'
import { type FakeAnswer, fakeFetch, refused, type Sent } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { OrganisationsScreen } from '../screen.tsx'
import { reader, testOrganisation } from '../testing-organisation.ts'

const provider: IdentityProvider = {
  id: 3,
  organisation_id: 5,
  slug: 'northwind',
  name: 'Company account',
  icon: 'key',
  enabled: true,
  connection: {
    kind: 'oidc',
    issuer: 'https://idp.test',
    client_id: 'gate',
    scopes: 'openid',
    groups_claim: 'groups',
    signs_out: false,
  },
  sign_up: false,
  domains: [],
  enforced: false,
  replaces_manual: false,
  has_secret: true,
  owner_sign_in_time: 0,
  rules: [{ value: 'engineers', organisation_id: 5, team_id: 1, role: 'member' }],
  created_time: 1,
  changed_time: 1,
}
const at = '/api/organisation/5/identity_providers'
let sent: Sent[]

const open = async (
  items: readonly IdentityProvider[],
  search = '',
  answers: Readonly<Record<string, FakeAnswer>> = {},
  provedDomain = '',
): Promise<void> => {
  sent = fakeFetch({
    'GET /api/organisation/5': () => testOrganisation('owner'),
    [`GET ${at}`]: () => ({ open: true, items, proved_domain: provedDomain }),
    ...answers,
  })
  const path = `/organisation/5?tab=providers${search}`
  await renderConsole(<OrganisationsScreen />, path, createQueryClient(), '/organisation/$id')
  await screen.findByRole('heading', { level: 2, name: 'Identity providers' })
}
const changes = () =>
  sent.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body])

beforeEach(() => {
  setLanguage('en')
  storeUser({ id: reader, username: 'ada', display_name: '', role: 1, status: 1, group: 'default' })
  applyStatus({ ...statusStore.get(), server_address: 'https://gate.test' })
})
afterEach(() => {
  cleanup()
  forgetUser()
  vi.unstubAllGlobals()
})

describe('identity providers of an organisation', () => {
  it('say where members sign in, and are removed after asking', async () => {
    await open([provider], '', { [`DELETE ${at}/3`]: () => null })
    expect(await screen.findByText('https://gate.test/login?sso=northwind')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Delete Company account' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(changes()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(changes()).toEqual([['DELETE', `${at}/3`, undefined]]))
  })

  it('are added with rules for this organisation alone, and claim no domain', async () => {
    await open([], '&sheet=provider', { [`POST ${at}`]: ({ body }) => ({ ...provider, ...(body as object) }) })
    const dialog = within(await screen.findByRole('dialog'))
    expect((dialog.getByLabelText(/^Slug/) as HTMLInputElement).value).toBe('northwind')
    // The name in addresses stays the organisation's whatever kind is chosen.
    await userEvent.selectOptions(dialog.getByLabelText('Type'), 'oidc')
    expect((dialog.getByLabelText(/^Slug/) as HTMLInputElement).value).toBe('northwind')
    expect(dialog.queryByLabelText('Domains')).toBeNull()
    expect(dialog.queryByLabelText(/to use this provider/)).toBeNull()
    expect(dialog.getByText(/verify the organisation’s email domain with a DNS record/)).toBeTruthy()
    expect(dialog.getByText('https://gate.test/oauth/northwind')).toBeTruthy()
    await userEvent.type(dialog.getByLabelText(/^Name\b(?! in)/), 'Company')
    await userEvent.type(dialog.getByLabelText(/^Issuer/), 'http://idp.test')
    await userEvent.type(dialog.getByLabelText(/^Client ID/), 'gate')
    await userEvent.click(dialog.getByRole('button', { name: 'Add rule' }))
    expect(dialog.queryByRole('combobox', { name: 'Organisation 1' })).toBeNull()
    await userEvent.type(dialog.getByLabelText('Group 1'), 'engineers')
    await userEvent.selectOptions(dialog.getByLabelText('Role 1'), 'billing')
    // Teams have no such role.
    await userEvent.selectOptions(dialog.getByLabelText('Team 1'), 'Research')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('Enter an https URL')).toBeTruthy()
    expect(changes()).toEqual([])
    await userEvent.clear(dialog.getByLabelText(/^Issuer/))
    await userEvent.type(dialog.getByLabelText(/^Issuer/), 'https://idp.test')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(changes()).toHaveLength(1))
    expect(changes()[0]).toMatchObject([
      'POST',
      at,
      {
        slug: 'northwind',
        name: 'Company',
        domains: [],
        enforced: false,
        rules: [{ value: 'engineers', organisation_id: 5, team_id: 2, role: 'member' }],
      },
    ])
  })

  it('are required for the domain that is proved, once an owner signed in by them', async () => {
    const label = /^Require members at northwind.test to use this provider/
    await open([provider], '&sheet=provider-3', {}, 'northwind.test')
    const dialog = within(await screen.findByRole('dialog'))
    expect(((await dialog.findByLabelText(label)) as HTMLInputElement).disabled).toBe(true)
    expect(dialog.getByText(/^An owner must first link this provider/)).toBeTruthy()
    cleanup()

    const works = { ...provider, owner_sign_in_time: 5, domains: ['northwind.test'] }
    await open([works], '&sheet=provider-3', { [`PUT ${at}/3`]: () => works }, 'northwind.test')
    const again = within(await screen.findByRole('dialog'))
    await userEvent.click(await again.findByLabelText(label))
    await userEvent.click(again.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(changes()).toMatchObject([['PUT', `${at}/3`, { enforced: true, domains: [] }]]))
  })

  it('take the metadata of a SAML provider, and test what was entered', async () => {
    await open([], '&sheet=provider', {
      [`POST ${at}/test`]: () => ({ issuer: 'https://idp.test/e', sign_in_url: '', keys: 1, expires_time: 0 }),
    })
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.selectOptions(dialog.getByLabelText('Type'), 'saml')
    const metadata = dialog.getByLabelText('Provider metadata')
    await userEvent.click(metadata)
    await userEvent.paste('<html/>')
    expect(await dialog.findByText(/Not valid SAML IdP metadata/)).toBeTruthy()
    await userEvent.clear(metadata)
    await userEvent.click(metadata)
    await userEvent.paste(
      `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.test/e"><IDPSSODescriptor>
        <KeyDescriptor><X509Certificate xmlns="http://www.w3.org/2000/09/xmldsig#">MIIC</X509Certificate></KeyDescriptor>
        <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.test/sso"/>
      </IDPSSODescriptor></EntityDescriptor>`,
    )
    expect(await dialog.findByText('Loaded from https://idp.test/e')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Test connection' }))
    expect(await dialog.findByText('Connected to https://idp.test/e · signing keys: 1')).toBeTruthy()
    const connection = {
      kind: 'saml',
      issuer: 'https://idp.test/e',
      sign_in_url: 'https://idp.test/sso',
      certificates: ['MIIC'],
    }
    expect(changes()).toMatchObject([['POST', `${at}/test`, { connection }]])
  })

  it('show over the button what the server refuses, and keep the secret that is stored', async () => {
    await open([provider], '&sheet=provider-3', {
      [`PUT ${at}/3`]: () => refused('The name is taken', 'slug_taken', 409),
    })
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(await dialog.findByRole('button', { name: 'Save' }))
    expect(await dialog.findByText(/The name is taken/)).toBeTruthy()
    expect(changes()[0]?.[2]).not.toHaveProperty('client_secret')
  })
})
