import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { VirtualModel } from '#web/lib/api/contract.ts'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { specOf, summaryOf, valuesOf } from './fields.ts'
import { RoutesScreen } from './screen.tsx'

const target = { model: 'gpt-5', channels: [], tag: '', weight: 1, from: 0, until: 0 }

const smart: VirtualModel = {
  id: 5,
  name: 'smart',
  description: 'For everybody',
  enabled: true,
  groups: ['vip'],
  price: 'answered',
  choice: 'latency',
  hedge: true,
  falls_back_on: ['overload'],
  rules: [
    {
      name: 'night',
      when: {
        hours: { from: '22:00', until: '06:00', days: [0, 6] },
        tools: true,
        prompt_from: 5,
        keys: [3],
        tags: ['env=test', 'team'],
      },
      steps: [{ targets: [{ ...target, model: 'big', tag: 'eu', from: 1_795_478_400 }] }],
    },
  ],
  steps: [
    {
      targets: [
        { ...target, weight: 9 },
        { ...target, model: 'gpt-6' },
      ],
    },
    { targets: [{ ...target, model: 'claude', channels: [1, 2] }] },
  ],
  changed_time: 1,
}

const site = (models: readonly VirtualModel[]) => ({
  'GET /api/virtual-models': () => models,
  'GET /api/group/': () => ['default', 'vip'],
  'GET /api/channel/models_enabled': () => ['gpt-5', 'gpt-6', 'claude'],
})

beforeEach(() => {
  setLanguage('en')
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
})

describe('the fields', () => {
  it('lose nothing of a definition', () => {
    const { id: _id, changed_time: _time, ...spec } = smart
    expect(specOf(valuesOf(spec))).toEqual(spec)
  })

  it('sum up the way of a call', () => {
    expect(summaryOf(smart.steps)).toBe('gpt-5 90% + gpt-6 10% → claude')
  })
})

describe('the screen', () => {
  it('leads from nothing to the first virtual model', async () => {
    const sent = fakeFetch({
      ...site([]),
      'POST /api/virtual-models': ({ body }) => ({ ...(body as object), id: 1, changed_time: 1 }),
    })
    await renderConsole(<RoutesScreen />, '/route')
    await screen.findByText('No virtual models yet')
    await userEvent.click(screen.getAllByRole('button', { name: 'Add virtual model' })[0] as HTMLElement)
    const dialog = await screen.findByRole('dialog')
    await userEvent.type(await within(dialog).findByRole('textbox', { name: /Name/ }), 'smart')
    await userEvent.type(within(dialog).getByRole('combobox', { name: 'Model' }), 'gpt-5')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
    await expect
      .poll(() => sent.find(({ method }) => method === 'POST')?.body)
      .toMatchObject({
        name: 'smart',
        price: 'answered',
        steps: [{ targets: [{ model: 'gpt-5', weight: 1 }] }],
        rules: [],
      })
  })

  it('says what is missing instead of sending it', async () => {
    const sent = fakeFetch(site([]))
    await renderConsole(<RoutesScreen />, '/route?add=1')
    await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Enter a name')).toBeTruthy()
    expect(screen.getByText('Choose a model')).toBeTruthy()
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('takes the whole definition as JSON, and says what cannot be read', async () => {
    const sent = fakeFetch({ ...site([smart]), 'PUT /api/virtual-models/5': () => smart })
    await renderConsole(<RoutesScreen />, '/route?edit=5')
    await userEvent.click(await screen.findByRole('button', { name: 'Edit as JSON' }))
    const field = screen.getByRole('textbox', { name: 'JSON definition' })
    await userEvent.clear(field)
    await userEvent.click(field)
    await userEvent.paste('{')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(/Invalid JSON/)).toBeTruthy()
    await userEvent.clear(field)
    await userEvent.click(field)
    await userEvent.paste('{"name":"smart","steps":[{"targets":[{"model":"other"}]}]}')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await expect
      .poll(() => sent.find(({ method }) => method === 'PUT')?.body)
      .toEqual({
        name: 'smart',
        steps: [{ targets: [{ model: 'other' }] }],
      })
  })

  it('switches one off, and keeps the rest of it', async () => {
    const sent = fakeFetch({ ...site([smart]), 'PUT /api/virtual-models/5': () => smart })
    await renderConsole(<RoutesScreen />, '/route')
    await userEvent.click(await screen.findByRole('switch', { name: 'Enable smart' }))
    const { id: _id, changed_time: _time, ...spec } = smart
    await expect.poll(() => sent.find(({ method }) => method === 'PUT')?.body).toEqual({ ...spec, enabled: false })
  })
})

describe('where a call goes', () => {
  it('shows the way with its reasons', async () => {
    const channel = { id: 3, name: 'Main', type: 1, priority: 0, weight: 5, state: 'closed', until: 0 }
    const sent = fakeFetch({
      ...site([smart]),
      'GET /api/limits/subjects': () => [{ value: '5', name: 'main', note: 'ann' }],
      'GET /api/route/explain': () => ({
        group: 'vip',
        keys: [{ id: 5, name: 'main', username: 'ann' }],
        refusal: 'no_price',
        virtual: { id: 5, rule: 'night', price: 'answered' },
        choice: 'latency',
        targets: [
          {
            model: 'big',
            step: 0,
            share: 1,
            priced: false,
            current: true,
            channels: [{ ...channel, reason: 'chosen', share: 1 }],
          },
        ],
      }),
    })
    await renderConsole(<RoutesScreen />, '/route?tab=explain&model=smart&group=vip&tools=true&key=5')
    expect(await screen.findByText('No price set')).toBeTruthy()
    await expect
      .poll(() => screen.getByRole<HTMLInputElement>('combobox', { name: 'API key (optional)' }).value)
      .toBe('main · ann · #5')
    expect(screen.getByText(/Matched rule night/)).toBeTruthy()
    expect(screen.getByText('No price, skipped')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Main' }).getAttribute('href')).toBe('/channel/3')
    expect(sent.find(({ path }) => path === '/api/route/explain')?.query).toMatchObject({
      model: 'smart',
      key: '5',
      tools: 'true',
    })
  })
})
