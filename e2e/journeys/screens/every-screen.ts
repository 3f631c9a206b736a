import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { baselineFaults } from '../../support/baselines.ts'
import {
  browserIsHere,
  findings,
  judgedIn,
  type Look,
  layoutShift,
  openBrowser,
  openTab,
  phone,
  picture,
  sidewaysOverflow,
  wide,
} from '../../support/browser.ts'
import { type BusySite, customerPassword, openBusySite } from '../../support/busy-site.ts'
import { smallTargets } from '../../support/small-targets.ts'
import { steadyLive } from '../../support/steady-live.ts'
import { openSignedInTab, settle } from '../console.ts'
import { steadySessions } from './steady-sessions.ts'

interface Stop {
  readonly name: string
  readonly path: string
  /** Selector of an element that must be there before the screen is judged. */
  readonly until: string
  /** Runs before the page is opened, for instance to fix answers that differ from run to run. */
  readonly prepare?: (page: Page) => Promise<void>
  /** Opens the sheet or panel. */
  readonly act?: (page: Page) => Promise<void>
  /** Takes back what \`act\` stored: each screen looks the same whichever were opened before it. */
  readonly undo?: () => Promise<void>
}

const firstRow = '[data-row="0"]'
const dialog = '[role=dialog]'
const menuButton = 'button[aria-haspopup=menu]'

/** Opens a tab of the form of a channel and waits for its fields. */
const openFormPart = (tab: string) => async (page: Page) => {
  await page.locator(`${dialog} [role=tab][id$="${tab}"]`).click()
  await page.locator(`${dialog} [role=tabpanel][id$="${tab}"] :is(input, textarea, button)`).first().waitFor()
}

/** Opens the row's menu and presses the entry at this place, the last one for -1. */
const pressRowMenu =
  (name: string, place: number) =>
  async (page: Page): Promise<void> => {
    await page.locator('[data-row]', { hasText: name }).locator(menuButton).last().click()
    await settle(page)
    await page.locator('[role=menuitem]').nth(place).click()
  }

/** Opens the menu behind the last of these buttons and leaves it open. */
const openMenu =
  (button: string) =>
  async (page: Page): Promise<void> => {
    await page.locator(button).last().click()
    await page.locator('[role=menu] [role^=menuitem]').first().waitFor()
  }

/** `SCREENS=wallet,pricing` opens these alone. */
const chosenScreens = process.env.SCREENS?.split(',')

const stops = (busy: BusySite): readonly Stop[] => [
  { name: 'home', path: '/', until: 'h1' },
  { name: 'about', path: '/about', until: 'dl' },
  { name: 'agents', path: '/agents?client=codex', until: 'section pre' },
  { name: 'statement', path: '/statement', until: 'article table' },
  { name: 'corrections', path: '/correction?new=1', until: `${dialog} form` },
  { name: 'site-import', path: '/site-import', until: 'form.panel' },
  { name: 'statement-site', path: '/statement?scope=site', until: 'article table' },
  { name: 'channels', path: '/channel', until: firstRow },
  {
    name: 'channels-selected',
    path: '/channel?status=1',
    until: firstRow,
    act: async (page) => {
      await page.locator(`${firstRow} input[type=checkbox]`).click()
      await page.locator('[role=toolbar]').waitFor()
    },
  },
  { name: 'channels-row-menu', path: '/channel', until: firstRow, act: openMenu(`${firstRow} ${menuButton}`) },
  {
    name: 'channels-tools-menu',
    path: '/channel',
    until: firstRow,
    act: openMenu('button:has-text("批量操作"), button:has-text("Batch actions")'),
  },
  { name: 'account-menu', path: '/personal', until: 'form', act: openMenu(`header ${menuButton}`) },
  { name: 'channels-tags', path: '/channel?tags=1', until: 'table, ul' },
  { name: 'channels-nothing', path: '/channel?keyword=nothing-like-this', until: '#content h2, #content strong' },
  { name: 'channel-add', path: '/channel/add', until: `${dialog} form` },
  { name: 'channel-edit', path: '/channel/edit/1', until: `${dialog} form` },
  ...['models', 'routing', 'cost', 'advanced'].map((tab) => ({
    name: `channel-edit-${tab}`,
    path: '/channel/edit/1',
    until: `${dialog} form`,
    act: openFormPart(tab),
  })),
  {
    name: 'channel-preview',
    path: '/channel',
    until: firstRow,
    act: async (page) => {
      await page.locator(firstRow, { hasText: /./ }).locator('button').first().click()
      await page.locator(`${dialog} footer, ${dialog} button`).first().waitFor()
    },
  },
  {
    name: 'channel-test',
    path: '/channel',
    until: firstRow,
    act: async (page) => {
      await pressRowMenu('Mistral trial', 1)(page)
      await page.locator(`${dialog} ul button`).first().click()
      await page.locator(`${dialog} [data-failure]`).waitFor()
    },
  },
  {
    name: 'channel-delete',
    path: '/channel',
    until: firstRow,
    act: async (page) => {
      await pressRowMenu('Local vLLM', -1)(page)
      await page.locator(dialog).waitFor()
    },
  },
  { name: 'tokens', path: '/token', until: firstRow },
  { name: 'token-preview', path: '/token?key=6', until: `${dialog} table` },
  { name: 'token-page', path: '/token/6', until: 'main table' },
  { name: 'token-of-user', path: '/token/1?user=2', until: 'main table' },
  { name: 'token-add', path: '/token?add=1', until: `${dialog} form` },
  { name: 'logs', path: '/log', until: firstRow },
  { name: 'logs-errors', path: '/log?type=5', until: firstRow },
  { name: 'logs-receipt', path: `/log?request=${busy.retried}`, until: `${dialog} table` },
  {
    name: 'logs-failed',
    path: '/log?type=5',
    until: firstRow,
    act: async (page) => {
      await page
        .locator('[data-row]', { hasText: /alice|gpt-4/ })
        .first()
        .locator('button')
        .first()
        .click()
      await page.locator(`${dialog} dl`).first().waitFor()
    },
  },
  { name: 'users', path: '/user', until: firstRow },
  { name: 'user-preview', path: '/user?show=2', until: `${dialog} table` },
  { name: 'user-page', path: '/user/2', until: 'main table' },
  { name: 'user-add', path: '/user/edit', until: `${dialog} form` },
  { name: 'user-edit', path: '/user/edit/2', until: `${dialog} form` },
  { name: 'audit', path: '/audit', until: firstRow },
  {
    name: 'audit-entry',
    path: '/audit?action=channel.update,channel.create',
    until: firstRow,
    act: async (page) => {
      await page.locator(`${firstRow} button`).first().click()
      await page.locator(`${dialog} dl + h3 + ul li`).first().waitFor()
    },
  },
  { name: 'playground', path: '/playground', until: '[role=log] li' },
  { name: 'personal', path: '/personal', until: 'form' },
  { name: 'personal-security', path: '/personal/security', until: '#sessions li' },
  { name: 'personal-access-tokens', path: '/personal/access-tokens', until: 'main h2' },
  { name: 'personal-connections', path: '/personal/connections', until: '#bindings li' },
  { name: 'personal-notifications', path: '/personal/notifications', until: '#notices form' },
  {
    name: 'palette',
    path: '/personal',
    until: 'form',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      // The input is there before the results.
      await page.locator(`${dialog} [role=option]`).first().waitFor()
    },
  },
  {
    name: 'shortcuts',
    path: '/personal',
    until: 'form',
    act: async (page) => {
      await page.keyboard.press('?')
      await page.locator(`${dialog} kbd`).first().waitFor()
    },
  },
  { name: 'dashboard', path: '/detail', until: 'main section svg, main svg[role]' },
  { name: 'live', path: '/live', until: 'main table tbody tr', prepare: steadyLive },
  { name: 'sessions', path: '/sessions', until: firstRow, prepare: steadySessions },
  { name: 'identity-providers', path: '/identity-provider', until: 'main h1' },
  { name: 'inspector', path: '/inspector', until: 'main section h2' },
  { name: 'explore', path: '/explore', until: 'main table tbody tr' },
  { name: 'explore-sessions', path: '/explore?by=session&second=model', until: 'main table, main h2' },
  { name: 'explore-two', path: '/explore?metric=calls&by=model&then=status&form=bar', until: 'main table tbody tr' },
  { name: 'pricing', path: '/pricing', until: 'main article, main li a' },
  { name: 'pricing-table', path: '/pricing?view=table', until: firstRow },
  { name: 'model', path: '/pricing/model/gpt-4o', until: 'main table, main [data-row]' },
  { name: 'channel-page', path: '/channel/1', until: 'main section, main table' },
  { name: 'channel-keys', path: '/channel/1?tab=keys', until: 'main section, main table' },
  { name: 'organisations', path: '/organisation', until: ':nth-match(main :text("Northwind"), 2)' },
  { name: 'organisation', path: `/organisation/${busy.organisation}`, until: 'main section' },
  { name: 'organisation-projects', path: `/organisation/${busy.organisation}?tab=projects`, until: 'main section li' },
  { name: 'organisation-explore', path: `/organisation/${busy.organisation}?tab=explore`, until: 'main .panel' },
  { name: 'organisation-tasks', path: `/organisation/${busy.organisation}?tab=tasks`, until: 'main .panel' },
  { name: 'organisation-members', path: `/organisation/${busy.organisation}?tab=members`, until: 'main [data-row]' },
  {
    name: 'organisation-providers',
    path: `/organisation/${busy.organisation}?tab=providers`,
    until: 'main h2',
  },
  {
    name: 'organisation-provider-form',
    path: `/organisation/${busy.organisation}?tab=providers&sheet=provider`,
    until: `${dialog} form`,
  },
  {
    name: 'organisation-provisioning',
    path: `/organisation/${busy.organisation}?tab=provisioning`,
    until: 'main h2',
  },
  { name: 'wallet', path: '/topup', until: 'main h1' },
  { name: 'redemptions', path: '/redemption', until: 'main h1' },
  { name: 'drawings', path: '/midjourney', until: 'main h1' },
  { name: 'tasks', path: '/task', until: 'main h1' },
  { name: 'reconciliation', path: '/reconciliation', until: 'main h1' },
  { name: 'limits', path: '/limit', until: 'main li[data-row]' },
  { name: 'limit-form', path: '/limit?edit=1', until: `${dialog} form` },
  { name: 'token-limits', path: '/token/6?tab=limits', until: 'main section + section li' },
  { name: 'virtual-models', path: '/route', until: 'main h1' },
  { name: 'virtual-model-form', path: '/route?add=1', until: `${dialog} input` },
  { name: 'route-explained', path: '/route?tab=explain&model=gpt-4o', until: 'main table' },
  { name: 'route-hedging', path: '/route?tab=hedging', until: 'main section' },
  { name: 'route-calendar', path: '/route?tab=calendar', until: 'main section' },
  { name: 'settings-general', path: '/setting/general', until: 'main form, main input' },
  { name: 'settings-prices', path: '/setting/prices', until: 'main table, main [data-row]' },
  { name: 'settings-sign-in', path: '/setting/sign-in', until: 'main form, main input' },
  // The last of those that read: what it stores, and takes back, stands in the audit log.
  {
    name: 'token-created',
    path: '/token?add=1',
    until: `${dialog} form`,
    act: async (page) => {
      await page.locator(`${dialog} input[type=text], ${dialog} input:not([type])`).first().fill('from the browser')
      await page.locator(`${dialog} button[type=submit]`).click()
      await page.locator(`${dialog} pre`).waitFor()
      // How long a notice stays to be seen is left to chance.
      await page.locator('.mantine-Notification-closeButton').first().click()
      await page.locator('.mantine-Notification-root').waitFor({ state: 'detached' })
    },
    undo: async () => {
      const keys = await busy.root.must<{ id: number; name: string }[]>('GET', '/api/token/')
      const made = keys.filter(({ name }) => name === 'from the browser')
      await Promise.all(made.map(({ id }) => busy.root.must('DELETE', `/api/token/${id}`)))
    },
  },
  { name: 'not-found', path: '/nowhere', until: '#content a' },
]

type NamedLook = Look & { readonly name: string }

export const looks = {
  wide: [
    { name: 'zh-light-wide', theme: 'light', language: 'zh', size: wide },
    { name: 'en-dark-wide', theme: 'dark', language: 'en', size: wide },
  ],
  phone: [{ name: 'en-light-phone', theme: 'light', language: 'en', size: phone }],
} satisfies Readonly<Record<string, readonly NamedLook[]>>

/** Chinese that is data: names people gave, sentences stored in the log, and the language's own name. */
const chineseData = [
  /DeepSeek 官方/g,
  /管理员将用户额度从[^\n]*/g,
  /模型测试/g,
  // The switch names each language in itself.
  /^(Language: )?(简体中文|繁體中文|日本語|中)$/gm,
]

/** Faults of the page's language: its own mark, and Chinese in English that is not data. */
const languageFaults = async (page: Page, { language }: Look): Promise<string[]> => {
  const mark = await page.evaluate(() => document.documentElement.lang)
  const faults = mark.startsWith(language) ? [] : [`lang is ${mark}`]
  const text = await page.locator('body').innerText()
  if (language === 'zh') return /[\u4e00-\u9fff]/.test(text) ? faults : [...faults, 'no Chinese at all']
  const rest = chineseData.reduce((left, data) => left.replaceAll(data, ''), text)
  return [...faults, ...rest.split('\n').filter((line) => /[\u4e00-\u9fff]/.test(line))]
}

/** Allowed layout shift; elements that move while a screen loads are pressed by mistake. */
const toleratedShift = 0.02
/**
 * Allowed layout shift after a press; shifts later than half a second after it count as well, which a busy machine needs now and then.
 */
const toleratedAfterPress = 0.1

/** Lists what is wrong with what the page shows, and keeps a picture of that. */
const faultsOf = async (page: Page, look: NamedLook, name: string, tolerated = toleratedShift): Promise<string[]> => {
  await settle(page)
  const [overflow, shift] = [await sidewaysOverflow(page), await layoutShift(page)]
  const faults = [
    ...(overflow > 0 ? [`scrolls sideways by ${overflow} px`] : []),
    ...(shift.score > tolerated
      ? [`moves while it loads, by ${shift.score.toFixed(3)}: ${shift.moved.join('; ')}`]
      : []),
    ...(look.size === phone ? await smallTargets(page) : []),
    ...(await languageFaults(page, look)),
    ...(await findings(page, judgedIn(look))),
  ]
  if (faults.length > 0) await picture(page, `${name}.${look.name}`)
  // The last, because it writes over the texts.
  faults.push(...(await baselineFaults(page, name, look.name)))
  return faults.map((fault) => `${name}: ${fault}`)
}

/** A list, a log and a page of forms: `npm test` looks at these, and at the others only where screens are changed. */
const fewScreens: readonly string[] = ['channels', 'logs', 'wallet']

const checkScreens = (title: string, chosen: readonly NamedLook[], isIncluded: (name: string) => boolean): void => {
  /** `SCREENS` opens its own, whichever file has them. */
  const isOpened = (name: string): boolean => isIncluded(name) && (chosenScreens?.includes(name) ?? true)
  describe.skipIf(!browserIsHere)(title, () => {
    let browser: Browser
    let busy: BusySite
    beforeAll(async () => {
      ;[browser, busy] = await Promise.all([openBrowser(), openBusySite()])
    })
    afterAll(async () => {
      await browser?.close()
      await busy?.close()
    })

    it.each(chosen)(
      'is whole, readable and quiet: $name',
      async (look) => {
        const faults: string[] = []
        const complaints: string[] = []
        if (isIncluded('login')) {
          const guest = await openTab(browser, look)
          await guest.page.goto(`${busy.site.url}/login`)
          await guest.page.locator('form').waitFor()
          // The part beside the form loads after it; phones do not draw it.
          await guest.page.locator('main pre').waitFor({ state: 'attached' })
          faults.push(...(await faultsOf(guest.page, look, 'login')))
          await guest.page.context().close()
          complaints.push(...guest.complaints)
        }

        const operator = await openSignedInTab(browser, busy.site.url, look)
        const { page } = operator
        const judge = async (stop: Stop): Promise<string[]> => {
          await stop.prepare?.(page)
          await page.goto(`${busy.site.url}${stop.path}`)
          await page.locator(stop.until).first().waitFor()
          await stop.act?.(page)
          const found = await faultsOf(page, look, stop.name, stop.act ? toleratedAfterPress : toleratedShift)
          await stop.undo?.()
          if (stop.prepare) await page.unrouteAll({ behavior: 'ignoreErrors' })
          return found
        }
        for (const stop of stops(busy).filter(({ name }) => isOpened(name))) {
          // A busy machine paints late now and then: what is wrong is wrong at the second look, too.
          const found = await judge(stop)
          if (found.length > 0) console.warn(found.join('\n'))
          faults.push(...(found.length > 0 ? await judge(stop) : []))
        }
        await page.context().close()
        complaints.push(...operator.complaints)

        if (isIncluded('no-access')) {
          const customer = { username: 'bob', password: customerPassword }
          const bob = await openSignedInTab(browser, busy.site.url, look, customer)
          await bob.page.goto(`${busy.site.url}/channel`)
          await bob.page.locator('#content h1, #content h2, #content strong').first().waitFor()
          faults.push(...(await faultsOf(bob.page, look, 'no-access')))
          await bob.page.context().close()
          complaints.push(...bob.complaints)
        }

        expect(faults).toEqual([])
        // The address without a page, whose status is a complaint of Chromium's.
        const notFound = 'Failed to load resource: the server responded with a status of 404 (Not Found) /nowhere'
        expect(complaints).toEqual(isOpened('not-found') ? [notFound] : [])
        // Some seventy screens, each judged whole: minutes on a busy machine.
      },
      1_800_000,
    )
  })
}

/** Opens a few screens in these looks. */
export const checkFewScreens = (chosen: readonly NamedLook[]): void =>
  checkScreens('a few screens', chosen, (name) => fewScreens.includes(name))

/** Opens every screen but the few in these looks. One file of tests for each width, so that they run side by side. */
export const checkOtherScreens = (chosen: readonly NamedLook[]): void =>
  checkScreens('every other screen', chosen, (name) => !fewScreens.includes(name))
