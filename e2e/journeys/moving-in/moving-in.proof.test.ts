import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserIsHere, openBrowser, phone, picture, sidewaysOverflow } from '../../support/browser.ts'
import { type Site, startSite } from '../../support/site.ts'
import { openPage, openSignedInTab, settle } from '../console.ts'

/** A one-api with a user and a key whose balances take as much room as those of a large site. */
const statements = `
create table users (id integer primary key, username varchar(64), password varchar(200), display_name varchar(64), role integer,
  status integer, email varchar(64), access_token varchar(64), quota bigint, used_quota bigint, request_count integer, aff_code varchar(32),
  inviter_id integer);
insert into users values (2, 'xiaoming', 'x', '小明', 1, 1, '', '', 500000000000000, 123456789012345, 10, 'abcd', 0);
create table tokens (id integer primary key, user_id integer, status integer, name varchar(64), created_time bigint, accessed_time bigint,
  expired_time bigint, remain_quota bigint, unlimited_quota integer, used_quota bigint, "key" varchar(64));
insert into tokens values (1, 2, 1, 'phone', 100, 200, -1, 400000000000000, 0, 3, 'key1');
create table options ("key" varchar(64) primary key, "value" text);
create table channels (id integer primary key, type integer, "key" text, status integer, name varchar(64), weight integer,
  created_time bigint, base_url text, other text, models text, "group" varchar(64), used_quota bigint, model_mapping text,
  priority bigint);`

describe.skipIf(!browserIsHere)('moving in, on a phone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-moving-in-'))
  const file = join(folder, 'one-api.db')
  let browser: Browser
  let site: Site

  beforeAll(async () => {
    const source = new DatabaseSync(file)
    source.exec(statements)
    source.close()
    ;[browser, site] = await Promise.all([openBrowser(), startSite()])
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    rmSync(folder, { recursive: true })
  })

  it('takes a file, and its report fits the screen with sums of fifteen digits', async () => {
    const look = { theme: 'light', language: 'en', size: phone } as const
    const { page, complaints } = await openSignedInTab(browser, site.url, look)
    await openPage(page, `${site.url}/site-import`)
    await page.getByLabel('Product').selectOption('one-api')
    await page.getByLabel('Source').selectOption('file')
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Import…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
    const sums = page.getByRole('region', { name: 'Totals' })
    await sums.waitFor()
    // Until the import has ended, the report says what is to be moved.
    await sums.getByText('same').first().waitFor()
    await settle(page)
    const rows = await sums.locator('tbody tr').allInnerTexts()
    expect(rows.find((row) => row.includes('User balances'))).toMatch(
      /500,000,000,000,000\s+500,000,000,000,000\s+same/,
    )
    await sums.scrollIntoViewIfNeeded()
    await picture(page, 'moving-in-phone')
    for (const name of ['Totals', 'Report']) {
      const table = page.getByRole('region', { name, exact: true }).locator('table').first()
      expect(
        await table.evaluate((node) => node.scrollWidth - (node.parentElement?.clientWidth ?? 0)),
      ).toBeLessThanOrEqual(0)
    }
    expect(await sidewaysOverflow(page)).toBe(0)
    expect(complaints).toEqual([])
  })
})
