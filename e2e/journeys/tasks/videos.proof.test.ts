import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  browserIsHere,
  findings,
  judgedIn,
  openBrowser,
  openTab,
  picture,
  sidewaysOverflow,
} from '../../support/browser.ts'
import { addChannel, signIn } from '../../support/operator.ts'
import {
  json,
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamCall,
} from '../../support/scripted-upstream.ts'
import { type Site, startSite } from '../../support/site.ts'
import { smallTargets } from '../../support/small-targets.ts'
import { field, logIn, openPage, settle, twoLooks } from '../console.ts'

const english = {
  make: 'Make a video',
  makeIt: 'Make video',
  prompt: 'Prompt',
  seconds: 'Length in seconds',
  size: 'Size',
  price: 'Costs at most $0.80 · 8 s 1280x720',
  begun: 'Video started',
  inProgress: 'In progress',
  completed: 'Completed',
  failed: 'Failed',
  held: 'Reserved',
  cost: 'Cost',
  play: 'Play',
  download: 'Download',
  reason: 'Failure reason',
  again: 'Make again',
  remove: 'Delete video',
}

const chinese: typeof english = {
  make: '生成视频',
  makeIt: '生成',
  prompt: '提示词',
  seconds: '时长（秒）',
  size: '尺寸',
  price: '最多 $0.80 · 8 秒 1280x720',
  begun: '已开始生成视频',
  inProgress: '生成中',
  completed: '已完成',
  failed: '失败',
  held: '预留',
  cost: '费用',
  play: '播放',
  download: '下载',
  reason: '失败原因',
  again: '再次生成',
  remove: '删除视频',
}

const cases = twoLooks.map((look) => ({ look, say: look.language === 'zh' ? chinese : english }))

/** A provider in OpenAI's shape: each video is under way until the test says how it ends. */
const openVideoProvider = async () => {
  const upstream: ScriptedUpstream = await startScriptedUpstream()
  const prompts = new Map<string, string>()
  /** Ends by the prompt. */
  const ends = new Map<string, object>()
  const about = (id: string) => ({ id, object: 'video', model: 'sora-2', seconds: '8', size: '1280x720' })
  upstream.answer = (call: UpstreamCall): void => {
    const [, id, content] = /^\/v1\/videos\/(video_up_\d+)(\/content)?/.exec(call.path) ?? []
    if (id === undefined) {
      const made = `video_up_${prompts.size + 1}`
      const asked = /name="prompt"\r\n\r\n([^\r]*)/.exec(call.raw)?.[1] ?? JSON.parse(call.raw).prompt
      prompts.set(made, String(asked))
      json({ ...about(made), status: 'queued', progress: 0 })(call)
    } else if (content !== undefined)
      call.response.writeHead(200, { 'content-type': 'video/mp4' }).end(Buffer.alloc(2000, 1))
    else json({ ...about(id), status: 'in_progress', progress: 40, ...ends.get(prompts.get(id) ?? '') })(call)
  }
  return {
    url: upstream.url,
    calls: upstream.calls,
    complete: (prompt: string) => void ends.set(prompt, { status: 'completed', progress: 100 }),
    fail: (prompt: string) =>
      void ends.set(prompt, { status: 'failed', error: { code: 'moderation_blocked', message: 'No cats here' } }),
    close: upstream.close,
  }
}

/** A video from its price to its bytes, and one that fails; each step needs the ones before it. */
describe.skipIf(!browserIsHere).each(cases)('the page of videos: $look.name', ({ look, say }) => {
  let browser: Browser
  let site: Site
  let provider: Awaited<ReturnType<typeof openVideoProvider>>
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    ;[browser, site, provider] = await Promise.all([openBrowser(), startSite(), openVideoProvider()])
    const root = await signIn(site.url)
    await root.must('PUT', '/api/option/', { key: 'MeasurePrices', value: JSON.stringify({ 'minute:sora-2': 6 }) })
    await addChannel(root, provider.url, { models: 'sora-2,gpt-4o' })
    ;({ page, complaints } = await openTab(browser, look))
    await page.goto(`${site.url}/login?next=/videos`)
    await logIn(page)
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await provider?.close()
  })

  const sheet = (): Locator => page.getByRole('dialog')
  const row = (prompt: string): Locator => page.locator('[data-row]', { hasText: prompt })
  const fact = (name: string): Locator => sheet().locator('dt', { hasText: name }).locator('+ dd').first()
  const isDone = (prompt: string, state: string): Promise<void> =>
    row(prompt).getByText(state, { exact: true }).first().waitFor({ timeout: 60_000 })
  const open = async (prompt: string): Promise<void> => {
    await row(prompt).locator('button').first().click()
    await sheet().locator('dl').first().waitFor()
    await settle(page)
  }
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape')
    await expect.poll(() => sheet().count()).toBe(0)
  }
  /** Faults of the screen as it stands. */
  const faults = async (name: string): Promise<string[]> => {
    await settle(page)
    await picture(page, `videos-${name}.${look.name}`)
    const overflow = await sidewaysOverflow(page)
    return [
      ...(await findings(page, judgedIn(look))),
      ...(overflow > 0 ? [`${name} scrolls sideways by ${overflow} px`] : []),
      ...(look.name.endsWith('phone') ? await smallTargets(page) : []),
    ]
  }

  const order = async (prompt: string): Promise<void> => {
    await page.getByRole('button', { name: say.make, exact: true }).first().click()
    await field(sheet(), say.prompt).fill(prompt)
    await field(sheet(), say.seconds).fill('8')
    await field(sheet(), say.size).fill('1280x720')
    await sheet().getByText(say.price, { exact: true }).waitFor()
  }
  const send = async (): Promise<void> => {
    await sheet().getByRole('button', { name: say.makeIt, exact: true }).click()
    await page.getByText(say.begun).first().waitFor()
    await expect.poll(() => sheet().count()).toBe(0)
  }

  it('shows how to begin, and the price before anything is made', async () => {
    await page.getByText('/v1/videos').first().waitFor()
    expect(await faults('nothing')).toEqual([])
    await order('A cat on a skateboard')
    expect(await faults('price')).toEqual([])
    expect(provider.calls).toEqual([])
  })

  it('shows a video under way with its progress and what is reserved for it', async () => {
    await send()
    await isDone('A cat on a skateboard', say.inProgress)
    await open('A cat on a skateboard')
    await expect.poll(() => fact(say.held).innerText()).toMatch(/^\$0\.80*$/)
    expect(await sheet().getByText('40%').first().isVisible()).toBe(true)
    expect(await sheet().getByRole('button', { name: say.play }).count()).toBe(0)
    expect(await sheet().getByRole('button', { name: say.remove }).count()).toBe(0)
    expect(await faults('in-progress')).toEqual([])
    await close()
  })

  it('plays a finished one, which costs the price that was shown', async () => {
    provider.complete('A cat on a skateboard')
    await isDone('A cat on a skateboard', say.completed)
    await open('A cat on a skateboard')
    await expect.poll(() => fact(say.cost).innerText(), { timeout: 30_000 }).toMatch(/^\$0\.80*$/)
    await sheet().getByRole('button', { name: say.play, exact: true }).click()
    await sheet().locator('video').waitFor()
    const link = sheet().getByRole('link', { name: say.download })
    expect(await link.getAttribute('download')).toMatch(/^video_\w+\.mp4$/)
    expect(provider.calls.filter(({ path }) => path.endsWith('/content'))).toHaveLength(1)
    expect(await faults('completed')).toEqual([])
    await close()
  })

  it('says why one failed, which costs nothing and can be made again as it was', async () => {
    await order('A second cat')
    await send()
    provider.fail('A second cat')
    await isDone('A second cat', say.failed)
    await open('A second cat')
    expect(await fact(say.cost).innerText()).toMatch(/^\$0(\.0+)?$/)
    await sheet().getByText('No cats here').waitFor()
    expect(await faults('failed')).toEqual([])
    await sheet().getByRole('button', { name: say.again, exact: true }).click()
    await field(sheet(), say.prompt).waitFor()
    expect(await field(sheet(), say.prompt).inputValue()).toBe('A second cat')
    await sheet().getByText(say.price, { exact: true }).waitFor()
    await close()
  })

  it('deletes the failed one after a question, and keeps the charge of the other', async () => {
    await open('A second cat')
    await sheet().getByRole('button', { name: say.remove, exact: true }).click()
    const question = page.getByRole('dialog', { name: new RegExp(say.remove) })
    await question.getByRole('button', { name: say.remove, exact: true }).click()
    await expect.poll(() => row('A second cat').count()).toBe(0)
    await openPage(page, `${site.url}/videos?status=completed`)
    await row('A cat on a skateboard').waitFor()
    expect(await page.locator('[data-row]').count()).toBe(1)
    expect(complaints).toEqual([])
  })
})
