import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { setLanguage } from '../../../../lib/i18n.ts'
import { fakeFetch } from '../../../../test/fake-fetch.ts'
import { renderConsole } from '../../../../test/render-console.tsx'
import { answers, channel, openai } from '../../testing-channels.ts'
import { ChannelSheet } from '../form.tsx'

beforeEach(() => setLanguage('en'))

type Stored = Parameters<typeof channel>[0]

const openForm = async (more: Parameters<typeof fakeFetch>[0] = {}, stored: Stored = {}) => {
  const sent = fakeFetch({
    ...answers(),
    'GET /api/channel/types': () => [openai],
    'GET /api/channel/1': () => channel(stored),
    'GET /api/channel/1/keys': () => [],
    'GET /api/price_lists/unpriced': () => [],
    'PUT /api/channel/': () => channel(stored),
    ...more,
  })
  await renderConsole(<ChannelSheet id={1} onClose={() => undefined} />)
  await screen.findByRole('tab', { name: 'Connect', selected: true })
  return sent
}
const tab = (name: string): HTMLElement => screen.getByRole('tab', { name: new RegExp(`^${name}`) })
const open = (name: string): Promise<void> => userEvent.click(tab(name))
const save = (): Promise<void> => userEvent.click(screen.getByRole('button', { name: 'Save' }))

describe('the tabs of the channel form', () => {
  it('keep what was typed, and are moved through by arrow keys', async () => {
    await openForm()
    await open('Routing')
    await userEvent.type(screen.getByLabelText('Channel tag'), 'backup')
    tab('Routing').focus()
    await userEvent.keyboard('{ArrowRight}')
    expect(document.activeElement).toBe(tab('Cost'))
    expect(screen.queryByRole('textbox', { name: 'Channel tag' })).toBeNull()
    await userEvent.keyboard('{End}{ArrowRight}{ArrowLeft}{Home}')
    expect(tab('Connect').getAttribute('aria-selected')).toBe('true')
    await open('Routing')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Channel tag' }).value).toBe('backup')
  })

  it('mark changes; each field shows what is saved and goes back to it', async () => {
    const sent = await openForm({}, { tag: 'west', setting: '{"slots":4}' })
    expect(tab('Routing').textContent).toBe('Routing')
    await open('Routing')
    await userEvent.type(screen.getByLabelText('Channel tag'), '2')
    await userEvent.type(screen.getByLabelText('Calls at a time'), '0')
    expect(tab('Routing').querySelector('[role=img]')?.getAttribute('aria-label')).toBe('changed')
    expect(screen.getByText('Saved: west')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Reset Calls at a time' }))
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Calls at a time' }).value).toBe('4')
    await save()
    await waitFor(() => expect(sent.some(({ method }) => method === 'PUT')).toBe(true))
    expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ id: 1, tag: 'west2' })
  })

  it('lead to the first refused field when saving', async () => {
    const sent = await openForm()
    await open('Routing')
    const priority = screen.getByRole('textbox', { name: 'Channel priority' })
    await userEvent.clear(priority)
    await userEvent.type(priority, '1.5')
    await open('Advanced')
    await save()
    await waitFor(() => expect(document.activeElement).toBe(priority))
    expect(tab('Routing').getAttribute('aria-selected')).toBe('true')
    expect(tab('Routing').querySelector('[role=img]')?.getAttribute('aria-label')).toBe('needs correction')
    expect(sent.some(({ method }) => method === 'PUT')).toBe(false)
  })

  it('lead to a setting that was refused, which is one of many in one JSON', async () => {
    await openForm({}, { setting: '{"slots":0}' })
    await open('Cost')
    await save()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Calls at a time')))
    expect(tab('Routing').getAttribute('aria-selected')).toBe('true')
  })

  it('lead to the field that the server refused', async () => {
    await openForm({
      'PUT /api/channel/': () =>
        Response.json({ success: false, message: 'The model mapping runs in a circle', code: 'channel_mapping_loop' }),
    })
    await userEvent.type(screen.getByLabelText(/^Name/), '2')
    await save()
    await waitFor(() => expect(tab('Models').getAttribute('aria-selected')).toBe('true'))
    const group = screen.getByRole('group', { name: 'Model redirection' })
    expect(within(group).getByText('The model mapping runs in a circle')).toBeTruthy()
  })
})

describe('two views of one value', () => {
  it('name the place of a fault in JSON', async () => {
    await openForm()
    await open('Advanced')
    await userEvent.click(screen.getByRole('switch', { name: /^Edit the extra settings as JSON/ }))
    const json = screen.getByRole('textbox', { name: 'Channel extra settings' })
    await userEvent.click(json)
    await userEvent.paste('{\n  "slots": 4,\n}')
    await userEvent.tab()
    expect(await screen.findByText('Invalid JSON at line 3, column 1')).toBeTruthy()
    await userEvent.clear(json)
    await userEvent.paste('{"slots": 4}')
    await open('Routing')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Calls at a time' }).value).toBe('4')
  })

  it('price a model and discount by rows, and show them as JSON', async () => {
    const sent = await openForm()
    await open('Cost')
    await userEvent.click(screen.getByRole('button', { name: 'Add a model price' }))
    const prices = screen.getByRole('group', { name: 'Own prices' })
    await userEvent.type(within(prices).getByPlaceholderText('Model'), 'gpt-4o')
    await userEvent.type(within(prices).getByLabelText('Input'), '2.5')
    await userEvent.click(screen.getByRole('button', { name: 'Add a discount' }))
    const discounts = screen.getByRole('group', { name: 'Discounts' })
    await userEvent.type(within(discounts).getByLabelText('Factor'), '0.9')
    await userEvent.click(screen.getByRole('button', { name: 'Edit as JSON' }))
    const cost = { models: { 'gpt-4o': { input: 2.5 } }, discounts: [{ factor: 0.9 }] }
    const json = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Own prices and discounts' })
    expect(JSON.parse(json.value)).toEqual(cost)
    await userEvent.click(screen.getByRole('button', { name: 'Edit as table' }))
    expect(
      within(screen.getByRole('group', { name: 'Own prices' })).getByLabelText<HTMLInputElement>('Input').value,
    ).toBe('2.5')
    await save()
    await waitFor(() => expect(sent.some(({ method }) => method === 'PUT')).toBe(true))
    const body = sent.find(({ method }) => method === 'PUT')?.body as { setting: string }
    expect(JSON.parse(body.setting)).toEqual({ cost })
  })
})

describe('the test before saving', () => {
  const press = () => userEvent.click(screen.getByRole('button', { name: 'Test' }))

  it('asks with what the form holds, and shows how fast it was answered until the form changes', async () => {
    const result = { time: 0.84, first_content_time: null, answer: 'Hello!', prompt_tokens: 8, completion_tokens: 2 }
    const sent = await openForm({ 'POST /api/channel/test/unsaved': () => result })
    await userEvent.click(screen.getByLabelText('Base URL'))
    await userEvent.paste('https://mine.example')
    await press()
    expect(await screen.findByText('gpt-4o answered in 0.8 s')).toBeTruthy()
    expect(screen.getByText('Hello!')).toBeTruthy()
    expect(sent.find(({ path }) => path === '/api/channel/test/unsaved')?.body).toEqual({
      id: 1,
      channel: { base_url: 'https://mine.example' },
      model: 'gpt-4o',
    })
    await userEvent.type(screen.getByLabelText('Base URL'), '/v2')
    expect(screen.queryByText('gpt-4o answered in 0.8 s')).toBeNull()
  })

  it('says what went wrong and what to do', async () => {
    const message = 'Nothing answers at http://127.0.0.1:1 (connection refused). Check host and port.'
    await openForm({
      'POST /api/channel/test/unsaved': () => Response.json({ success: false, message, code: 'other' }),
    })
    await press()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('gpt-4o failed after')
    expect(alert.textContent).toContain(message)
  })
})
