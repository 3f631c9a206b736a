import OpenAI from 'openai'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserIsHere, findings, judgedIn, openBrowser, picture, sidewaysOverflow, wide } from '../support/browser.ts'
import { addKey, type Person, signIn } from '../support/operator.ts'
import {
  type Answer,
  completion,
  json,
  type ScriptedUpstream,
  startScriptedUpstream,
} from '../support/scripted-upstream.ts'
import { type Site, startSite } from '../support/site.ts'
import {
  field,
  notified,
  openFormTab,
  openPage,
  openRow,
  openSignedInTab,
  rowMenu,
  settle,
  twoLooks,
} from './console.ts'

const refusal = (status: number, message: string, headers = {}): Answer =>
  json({ error: { message, type: 'provider_error' } }, status, headers)

/** A word in the key decides how a provider behaves. */
const answer: Answer = (call) => {
  const key = call.headers.authorization ?? String(call.headers['x-api-key'] ?? call.headers['api-key'] ?? call.path)
  if (call.path.endsWith('/user/balance')) {
    return json({ balance_infos: [{ currency: 'CNY', total_balance: '12.50' }] })(call)
  }
  if (key.includes('revoked')) return refusal(401, 'Incorrect API key provided')(call)
  if (key.includes('broken')) return refusal(503, 'The model is overloaded')(call)
  if (key.includes('crowded')) return refusal(429, 'Slow down', { 'retry-after': '60' })(call)
  if (call.path.startsWith('/v1/messages')) {
    const content = [{ type: 'text', text: 'Hello!' }]
    return json({
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content,
      usage: { input_tokens: 5, output_tokens: 3 },
    })(call)
  }
  if (call.path.includes('generateContent')) {
    const candidates = [{ content: { role: 'model', parts: [{ text: 'Hello!' }] }, finishReason: 'STOP' }]
    return json({ candidates, usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 8 } })(
      call,
    )
  }
  return json(completion())(call)
}

interface Planned {
  readonly type: string
  readonly name: string
  readonly key: string
  readonly tag?: string
  readonly address?: string
  /** Models to enter if the type brings none of its own. */
  readonly model?: string
}

const planned: readonly Planned[] = [
  { type: 'OpenAI', name: 'OpenAI many keys', key: 'sk-good-000001\nsk-good-000002\nsk-revoked-0003', tag: 'primary' },
  { type: 'OpenAI', name: 'OpenAI overloaded', key: 'sk-broken-00004', tag: 'primary' },
  {
    type: 'Azure OpenAI',
    name: 'Azure',
    key: 'sk-azure-000005',
    tag: 'primary',
    address: 'AZURE_OPENAI_ENDPOINT',
    model: 'my-deployment',
  },
  { type: 'Anthropic Claude', name: 'Claude', key: 'sk-ant-0000006', tag: 'claude' },
  { type: 'Google Gemini', name: 'Gemini', key: 'AIza-gem-000007' },
  { type: 'OpenRouter', name: 'OpenRouter', key: 'sk-or-00000008', tag: 'claude', model: 'anthropic/claude' },
  { type: 'DeepSeek', name: 'DeepSeek', key: 'sk-deep-000009' },
  { type: 'Moonshot', name: 'Moonshot', key: 'sk-moon-000010' },
  { type: 'Mistral AI', name: 'Mistral', key: 'sk-revoked-0011' },
  { type: 'xAI', name: 'xAI', key: 'sk-crowded-0012' },
]

/** A day of an operator with ten providers; each step needs the ones before it. */
describe.skipIf(!browserIsHere)('an operator with ten channels', () => {
  const look = { theme: 'light', language: 'en', size: wide } as const
  let browser: Browser
  let site: Site
  let upstream: ScriptedUpstream
  let root: Person
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    ;[browser, site, upstream] = await Promise.all([openBrowser(), startSite(), startScriptedUpstream()])
    upstream.answer = answer
    root = await signIn(site.url)
    for (const key of ['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled']) {
      await root.must('PUT', '/api/option/', { key, value: 'true' })
    }
    await root.must('PUT', '/api/option/', { key: 'RetryTimes', value: '3' })
    const visitor = await openSignedInTab(browser, site.url, look)
    page = visitor.page
    complaints = visitor.complaints
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
  })

  const go = (path: string) => openPage(page, site.url + path)
  const toast = (text: string | RegExp) => notified(page, text)
  const dialog = (name?: string | RegExp): Locator =>
    name === undefined ? page.getByRole('dialog') : page.getByRole('dialog', { name })
  const ask = async (model: string, times: number): Promise<void> => {
    const apiKey = await addKey(root, { name: `for ${model}` })
    const client = new OpenAI({ apiKey, baseURL: `${site.url}/v1`, maxRetries: 0 })
    for (let count = 0; count < times; count += 1) {
      const content = `Conversation ${count}`
      await client.chat.completions.create({ model, messages: [{ role: 'user', content }] }).catch(() => undefined)
    }
  }
  const batch = async (entry: string): Promise<void> => {
    await page.getByRole('button', { name: 'Batch actions' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  const addByForm = async ({ type, name, key, tag, address = 'Base URL', model }: Planned): Promise<void> => {
    await page.getByRole('button', { name: 'Add channel' }).first().click()
    await dialog().locator('input[data-autofocus]').fill(type)
    await dialog().getByRole('button', { name: type, exact: true }).click()
    await field(dialog(), 'Name').fill(name)
    await field(dialog(), address).fill(upstream.url)
    if (key.includes('\n')) {
      await dialog().getByRole('switch', { name: 'Create one per key' }).check()
      await dialog().getByText('One channel with all keys').click()
    }
    await field(dialog(), 'Key').fill(key)
    if (model) {
      await openFormTab(dialog(), 'Models')
      await field(dialog(), 'Custom model name').fill(model)
      await page.keyboard.press('Enter')
    }
    if (tag) {
      await openFormTab(dialog(), 'Routing')
      await field(dialog(), 'Channel tag').fill(tag)
    }
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().waitFor({ state: 'detached' })
  }

  it('sets up ten providers of nine types with tags, one of them with three keys', async () => {
    await go('/channel?page_size=20')
    for (const channel of planned) await addByForm(channel)
    const row = await openRow(page, 'OpenAI many keys')
    expect(await row.innerText()).toContain('keys 3/3')
    await expect.poll(() => page.locator('[data-row]').count()).toBe(10)
  })

  it('tests all of them side by side, and tries the failing ones again', async () => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('button', { name: 'Test selected channels' }).click()
    const panel = dialog('Test 10 channels')
    await panel.getByText('Test options').click()
    await panel.getByRole('textbox', { name: 'Custom prompt' }).fill('Say hello')
    await panel.getByRole('button', { name: 'Test all', exact: true }).click()
    await panel.getByText('10 of 10, 3 failed').waitFor()
    expect(await panel.innerText()).toContain('status code 503: The model is overloaded')
    expect(await panel.innerText()).toContain('Hello!')
    const before = upstream.calls.length
    await panel.getByRole('button', { name: 'Retry the 3 that failed' }).click()
    await panel.getByText('10 of 10, 3 failed').waitFor()
    await expect.poll(() => upstream.calls.length).toBe(before + 3)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Select all on this page' }).uncheck()
  })

  it('sees how calls went: success, duration, cost and the last error, model by model', async () => {
    await ask('gpt-4o', 30)
    await ask('grok-3-beta', 2)
    await page.reload()
    await settle(page)
    await page.getByRole('button', { name: /^Health of OpenAI overloaded: / }).click()
    const sheet = dialog(/^OpenAI (overloaded|many keys)$/)
    await sheet.getByText('The model is overloaded').first().waitFor()
    // A slow machine gets here when the first pause is over.
    expect(await sheet.innerText()).toMatch(/Cooling down until \d|Trial request/)
    expect(new URL(page.url()).searchParams.get('health')).not.toBeNull()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: /^Health of OpenAI many keys: / }).click()
    await sheet.getByText('Successful').first().waitFor()
    // 30 answers of 20 tokens in and 50 out; the pointer on the rounded sum shows the exact one.
    expect(await sheet.innerText()).toMatch(/Cost\s+\$0\.02/)
    await sheet.getByText('$0.02', { exact: true }).first().hover()
    await page.getByText(/^\$0\.01650*$/).waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    // A rate limit disables no channel; one that answers nothing is failing, once its calls are stored (every 20 s).
    const xai = async (): Promise<string> => {
      await page.reload()
      await settle(page)
      return (await openRow(page, 'xAI')).innerText()
    }
    await expect.poll(xai, { timeout: 60_000 }).toContain('Failing')
  })

  it('finds the one key that was refused, looks at it and brings it back', async () => {
    const row = await openRow(page, 'OpenAI many keys')
    await row.getByText('keys 2/3').waitFor()
    expect(await row.innerText()).toContain('Enabled')
    await rowMenu(page, 'OpenAI many keys', 'Edit')
    const keys = dialog().getByRole('region', { name: '3 keys' })
    await keys.getByText('Auto-disabled').waitFor()
    await keys.getByRole('button', { name: 'Show key …0003' }).click()
    await keys.getByText('sk-revoked-0003').waitFor()
    await keys.getByRole('button', { name: 'Enable key …0003' }).click()
    await expect.poll(() => keys.getByText('Enabled', { exact: true }).count()).toBe(3)
    await keys.getByRole('button', { name: 'Remove key …0003' }).click()
    await page.getByRole('button', { name: 'Remove key', exact: true }).click()
    await dialog().getByRole('region', { name: '2 keys' }).waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).last().click()
    await dialog().waitFor({ state: 'detached' })
    await (await openRow(page, 'OpenAI many keys')).getByText('keys 2/2').waitFor()
    const trail = await root.must<{ items: { action: string }[] }>('GET', '/api/audit?action=channel.reveal')
    expect(trail.items).toHaveLength(1)
  })

  it('queries a balance, and sees where the provider offers none', async () => {
    await page.getByRole('button', { name: 'Update the balance of DeepSeek' }).click()
    await toast('Balance of channel DeepSeek updated')
    await (await openRow(page, 'DeepSeek')).getByText('$12.50').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Update the balance of Claude' }).count()).toBe(0)
  })

  it('tests all channels in the background and sees the result', async () => {
    await batch('Test all channels')
    await page.getByRole('button', { name: 'Start test' }).click()
    const strip = page.getByRole('status').filter({ hasText: 'Channels tested: 10 of 10' })
    await strip.waitFor()
    expect(await strip.innerText()).toContain('3 failed')
    expect(await strip.innerText()).toContain('1 auto-disabled')
    await strip.getByRole('button', { name: 'Failures' }).click()
    await expect.poll(() => strip.innerText()).toContain('Incorrect API key provided')
    await (await openRow(page, 'Mistral')).getByText('Auto-disabled').waitFor()
  })

  it('works with tags as one: sums, children, priority and state', async () => {
    await page.getByRole('button', { name: 'Group by tag' }).click()
    await settle(page)
    await page.getByRole('button', { name: '3 channels of primary' }).click()
    expect(await (await openRow(page, 'primary')).innerText()).toContain('Azure')
    const priorities = async (): Promise<number[]> => {
      const channels = await root.must<{ tag: string; priority: number }[]>('GET', '/api/channel/search?keyword=')
      return channels.filter(({ tag }) => tag === 'primary').map(({ priority }) => priority)
    }
    const before = await priorities()
    const setPriority = async (): Promise<void> => {
      await page.getByRole('button', { name: /^Change Priority of tag primary/ }).click()
      await page.getByRole('textbox', { name: /^Change Priority of tag primary/ }).fill('9')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Change 3 channels' }).click()
      await toast(/^Priority of 3 channels of tag primary: .+ → 9/)
      expect(await priorities()).toEqual([9, 9, 9])
    }
    await setPriority()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(priorities).toEqual(before)
    await page.getByTitle('Saved', { exact: true }).waitFor()
    await setPriority()
    await rowMenu(page, 'claude', 'Edit tag')
    await field(dialog(), 'Tag (empty removes it)').fill('anthropic')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().waitFor({ state: 'detached' })
    await rowMenu(page, 'anthropic', 'Disable all')
    await (await openRow(page, 'anthropic')).getByText('0 / 2 enabled').waitFor()
  })

  it('cleans up what is disabled, after typing how many that are', async () => {
    await page.getByRole('button', { name: 'Group by tag' }).click()
    await batch('Delete disabled channels')
    const confirm = dialog(/Delete all 3 disabled channels/)
    await confirm.getByRole('textbox').fill('3')
    await confirm.getByRole('button', { name: 'Delete 3 channels' }).click()
    await toast('3 channels deleted')
    await expect.poll(() => page.locator('[data-row]').count()).toBe(7)
    await batch('Rebuild routing data')
    await page.getByRole('button', { name: 'Rebuild', exact: true }).click()
    await toast('Rebuilt with 7 channels')
    expect(complaints).toEqual([])
  })

  it.each(twoLooks)('sees it whole, readable and quiet: $name', async (look) => {
    const channels = await root.must<{ id: number; name: string }[]>('GET', '/api/channel/search?keyword=')
    const idOf = (name: string): number => channels.find((channel) => channel.name === name)?.id ?? 0
    const visitor = await openSignedInTab(browser, site.url, look)
    const stops = {
      tags: ['/channel?tags=1', '[data-row="0"]'],
      health: [`/channel?health=${idOf('OpenAI overloaded')}`, '[role=dialog] li code'],
      keys: [`/channel/edit/${idOf('OpenAI many keys')}`, '[role=dialog] section li'],
    } as const
    const faults: string[] = []
    const inspect = async (stop: string): Promise<void> => {
      await settle(visitor.page)
      await picture(visitor.page, `channels-${stop}.${look.name}`)
      if ((await sidewaysOverflow(visitor.page)) > 0) faults.push(`${stop}: wider than the window`)
      faults.push(...(await findings(visitor.page, judgedIn(look))).map((finding) => `${stop}: ${finding}`))
    }
    for (const [stop, [path, until]] of Object.entries(stops)) {
      await visitor.page.goto(`${site.url}${path}`)
      await visitor.page.locator(until).first().waitFor()
      await inspect(stop)
    }
    await visitor.page.goto(`${site.url}/channel`)
    await visitor.page.locator('[data-row="0"] input[type=checkbox]').click()
    await visitor.page.locator('[data-row="1"] input[type=checkbox]').click()
    await visitor.page.getByRole('button', { name: /Test selected channels|测试所选渠道/ }).click()
    await visitor.page.getByRole('button', { name: /^(Test all|测试全部)$/ }).click()
    await visitor.page.locator('[role=dialog] progress').waitFor()
    await visitor.page.getByText(/2 of 2, |2 \/ 2，/).waitFor()
    await inspect('test')
    await visitor.page.context().close()
    expect(faults).toEqual([])
    expect(visitor.complaints).toEqual([])
  })
})
