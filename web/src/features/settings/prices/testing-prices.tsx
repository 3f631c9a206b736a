import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect } from 'vitest'
import type { PricePreview } from '../../../lib/api/contract.ts'
import { storeUser } from '../../../lib/api/session.ts'
import { type FakeAnswer, fakeFetch, type Sent } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { allSections, keysOf, optionOf, type SettingsSection } from '../registry.ts'
import { standardOf } from '../saving/problem.ts'
import { useSaving } from '../saving/save.ts'
import { type Stored, useStored } from '../saving/stored.ts'
import { SectionCard } from '../section-card.tsx'
import { SettingsContext, useSettingsState } from '../settings-state.ts'
import { SavingPreview, usePreviewedSaving } from './prices-save.tsx'

const plainKeys = allSections.flatMap((section) => keysOf(section, 100)).filter((key) => !optionOf(key).secret)

const priceMaps: Readonly<Record<string, unknown>> = {
  ModelPrice: { 'draw-1': 0.04 },
  ModelRatio: { 'gpt-4o': 1.25, own: 0.75 },
  CompletionRatio: { own: 2 },
  CacheRatio: { own: 0.5 },
  AudioRatio: { own: 4, 'only-heard': 8 },
  AudioCompletionRatio: { own: 2 },
}

export const preview: PricePreview = {
  models: [
    {
      model: 'own',
      enabled: true,
      before: { ratio: 0.75, completion_ratio: 2, cache_ratio: 0.5 },
      after: { ratio: 1.5, completion_ratio: 2, cache_ratio: 0.5 },
    },
    { model: 'unset-1', enabled: false, after: { price: 0.1, ratio: 37.5, completion_ratio: 1, cache_ratio: 1 } },
  ],
  groups: [{ group: 'vip', before: 1, after: 0.8 }],
  tools: [{ key: 'web_search:grok*', before: 5 }],
  tiers: [{ key: 'flex', before: 0.5, after: 0.4 }],
  quota_per_unit: { before: 500_000, after: 500_000 },
  traffic: {
    basis: 'receipts',
    from: 1,
    to: 2,
    receipts: 1200,
    without_receipt: 3,
    calls: 1203,
    charged: 500_000,
    current: 500_000,
    proposed: 750_000,
    models: [{ model: 'own', calls: 1200, charged: 500_000, current: 500_000, proposed: 750_000 }],
  },
}

export const item = (model_name: string, priced: boolean) => ({ model_name, priced, enable_groups: ['default'] })

const prices = allSections.find(({ name }) => name === 'prices') as SettingsSection

/** The card of the prices as the settings screen draws it; the whole screen is much larger. */
const Card = ({ stored, role }: { stored: Stored; role: number }) => {
  const settings = useSettingsState(stored, role)
  const saving = useSaving(settings)
  const previewed = usePreviewedSaving(settings, saving.save)
  return (
    <SettingsContext value={settings}>
      <SectionCard section={prices} found={undefined} busy={saving.busy} onSave={previewed.save} />
      <SavingPreview {...previewed} />
    </SettingsContext>
  )
}
const PriceCard = ({ role }: { role: number }) => {
  const { data } = useStored()
  return data ? <Card stored={data} role={role} /> : null
}

/** A server that stores the saved options, and the price card. */
export const open = async (path = '/', options: { role?: number; answers?: Record<string, FakeAnswer> } = {}) => {
  const role = options.role ?? 100
  storeUser({ id: 1, username: 'root', display_name: '', role, status: 1, group: 'default' })
  const values = new Map(plainKeys.map((key) => [key, standardOf(key)]))
  for (const [key, map] of Object.entries(priceMaps)) values.set(key, JSON.stringify(map, null, 2))
  const sent = fakeFetch({
    'GET /api/option/': () =>
      Response.json({
        success: true,
        data: [...values].filter(([key]) => optionOf(key).see <= role).map(([key, value]) => ({ key, value })),
        stored_secrets: [],
      }),
    'PUT /api/option/batch': ({ body }) => {
      for (const { key, value } of (body as { changes: { key: string; value: string }[] }).changes)
        values.set(key, value)
      return { refused: [] }
    },
    'GET /api/pricing': () =>
      Response.json({
        success: true,
        data: [item('gpt-4o', true), item('own', true), item('unset-1', false), item('unset-2', false)],
        group_ratio: { default: 1 },
        usable_group: { default: '' },
      }),
    'POST /api/option/completion_rules': ({ body }) =>
      (body as { models: string[] }).models.map((model) => ({
        model,
        value: model === 'gpt-4o' ? 4 : 1,
      })),
    'POST /api/option/price_preview': () => preview,
    ...options.answers,
  })
  await renderConsole(<PriceCard role={role} />, path)
  await screen.findByRole('tablist', { name: '价格设置' })
  return { sent, values }
}

export const saves = (sent: readonly Sent[]) => sent.filter(({ method }) => method === 'PUT').map(({ body }) => body)
export const map = (values: ReadonlyMap<string, string>, key: string): unknown => JSON.parse(values.get(key) ?? '')
/** The card's panel alone: the screen around it is large, and looking through all of it takes its time. */
export const panel = () => within(document.getElementById('price-panel') ?? document.body)
export const field = (name: string) => panel().findByLabelText<HTMLInputElement>(name)
/** By its words or its name: looking for roles is slow on a long screen. */
export const press = async (name: string): Promise<void> => {
  const named = document.querySelector(`button[aria-label="${name}"]`)
  const button = named ?? screen.getByText(name, { selector: 'button, button *' })
  await userEvent.click(button)
}
export const fill = async (name: string, text: string): Promise<HTMLInputElement> => {
  const input = await field(name)
  fireEvent.change(input, { target: { value: text } })
  fireEvent.keyDown(input, { key: 'Enter' })
  return input
}
/** Saves the card: the preview is looked at, then confirmed. */
export const save = async (): Promise<HTMLElement> => {
  await press('保存：模型价格')
  const dialog = await screen.findByRole('dialog', { name: /保存前预览/ })
  const confirm = await within(dialog).findByRole<HTMLButtonElement>('button', { name: '确认保存' })
  await waitFor(() => expect(confirm.disabled).toBe(false))
  return confirm
}
