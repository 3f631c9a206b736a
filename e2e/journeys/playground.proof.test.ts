import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  browserIsHere,
  findings,
  judgedIn,
  openBrowser,
  openTab,
  phone,
  picture,
  sidewaysOverflow,
  wide,
} from '../support/browser.ts'
import { addChannel, signIn } from '../support/operator.ts'
import {
  chunk,
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamCall,
  usageChunk,
} from '../support/scripted-upstream.ts'
import { type Site, startSite } from '../support/site.ts'
import { logIn, settle, twoLooks } from './console.ts'

const rich = `## The gate

It opens **slowly**; see [the docs](https://example.com/docs).

1. Look
2. Ask

   \`\`\`typescript
   const gate = { open: true, fee: 3.5 } // per car
   \`\`\`

| Car | Fee |
|-----|----:|
| small | 3 |
| large | 5 |

<img src=x onerror="window.ran=1"><script>window.ran=1</script> [bad](javascript:window.ran=1)

The end of the answer.`

const event = (payload: unknown): string => `data: ${JSON.stringify(payload)}\n\n`

/** Pieces with a pause between them, until there are no more or the caller has gone. */
const drip = ({ response }: UpstreamCall, pieces: Iterator<string>, end: () => void): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (): void => {
    if (response.destroyed) return
    const piece = pieces.next()
    if (piece.done) {
      end()
      return
    }
    response.write(piece.value)
    setTimeout(send, 4)
  }
  send()
}

function* words(text: string): Generator<string> {
  for (const word of text.split(/(?<=\s)/)) yield event(chunk({ content: word }))
}
function* thoughtful(text: string): Generator<string> {
  yield event(chunk({ reasoning_content: 'Gates are ' }))
  yield event(chunk({ reasoning_content: '*usually* closed.' }))
  yield* words(text)
}
function* endless(): Generator<string> {
  for (let count = 1; ; count += 1) yield event(chunk({ content: `word${count} ` }))
}

const finish = (call: UpstreamCall) => (): void => {
  call.response.end(`${event(usageChunk(20, 50))}data: [DONE]\n\n`)
}

interface Body {
  model: string
  messages: { role: string; content: unknown }[]
}

const bodyOf = (call: UpstreamCall | undefined): Body => JSON.parse(call?.raw ?? '{}') as Body

/** The provider's answer depends on the last question. */
const answer = (call: UpstreamCall): void => {
  const body = bodyOf(call)
  const question = JSON.stringify(body.messages.at(-1)?.content)
  if (question.includes('rich')) drip(call, thoughtful(rich), finish(call))
  else if (question.includes('endless')) drip(call, endless(), finish(call))
  else if (question.includes('break'))
    drip(call, words('This much came through. '), () =>
      call.response.end(event({ error: { message: 'the upstream broke down', type: 'server_error' } })),
    )
  else drip(call, words(`${body.model} says: ${question.slice(1, 30)}`), finish(call))
}

/** Trying models in the playground, against the started product; each step needs the ones before it. */
describe.skipIf(!browserIsHere)('the playground', () => {
  const look = { theme: 'light', language: 'en', size: wide } as const
  let browser: Browser
  let site: Site
  let upstream: ScriptedUpstream
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    ;[browser, site, upstream] = await Promise.all([openBrowser(), startSite(), startScriptedUpstream()])
    upstream.answer = answer
    await addChannel(await signIn(site.url), upstream.url)
    const visitor = await openTab(browser, look)
    ;({ page, complaints } = visitor)
    await page.goto(`${site.url}/login?next=/playground`)
    await logIn(page)
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
  })

  const log = () => page.getByRole('log')
  const write = async (text: string): Promise<void> => {
    const field = page.getByRole('textbox', { name: /^Type a message/ })
    await field.fill(text)
    await field.press('Enter')
  }
  const quiet = () => page.getByRole('button', { name: 'Send' }).waitFor()

  it('draws a streamed answer with reasoning, code, a table, figures and its charge, and runs nothing of it', async () => {
    await page.getByRole('textbox', { name: /^Type a message/ }).waitFor()
    await write('something rich')
    await log().getByText('The end of the answer.').waitFor()
    await quiet()
    expect(await log().locator('pre .hljs-keyword').innerText()).toBe('const')
    expect(await log().getByRole('cell', { name: 'large' }).isVisible()).toBe(true)
    expect(await log().locator('details').first().getAttribute('open')).toBeNull()
    await log().getByText('Reasoning').click()
    expect(await log().locator('details em').innerText()).toBe('usually')
    await log().getByText('Reasoning').click()
    const link = log().getByRole('link', { name: 'the docs' })
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ])
    await expect.poll(() => log().locator('img, script, a[href^=javascript]').count()).toBe(0)
    expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined()
    await log()
      .getByText(/20 in · 50 out/)
      .waitFor()
    expect(JSON.stringify(bodyOf(upstream.calls.at(-1)))).not.toContain('how may I help')
    await picture(page, 'playground-answer.en-light-wide')
    await log()
      .getByRole('link', { name: /open the receipt/ })
      .click()
    await page.getByRole('dialog').locator('table').first().waitFor()
    await page.goBack()
    await log().getByText('The end of the answer.').waitFor()
  })

  it('stops, and closes the request to the provider', async () => {
    await write('endless please')
    await log()
      .getByText(/word20 /)
      .waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await quiet()
    await log()
      .getByText(/Stopped/)
      .waitFor()
    expect(await upstream.calls.at(-1)?.left).toBe(true)
    expect(
      await log()
        .getByText(/word20 /)
        .count(),
    ).toBe(1)
  })

  it('keeps what came before an error in the stream, and marks it', async () => {
    await write('break it')
    const failure = log().getByRole('alert')
    await failure.waitFor()
    expect(await failure.innerText()).toContain('Failed')
    expect(await log().getByText('This much came through.').isVisible()).toBe(true)
  })

  it('asks an edited question as another version, and goes back', async () => {
    const question = log().locator('[data-role=user]').last()
    await question.getByRole('button', { name: 'Edit' }).click()
    await log().getByRole('textbox', { name: 'Edit' }).fill('a better question')
    await log().getByRole('button', { name: 'Save and resend' }).click()
    await log().getByText('gpt-4o-mini says: a better question').waitFor()
    await quiet()
    const sent = JSON.stringify(bodyOf(upstream.calls.at(-1)).messages)
    expect(sent).toContain('something rich')
    expect(sent).not.toContain('break it')
    await log().getByRole('button', { name: 'Previous version' }).click()
    await log().getByText('break it').waitFor()
    await log().getByRole('button', { name: 'Next version' }).click()
    await log().locator('[data-role=assistant]').last().getByRole('button', { name: 'Regenerate' }).click()
    await expect.poll(() => log().getByText('2 / 2').count()).toBe(2)
    await quiet()
    await log().locator('[data-role=assistant]').last().getByText('gpt-4o-mini says: a better question').waitFor()
  })

  /** The conversations as the browser has stored them, which it does after they are drawn. */
  const stored = (): Promise<string> =>
    page.evaluate(async () => {
      const done = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
      const texts: string[] = []
      for (const { name = '' } of await indexedDB.databases()) {
        const database = await done(indexedDB.open(name))
        for (const store of database.objectStoreNames)
          texts.push(JSON.stringify(await done(database.transaction(store).objectStore(store).getAll())))
        database.close()
      }
      return texts.join()
    })

  it('is all there after a reload', async () => {
    await expect
      .poll(async () => (await stored()).split('gpt-4o-mini says: a better question').length)
      .toBeGreaterThanOrEqual(3)
    await page.reload()
    await log().getByText('gpt-4o-mini says: a better question').waitFor()
    await expect.poll(() => log().getByText('The end of the answer.').count()).toBe(1)
    expect(
      await log()
        .getByText(/Stopped/)
        .count(),
    ).toBe(1)
  })

  it('falls back to the answer while another screen is looked at', async () => {
    await write('endless again')
    await log()
      .getByText(/word9 /)
      .last()
      .waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.waitForURL(/\/token/)
    await page.getByRole('link', { name: 'Playground' }).click()
    await page.getByRole('button', { name: 'Stop' }).click()
    await quiet()
  })

  it('compares models side by side and goes on with one of them', async () => {
    await page.getByRole('button', { name: 'Clear context' }).click()
    await expect.poll(() => log().getByText('The end of the answer.').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Compare with' }).click()
    await page.getByRole('option', { name: 'gpt-4o', exact: true }).click()
    await page.keyboard.press('Escape')
    await write('who are you')
    await log().getByText('gpt-4o-mini says: who are you').waitFor()
    await log().getByText('gpt-4o says: who are you').waitFor()
    await quiet()
    await picture(page, 'playground-compare.en-light-wide')
    expect(await findings(page)).toEqual([])
    await log().getByRole('button', { name: 'Continue with this' }).click()
    await page.getByRole('combobox', { name: 'Compare with' }).press('Backspace')
    await write('go on')
    await log().getByText('gpt-4o-mini says: go on').waitFor()
    expect(JSON.stringify(bodyOf(upstream.calls.at(-1)).messages)).toContain('gpt-4o says: who are you')
    await quiet()
  })

  it('sends pictures, and shows the conversation as a program', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') })
    await page.getByRole('img', { name: 'Image 1' }).waitFor()
    await write('what is this')
    await log()
      .getByText(/gpt-4o-mini says: \{/)
      .waitFor()
    expect(bodyOf(upstream.calls.at(-1)).messages.at(-1)?.content).toEqual([
      { type: 'text', text: 'what is this' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
    ])
    await quiet()
    await page.getByRole('button', { name: 'View code' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('Python').click()
    await sheet.locator('pre').filter({ hasText: 'from openai import OpenAI' }).waitFor()
    await sheet.locator('pre .hljs-keyword').first().waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
  })

  it('keeps the conversations, opens and deletes them', async () => {
    const panel = page.getByRole('complementary', { name: 'Settings' })
    await panel.getByText('History').click()
    const list = page.getByRole('complementary', { name: 'History' })
    await list.getByRole('button', { name: /^something rich/ }).click()
    await log().getByText('The end of the answer.').waitFor()
    await picture(page, 'playground-history.en-light-wide')
    expect(await findings(page)).toEqual([])
    await list.getByRole('button', { name: /^Delete the conversation “who/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await list.getByRole('button', { name: /^who are you/ }).waitFor({ state: 'detached' })
  })

  it('complained about nothing', () => {
    expect(complaints).toEqual([])
  })

  it.each(twoLooks)('is whole and readable with an answer and an error in it: $name', async (each) => {
    const visitor = await openTab(browser, each)
    await visitor.page.goto(`${site.url}/login?next=/playground`)
    await logIn(visitor.page)
    const field = visitor.page.locator('fieldset textarea').first()
    const send = async (text: string, until: string): Promise<void> => {
      await field.fill(text)
      await field.press('Enter')
      await visitor.page.getByRole('log').locator(until).last().waitFor()
    }
    await send('something rich', 'pre .hljs-keyword')
    await visitor.page.getByRole('log').getByText('The end of the answer.').waitFor()
    await visitor.page.waitForFunction(() => document.querySelector('[role=log][aria-busy=true]') === null)
    await send('break it', '[role=alert]')
    await settle(visitor.page)
    await picture(visitor.page, `playground-answer.${each.name}`)
    const faults = [await findings(visitor.page, judgedIn(each)), await sidewaysOverflow(visitor.page)]
    if (each.size === phone) {
      await visitor.page.getByRole('button', { name: /^(Settings|设置)$/ }).click()
      await visitor.page.getByRole('slider').waitFor()
      await picture(visitor.page, `playground-panel.${each.name}`)
      faults.push(await findings(visitor.page, judgedIn(each)), await sidewaysOverflow(visitor.page))
    }
    expect(faults.flat().filter((fault) => fault !== 0)).toEqual([])
    expect(visitor.complaints).toEqual([])
    await visitor.page.context().close()
  })
})
