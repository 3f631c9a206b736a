import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { storeUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { fakeFetch, refused } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { UsersScreen } from '../screen.tsx'

const admin = { id: 1, username: 'warden', display_name: '', role: 10, status: 1, group: '' }

const answers = (more: Parameters<typeof fakeFetch>[0]) => ({
  'GET /api/group/': () => ['default', 'vip'],
  'GET /api/user/search': () => ({ items: [], total: 0, page: 1, page_size: 10 }),
  'GET /api/user/models': () => ['gpt-4o-mini'],
  'GET /api/option/': () => [
    { key: 'QuotaForNewUser', value: '500000' },
    { key: 'SMTPServer', value: '' },
  ],
  ...more,
})

const open = async () => {
  await renderConsole(<UsersScreen />, '/user/add')
  return within(await screen.findByRole('dialog', { name: 'Add user' }))
}
type Form = Awaited<ReturnType<typeof open>>

const choose = (form: Form, name: string) => userEvent.click(form.getByRole('radio', { name }))
const press = (form: Form) => userEvent.click(form.getByRole('button', { name: 'Add user' }))

beforeEach(() => {
  setLanguage('en')
  storeUser({ ...admin, username: 'root', role: 100 })
})

describe('the form that adds a user', () => {
  it('sends account, money and a key in one call, and shows the key once with a first call', async () => {
    const added = { id: 12, username: 'dave', key: 'k'.repeat(48), secret: '', mailed: false }
    const sent = fakeFetch(answers({ 'POST /api/user/add': () => added }))
    const form = await open()
    await userEvent.type(form.getByLabelText(/^Username or email/), 'dave')
    await userEvent.click(form.getByLabelText('Admin'))
    const balance = form.getByLabelText('Starting balance')
    await waitFor(() => expect((balance as HTMLInputElement).value).toMatch(/1/))
    await userEvent.clear(balance)
    await userEvent.type(balance, '5')
    await userEvent.click(form.getByLabelText(/^Limit monthly spend/))
    await userEvent.type(form.getByLabelText('Monthly budget'), '2')
    await choose(form, 'Create API key')
    await press(form)
    const sheet = await screen.findByRole('dialog', { name: 'API key for dave' })
    expect(within(sheet).getByText(`sk-${'k'.repeat(48)}`)).toBeTruthy()
    // Colours come when their part is loaded, and cut the text into pieces.
    await waitFor(() => expect(sheet.textContent).toMatch(/curl .*chat\/completions/))
    expect(sent.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])).toEqual([
      [
        '/api/user/add',
        {
          username: 'dave',
          display_name: '',
          group: 'default',
          role: 10,
          quota: 2_500_000,
          budget: { amount: 1_000_000, time_zone: expect.stringMatching(/^\w/) },
          entry: { kind: 'key' },
        },
      ],
    ])
  })

  it('shows the link of an invitation where the site sends no mail, and says so before', async () => {
    const secret = 's'.repeat(43)
    const added = { id: 12, username: 'dave', key: '', secret, mailed: false }
    const sent = fakeFetch(answers({ 'POST /api/user/add': () => added }))
    const form = await open()
    expect(form.getByText(/Shows a link to set a password/)).toBeTruthy()
    await userEvent.type(form.getByLabelText(/^Username or email/), 'dave@example.com')
    expect(await form.findByText(/Email is not set up on this site/)).toBeTruthy()
    expect(form.getByText('The part before the @ becomes the username')).toBeTruthy()
    await press(form)
    const sheet = within(await screen.findByRole('dialog', { name: 'Invitation link for dave' }))
    expect(sheet.getByText(`http://localhost:3000/invited?id=12&name=dave#${secret}`)).toBeTruthy()
    expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
      email: 'dave@example.com',
      entry: { kind: 'invitation' },
    })
  })

  it('complains at the field that is wrong, and at no other', async () => {
    const sent = fakeFetch(answers({}))
    const form = await open()
    await choose(form, 'Set password')
    await userEvent.type(form.getByLabelText(/^Password/), 'short')
    await press(form)
    const invalid = () => form.getAllByRole('textbox').filter((field) => field.getAttribute('aria-invalid') === 'true')
    expect(await form.findByText('Enter a username or an email address')).toBeTruthy()
    expect(form.getByText('The password must have at least 8 characters')).toBeTruthy()
    await userEvent.type(form.getByLabelText(/^Username or email/), 'no address@')
    await press(form)
    expect(await form.findByText('This email address is not valid')).toBeTruthy()
    expect(invalid()).toHaveLength(1)
    expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('puts a refusal of the server at its field', async () => {
    fakeFetch(answers({ 'POST /api/user/add': () => refused('taken', 'username_taken') }))
    const form = await open()
    const login = form.getByLabelText(/^Username or email/)
    await userEvent.type(login, 'root')
    await press(form)
    await waitFor(() => expect(login.getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getByRole('dialog', { name: 'Add user' })).toBeTruthy()
  })

  it('offers administrators what they may give', async () => {
    storeUser({ ...admin, permissions: { set: 'support', areas: { users: 'write' } } })
    fakeFetch(answers({}))
    const form = await open()
    for (const label of ['Admin', 'Starting balance', /^Limit monthly spend/])
      expect(form.queryByLabelText(label)).toBeNull()
    expect(form.getByRole('radio', { name: 'Create API key' })).toBeTruthy()
  })
})
