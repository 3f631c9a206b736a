import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Limit, LimitStanding } from '../../lib/api/contract.ts'
import { storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { bodyOf, valuesOf } from './fields.ts'
import { LimitsScreen } from './screen.tsx'

const daily: Limit = {
  id: 4,
  name: 'daily',
  enabled: true,
  measure: 'requests',
  amount: 1000,
  window: 'day',
  hours: 1,
  time_zone: 'Europe/Berlin',
  subjects: [{ kind: 'key', value: '' }],
  action: 'refuse',
  tell_at: [80, 100],
  fallback_model: '',
  tell_unusual: true,
  also_notify: ['a@example.com', 'https://example.com/hook'],
  owner_id: 0,
  changed_time: 1,
}

const stateOf = (name: string, left: number): LimitStanding['states'][number] => ({
  id: 4,
  name: 'daily',
  measure: 'requests',
  window: 'day',
  hours: 1,
  refuses: true,
  subject: `key ${name}`,
  subjects: [{ kind: 'key', value: '5', name }],
  amount: 1000,
  used: 1000 - left,
  left,
  free_at: 1_795_564_800,
  fallback_model: '',
  used_up_at: left > 0 ? 1_795_540_000 : 0,
})

const standing: LimitStanding = {
  id: 4,
  subjects: [{ kind: 'key', value: '', name: '' }],
  counted: 2,
  states: [stateOf('batch', 0), stateOf('chat', 400)],
}

const asRole = (role: number): void =>
  storeUser({ id: 1, username: 'someone', display_name: '', role, status: 1, group: 'default' })

beforeEach(() => {
  setLanguage('en')
  asRole(100)
})

describe('the fields', () => {
  it('lose nothing of a limit', () => {
    const { id: _id, owner_id: _owner, changed_time: _time, ...body } = daily
    expect(bodyOf(valuesOf(daily), '')).toEqual(body)
  })

  it('count calls under way now, whatever window was chosen', () => {
    expect(bodyOf({ ...valuesOf(daily), measure: 'running', name: '' }, 'summary')).toMatchObject({
      name: 'summary',
      measure: 'running',
      window: 'now',
    })
  })
})

describe('the screen', () => {
  it('shows what a limit allows, and who has used most of it', async () => {
    fakeFetch({ 'GET /api/limits': () => [daily], 'GET /api/limits/standing': () => [standing] })
    await renderConsole(<LimitsScreen />, '/limit')
    expect(await screen.findByText('each key · 1,000 requests per day')).toBeTruthy()
    expect(
      screen.getByText(
        /notifies at 80%, 100% · notifies on unusual usage · also notifies: 2 · resets at midnight Europe\/Berlin/,
      ),
    ).toBeTruthy()
    expect(await screen.findByText('key batch')).toBeTruthy()
    expect(screen.getByText('1,000 of 1,000 used')).toBeTruthy()
    expect(screen.getByText('used up')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Show 1 more' }))
    expect(screen.getByText('400 left')).toBeTruthy()
    expect(screen.getByText(/^runs out .* at this pace/)).toBeTruthy()
  })

  it('shows how far calls went beyond a limit that only sends notices', async () => {
    const soft = { ...stateOf('batch', 0), refuses: false, amount: 2000, used: 106_763 }
    fakeFetch({
      'GET /api/limits': () => [{ ...daily, action: 'tell' }],
      'GET /api/limits/standing': () => [{ ...standing, states: [soft] }],
    })
    await renderConsole(<LimitsScreen />, '/limit')
    expect(await screen.findByText('5,338%')).toBeTruthy()
    const end = screen.getByText('over by 104,763 · notified')
    expect(end.parentElement?.dataset.full).toBe('soft')
    expect(screen.queryByText('used up')).toBeNull()
  })

  it('leads an administrator from nothing to a limit on a key that is found by name', async () => {
    const sent = fakeFetch({
      'GET /api/limits': () => [],
      'GET /api/limits/standing': () => [],
      'GET /api/limits/subjects': () => [{ value: '5', name: 'batch', note: 'alice' }],
      'POST /api/limits': ({ body }) => ({ ...(body as object), id: 1, owner_id: 0, changed_time: 1 }),
    })
    await renderConsole(<LimitsScreen />, '/limit')
    await userEvent.click((await screen.findAllByRole('button', { name: 'Add limit' }))[0] as HTMLElement)
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(await dialog.findByRole('combobox', { name: 'Value' }))
    await userEvent.click(await screen.findByText('batch · alice · #5'))
    await userEvent.type(dialog.getByRole('textbox', { name: 'Amount' }), '60')
    expect(await dialog.findByText('key batch: 60 requests per minute')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await expect
      .poll(() => sent.find(({ method }) => method === 'POST')?.body)
      .toMatchObject({
        name: 'key batch: 60 requests per minute',
        measure: 'requests',
        amount: 60,
        window: 'minute',
        action: 'refuse',
        tell_at: [],
        subjects: [{ kind: 'key', value: '5' }],
      })
  })

  it('asks for the model that goes on, and who else is told', async () => {
    const sent = fakeFetch({
      'GET /api/limits': () => [],
      'GET /api/limits/standing': () => [],
      'GET /api/limits/subjects': () => [],
      'GET /api/virtual_models': () => [],
      'POST /api/limits': ({ body }) => ({ ...(body as object), id: 1, owner_id: 0, changed_time: 1 }),
    })
    await renderConsole(<LimitsScreen />, '/limit?add=1')
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(await dialog.findByRole('textbox', { name: 'Amount' }), '60')
    const action = dialog.getByRole('combobox', { name: 'Action' })
    await userEvent.selectOptions(action, 'Fall back to another model')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('Enter a model')).toBeTruthy()
    await userEvent.type(dialog.getByRole('combobox', { name: /^Fallback model/ }), 'cheap')
    await userEvent.type(dialog.getByRole('textbox', { name: 'Also notify' }), 'a@example.com')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await expect
      .poll(() => sent.find(({ method }) => method === 'POST')?.body)
      .toMatchObject({ action: 'fallback', fallback_model: 'cheap', also_notify: ['a@example.com'] })
  })

  it('asks users for one of their own keys', async () => {
    asRole(1)
    const sent = fakeFetch({
      'GET /api/limits/self': () => [],
      'GET /api/limits/self/standing': () => [],
      'GET /api/limits/self/subjects': () => [{ value: '5', name: 'batch', note: '' }],
    })
    await renderConsole(<LimitsScreen />, '/limit?add=1')
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(await dialog.findByRole('textbox', { name: 'Amount' }), '60')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('Choose a key')).toBeTruthy()
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
  })
})
